"""What is seen in a graph of ops, as TensorFlow builds it, and in the one that PyTorch's functions leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.graph import Node, Tensor
from engine.graph.reachability import ancestors
from engine.interchange.fingerprints import Fingerprint
from engine.programs.program.outcome import Outcome
from engine.programs.side_by_side.sightings import Sighting, Sightings, Work, distinct

SEEDS = frozenset({"Fill", "OnesLike", "Const"})  # what a pass backward begins with
PLUMBING = frozenset(
    {"BroadcastTo", "Cast", "ExpandDims", "Identity", "Reshape", "Squeeze", "Tile", "Transpose"}
)  # what only brings a value into another form
ADDS = "AddN"
FUSED = "Grad"  # how ops are called that compute a local derivative and the product with it

Prints = Mapping[str, Fingerprint]
Received = Sequence[tuple[str, str]]  # a forward node, and the tensor that is the gradient by its value


class GraphView:
    """A program's graph, with what is asked of it again and again.

    nodes:    those that the program has: a lesson adds more.
    received: gradients that are known from elsewhere.
    """

    def __init__(
        self, outcome: Outcome, nodes: Sequence[Node], prints: Prints, received: Received = ()
    ) -> None:
        self.outcome = outcome
        self.nodes = nodes
        self.prints = prints
        self.received = received
        self.gradient_nodes = [node for node in self.nodes if node.phase == "gradient"]
        self.carrying = self._carrying()
        target = [] if outcome.target is None else [outcome.target]
        self.behind = ancestors(target)

    def sightings(self, level: str) -> Sightings:
        """All of it."""
        works = {node.name: self.work_of(node) for node in self.nodes if node in self.behind}
        return Sightings(
            level,
            values=[self._seen(node) for node in self.nodes if self._is_value(node)],
            gradients=distinct(self._gradients()),
            factors=[self._seen(node, node.of) for node in self.gradient_nodes if self.is_factor(node)],
            works={name: work for name, work in works.items() if work is not None},
            kept=self.kept(),
            sums={node.name: ADDS for node in self.gradient_nodes if node.op.name == ADDS},
            backward=sum(node.op.name != "Const" for node in self.gradient_nodes),
            order=[node.name for node in self.nodes],
        )

    def _carrying(self) -> set[Node]:
        """The nodes of the way back whose values hold what comes back, from its seed on."""
        found: set[Node] = set()
        for node in self.gradient_nodes:
            is_seed = node.of is None and node.op.name in SEEDS and node.outputs[0].dtype.startswith("float")
            if is_seed or any(tensor.node in found for tensor in node.inputs):
                found.add(node)
        return found or set(self.gradient_nodes)

    def _seen(self, node: Node, of: Node | None = None) -> Sighting:
        return Sighting(node.name, self._print(node.outputs[0]), (of or node).name)

    def _print(self, tensor: Tensor) -> Fingerprint | None:
        return self.prints.get(tensor.name)

    def varies(self, tensor: Tensor) -> bool:
        """Whether it depends on what the program is given."""
        found = self._print(tensor)
        return found is not None and found.varies

    def _is_value(self, node: Node) -> bool:
        is_forward = node.phase == "forward" and node in self.behind | self._holders()
        return is_forward and bool(node.outputs) and self.varies(node.outputs[0])

    def _holders(self) -> set[Node]:
        """The variables behind what reads them."""
        return {node.inputs[0].node for node in self.behind if node.op.name == "Identity"}

    def is_factor(self, node: Node) -> bool:
        """Whether a node of the way back computes something of forward values alone."""
        return node not in self.carrying and bool(node.outputs) and self.varies(node.outputs[0])

    def work_of(self, node: Node) -> Work | None:
        """What a forward node's gradient takes; None where it has none."""
        rule = [one for one in self.gradient_nodes if one.of is node]
        if not rule:
            return None
        made = [one for one in rule if self.is_factor(one) and one.op.name not in PLUMBING]
        fused = [one for one in rule if one.op.name.endswith(FUSED)]
        return Work(
            node.op.name,
            backward=tuple(dict.fromkeys(one.op.name for one in made)),
            inside=next((one.op.name for one in fused), ""),
            nodes=tuple(one.name for one in made or fused),
        )

    def kept(self) -> list[str]:
        """The forward nodes whose values the way back reads, in order."""
        readers = [node for node in self.gradient_nodes if not node.op.of_shapes]
        read = {tensor.node for node in readers for tensor in node.inputs}
        return [
            node.name
            for node in self.nodes
            if node.phase == "forward" and node in read and self.varies(node.outputs[0])
        ]

    def _gradients(self) -> Iterable[Sighting]:
        yield from self._of_rules()
        for call in self.outcome.workspace.gradient_calls:
            for x, found in zip(call.xs, call.gradients, strict=True):
                if isinstance(found, Tensor) and found.graph is self.outcome.graph:
                    yield Sighting(found.node.name, self._print(found), x.node.name)
        for of, name in self.received:
            yield Sighting(name.partition(":")[0], self.prints.get(name), of)
        for node in self.nodes:
            if node in self.carrying and node.outputs:
                yield Sighting(node.name, self._print(node.outputs[0]))

    def _of_rules(self) -> Iterable[Sighting]:
        """What came to each node that the sweep visited. What a rule passes on may be a part of that."""
        known = set(self.nodes)
        for adjoint in self.outcome.graph.adjoints:
            for found in adjoint.upstream:
                if isinstance(found, Tensor) and found.node.phase == "gradient" and found.node in known:
                    yield Sighting(found.node.name, self._print(found), adjoint.node.name)
