"""A graph that runs, and goes over nodes again where the program comes by the same place again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from engine.errors import Span
from engine.execution.budget import Limits, Meter
from engine.execution.eager.immediate import Cost, EagerTensor, ImmediateGraph
from engine.execution.eager.mistakes import given_up, too_many_nodes, without_value
from engine.execution.eager.repeated_nodes import Kind, RepeatedNodes
from engine.execution.eager.repeating import Reads, Repeats
from engine.execution.eager.sameness import facts_of, kind_of, origins_of, own_name
from engine.graph import Node, Tensor, Variable
from engine.ops.base.building import constant_node
from engine.ops.base.definition import OpDef
from engine.ops.base.shapes import is_static
from engine.ops.base.tensors import Array, Shape, name_of
from engine.ops.common.constants import const
from engine.ops.common.passing import identity
from engine.ops.sources.draws import OpSeed

SLICE_LIMITS = frozenset({"stack", "stack_1"})  # the names of the constants that say where a slice is
TURNS_OF_NEW = 3
TURNS_OF_VARIABLES = 10  # whose variables have nodes of their own, as a program may keep its models


class RepeatingGraph(ImmediateGraph):
    """A graph that runs, and knows which of its nodes it has made at a place before.

    tracing:     the graph of a function that is being traced: nothing runs meanwhile.
    in_function: what stands for the compiled function that runs, as a step of Keras; `op_seeds_given` in
                 that call.
    activations: which nodes Keras made, so that their inputs are its logits.
    data:        the constants that hold numbers of a tensor, of any value in another turn.
    turns_of_variables: in how many turns a place makes new nodes for variables, before it goes over them.
    """

    lazy: RepeatedNodes
    turns_of_variables = TURNS_OF_VARIABLES

    def __init__(self, meter: Meter | None, limits: Limits, seed: int) -> None:
        super().__init__(meter, limits, seed)
        self._over = False  # whether the program is: nothing is gone over any more
        self._most_nodes = limits.nodes
        self._made: dict[Any, Repeats] = {}
        self._repeats_of: dict[Node, Repeats] = {}
        self._reads: dict[Tensor, Reads] = {}
        self._holders: dict[Node, Variable] = {}  # the variable that has each node now
        self._taken: set[str] = set()  # the names of nodes, in lower case
        self._elements: set[Node] = set()
        self._turn = 0
        self._laps = count(1)
        self._lap = 0
        self._path = 0
        self._paths: dict[tuple[int, Span | str | None], int] = {}
        self.activations: set[Node] = set()
        self.data: set[Node] = set()
        self._makes_data = False
        self._slices: dict[tuple[int, str], set[int]] = {}  # the turns with new limits of a slice, by place
        self.in_function: Any = None
        self.op_seeds_given = 0
        self.tracing: Any = None
        self._examples: dict[Any, tuple[Sequence[tuple[str, Shape]], Node]] = {}  # the first of each kind
        self.lazy = RepeatedNodes(self, self._nodes, limits.nodes)

    def take_names(self, nodes: Iterable[Node]) -> None:
        """No other node may have the name of one of these."""
        self._taken.update(node.name.lower() for node in nodes)

    def materialize(self) -> None:
        """Where a turn is replayed: make the graph as if it were not, as it goes on from here."""

    # -- making a node, or going over it again ---------------------------------------------------

    def create_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """Add a node and run it; where the program comes by again in a later turn, run the node it made."""
        if self.tracing is not None:
            traced: Node = self.tracing.create_node(op, inputs, attributes, name)
            return traced
        if op.name == "VariableV2" and self._is_to_be_kept(op, attributes, name):
            self.materialize()
            if self.turn is not None:
                self.turn.stop()
        if self.turn is not None:
            made: Node = self.turn.node(op, inputs, attributes, name)
            return made
        return self.make_node(op, inputs, attributes, name)

    def _is_to_be_kept(self, op: OpDef, attributes: Mapping[str, Any], name: str) -> bool:
        """Whether no later turn takes the node of this variable: a program may keep and train it."""
        facts = facts_of(attributes, self._phase)
        repeats = self._repeats((self._path, op.name, self._name_in_a_turn(op, name), facts))
        return repeats.laps <= self.turns_of_variables

    @contextmanager
    def calling(self, function: Any) -> Iterator[None]:
        """What runs inside stands for one call of a function that is compiled; None: of none."""
        outer = self.in_function, self.op_seeds_given
        self.in_function, self.op_seeds_given = function, 0
        try:
            yield
        finally:
            self.in_function, self.op_seeds_given = outer

    def op_seed(self) -> int:
        """The seed of an operation without one; in a function that is compiled, its number there."""
        if self.in_function is None:
            return super().op_seed()
        seed = OpSeed(self.op_seeds_given)
        seed.owner = self.in_function
        self.op_seeds_given += 1
        return seed

    def make_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """The same, in a turn that is no replay."""
        if op.writes and any(_is_given_up(tensor) for tensor in inputs):
            raise given_up()
        sources = self._sources(inputs)
        origins = origins_of(sources) or self._name_in_a_turn(op, name)
        is_limit = name in SLICE_LIMITS
        is_data = self._makes_data or (is_limit and self._slices_anywhere(name))
        facts = facts_of(attributes, self._phase, is_data=is_data)
        repeats = self._repeats((self._path, op.name, origins, facts))
        node, cost = self._made_before(repeats, sources, attributes), None
        if node is None:
            node, cost = self._new_node(op, sources, attributes, name, facts)
            self._count_new(node, repeats)
            if is_limit:
                self._slices.setdefault((self._path, name), set()).add(self._lap)
            if is_data:
                self.data.add(node)
        self._execute(node, cost)
        return node

    def _sources(self, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """What a node takes for these tensors."""
        return tuple(
            [
                one if one.node.outputs[one.index] is one and one.node.graph is self else self._present(one)
                for one in inputs
            ]
        )

    def _new_node(
        self, op: OpDef, sources: tuple[Tensor, ...], attributes: Mapping[str, Any], name: str, facts: Any
    ) -> tuple[Node, Cost | None]:
        """A node that is not there yet: with the outputs and the cost of another one of its kind, if any."""
        kind = kind_of(op, sources, facts)
        known = self._examples.get(kind) if self.has_only_places_around else None
        if known is not None:
            outputs, example = known
            cost = self._costs.get(example)
            return self._put(op, sources, attributes, name, outputs, cost), cost
        node = super().create_node(op, sources, attributes, name)
        if kind is not None and is_static(*[one.shape for one in node.outputs]):
            self._examples[kind] = tuple([(one.dtype, one.shape) for one in node.outputs]), node
        return node, None

    def _put(
        self,
        op: OpDef,
        sources: tuple[Tensor, ...],
        attributes: Mapping[str, Any],
        name: str,
        outputs: Sequence[tuple[str, Shape]],
        cost: Cost | None,
    ) -> Node:
        """A node with outputs of known types and shapes."""
        full = name[:-1] if name.endswith("/") else self._fresh(name)
        node = self.put(full, op, attributes, sources)
        kind = self.output_kind
        node.outputs = tuple([kind(node, index, *output) for index, output in enumerate(outputs)])
        if self._beside or op.writes:
            self._place(node)
        if cost is not None:
            self._costs[node] = cost
        return node

    def _slices_anywhere(self, name: str) -> bool:
        """Whether a slice begins or ends here that has begun and ended at new places in many turns, as one of
        random examples does: where it does so now is no part of the structure."""
        return len(self._slices.get((self._path, name), ())) > TURNS_OF_NEW

    def data_constant(self, array: Array) -> Tensor:
        """A constant of a tensor's numbers. Shapes: (*S) -> (*S)."""
        self._makes_data = True
        try:
            return constant_node(array, "Const")
        finally:
            self._makes_data = False

    def make_known(self, op: OpDef, inputs: Sequence[Tensor], kind: Kind, name: str) -> Node:
        """The same for a node of a known kind."""
        sources = self._sources(inputs)
        origins = origins_of(sources) or own_name(name)
        repeats = self._repeats((self._path, op.name, origins, kind.facts))
        node = self._made_before(repeats, sources, kind.attrs)
        if node is None:
            node = self._put(op, sources, kind.attrs, name, ((kind.dtype, kind.shape),), kind.cost)
            self._count_new(node, repeats)
        self._execute(node, kind.cost)
        return node

    def _repeats(self, key: Any) -> Repeats:
        """The nodes under a key; in a new lap none of them has been gone over."""
        repeats = self._made.get(key)
        if repeats is None:
            repeats = self._made[key] = Repeats()
        if repeats.lap != self._lap:
            repeats.laps += 1
            if key[1] == "VariableV2" and repeats.laps <= self.turns_of_variables:
                repeats.kept = len(repeats.nodes)
            repeats.lap, repeats.used = self._lap, repeats.kept
        return repeats

    def _made_before(
        self, repeats: Repeats, sources: tuple[Tensor, ...], attributes: Mapping[str, Any]
    ) -> Node | None:
        """The next node to go over again. Raises: LimitError where one more is needed than there may be."""
        if repeats.used < len(repeats.nodes) and not self._over:
            node = repeats.nodes[repeats.used]
            self._go_over(node, sources, attributes)
            repeats.used += 1
            return node
        if len(self._nodes) >= self._most_nodes:
            raise too_many_nodes(self._most_nodes)
        return None

    def _count_new(self, node: Node, repeats: Repeats) -> None:
        self._taken.add(node.name.lower())
        repeats.nodes.append(node)
        repeats.used += 1
        self._repeats_of[node] = repeats
        self._count_alive(node)

    def _name_in_a_turn(self, op: OpDef, name: str) -> str:
        """What a source is called in each turn; a slot with its variable, as each has its own."""
        if op.name != "VariableV2":
            return own_name(name)
        owner = name.rstrip("/").rpartition("/")[0]
        is_slot = owner in self and self.node(owner).op.name == "VariableV2"
        return f"{owner}/{own_name(name)}" if is_slot else own_name(name)

    def _go_over(self, node: Node, sources: tuple[Tensor, ...], attributes: Mapping[str, Any]) -> None:
        node.inputs = sources
        node.attrs = {**node.attrs, **attributes}
        kind = self.output_kind
        is_elsewhere = node.op.name == "StridedSlice" and any(one.node in self.data for one in sources[1:])
        node.outputs = tuple(
            kind(node, t.index, t.dtype, None if is_elsewhere else t.shape) for t in node.outputs
        )

    def _present(self, tensor: Tensor) -> Tensor:
        """The tensor, or a constant in its place where its node has run again since."""
        outputs = tensor.node.outputs
        if tensor.node in self._elements:
            tensor.node.outputs = (tensor,)
            return tensor
        if outputs[tensor.index] is tensor and tensor.node.graph is self:
            return tensor
        if not isinstance(tensor, EagerTensor):
            raise without_value(tensor)
        if tensor.node.graph is not self:
            return tensor
        if self.turn is not None and self.turn.is_recording:
            self.turn.looks += 1
        return const(value=tensor.array, dtype=tensor.dtype, name="earlier")

    def _fresh(self, name: str) -> str:
        names = self._names
        names.check(name)
        full = names.unique(name)
        while full.lower() in self._taken:
            full = names.unique(name)
        return full

    def element(self, array: Array, node: Node | None) -> Tensor:
        """One element of a data set as a tensor of its node: the one given, or a new one.

        All elements of a data set pass the same node, one after the other, as those of an iterator do.
        """
        if node is None:
            made = const(value=array, dtype=name_of(array.dtype), name="IteratorGetNext")
            self._elements.add(made.node)
            return made
        if self.turn is not None:
            replayed: Tensor = self.turn.element(node, array)
            return replayed
        return self.next_element(node, array)

    def next_element(self, node: Node, array: Array) -> EagerTensor:
        """The same of a node that is there, in a turn that is no replay."""
        tensor = EagerTensor(node, 0, name_of(array.dtype), array.shape)
        tensor.array, node.outputs = array, (tensor,)
        self._ran.append(tensor)
        return tensor

    # -- variables -------------------------------------------------------------------------------

    def _write(self, by: Node, ref: Any, new: Any) -> None:
        if self._over and ref.array is not None:
            return
        super()._write(by, ref, new)
        if ref in self._reads:
            self._reads[ref].present = None

    def hold(self, variable: Variable) -> None:
        """A variable has its node from here on. One that had it in an earlier turn keeps its value apart."""
        before, self._holders[variable.node] = self._holders.get(variable.node), variable
        if before is not None and before.ref is variable.ref:
            ref: Any = variable.ref
            before.ref = apart = EagerTensor(ref.node, ref.index, ref.dtype, ref.shape)
            apart.array = ref.array

    def reading(self, variable: Variable) -> Tensor:
        """The read of a variable's present value, one for each value that it has in a turn."""
        if self.tracing is not None:
            traced: Tensor = self.tracing.reading(variable)
            return traced
        if self.turn is not None:
            found: Tensor = self.turn.reading(variable)
            return found
        return self.read_now(variable)

    def note_read(self, variable: Variable) -> None:
        """A variable was made in this turn: its first read has its value."""
        first = variable.first_read
        self._reads[variable.ref] = Reads([first.node], self._turn, 1, first)

    def read_now(self, variable: Variable) -> Tensor:
        """The same in a turn that is no replay."""
        for tape in self.tapes:
            tape.see_read(variable)
        reads = self._reads.setdefault(variable.ref, Reads([variable.first_read.node]))
        if reads.turn != self._turn and not (self._over and reads.present):
            reads.turn, reads.used, reads.present = self._turn, 0, None
        if reads.present is None:
            reads.present = self._read_anew(variable, reads)
        for tape in self.tapes:
            tape.record(reads.present.node)
        return reads.present

    def _read_anew(self, variable: Variable, reads: Reads) -> Tensor:
        """The next of the variable's read nodes, run again, or a new one where the turn has used them all."""
        if reads.used < len(reads.nodes):
            node = reads.nodes[reads.used]
            self._go_over(node, (variable.ref,), {})
            self._execute(node)
        else:
            with self.control_dependencies(None), self.name_scope(f"{variable.node.name}/"):
                node = identity(variable.ref, name="read").node
            reads.nodes.append(node)
        reads.used += 1
        first: Tensor = node.outputs[0]
        return first

    # -- places and laps ------------------------------------------------------------------------------

    @property
    def lap(self) -> int:
        """A number for the turn, or for the lap of another loop, that goes over its nodes now."""
        return self._lap

    @property
    def reads(self) -> Mapping[Tensor, Reads]:
        """What is known of the reads of each variable."""
        return self._reads

    @property
    def repeats_of(self) -> Mapping[Node, Repeats]:
        """The nodes under the key of each node."""
        return self._repeats_of

    @property
    def place(self) -> int:
        """A number for the place of the program that runs, and the calls that lead there."""
        return self._path

    def go_to(self, span: Span | None) -> Any:
        """From now on nodes come from this stretch of source text, by way of the calls around it."""
        outer = self._path, self._span
        self._path = self._paths.setdefault((self._path, span), len(self._paths) + 1)
        self._span = span
        return outer

    def go_along(self, path: int) -> Any:
        """The same to a place that was there before, by its number."""
        outer, self._path = (self._path, self._span), path
        return outer

    def go_back(self, outer: Any) -> None:
        """Nodes come from where they came from before."""
        self._path, self._span = outer

    @contextmanager
    def along(self, trail: Sequence[Span | None]) -> Iterator[None]:
        """Nodes made inside come from the last of these places, by way of the others."""
        outer, outer_span = self._path, self._span
        for span in trail:
            self._path = self._paths.setdefault((self._path, span), len(self._paths) + 1)
            self._span = span
        try:
            yield
        finally:
            self._path, self._span = outer, outer_span

    @contextmanager
    def lap_of(self, loop: str) -> Iterator[None]:
        """One time around a loop without a tape: it goes over the nodes that this loop made here before.

        Nothing that is made inside may be used outside, as its tensors are those of the next lap, too.
        Where a tape is open, which needs all of them, each lap makes its own.
        """
        if self.tapes or self.tracing is not None:
            yield
            return
        self.materialize()
        if self.turn is not None:
            self.turn.stop()
        outer = self._path, self._lap
        self._path = self._paths.setdefault((self._path, loop), len(self._paths) + 1)
        self._lap = next(self._laps)
        try:
            yield
        finally:
            self._path, self._lap = outer

    @property
    def node_limit(self) -> int:
        """How many nodes there may be."""
        return self._most_nodes


def _is_given_up(tensor: Tensor) -> bool:
    """Whether it is the memory of a variable whose node is another one's by now."""
    return tensor.node.op.name == "VariableV2" and tensor.node.outputs[tensor.index] is not tensor


def now(tensor: Any) -> Any:
    """The tensor of the same output after the last run of its node; None stays None."""
    if isinstance(tensor, Tensor) and tensor.graph.turn is not None:
        tensor.graph.materialize()
    return tensor.node.outputs[tensor.index] if isinstance(tensor, Tensor) else tensor
