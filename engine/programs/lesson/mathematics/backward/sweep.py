"""What comes back to each operation, and what it sends on: read from the nodes that TensorFlow made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Adjoint, Graph, Node, Tensor, Variable
from engine.graph.reachability import ancestors, descendants
from engine.languages.workspace import GradientCall
from engine.ops.base.shapes import broadcast, same
from engine.ops.base.tensors import FLOATS, Array
from engine.programs.lesson.mathematics.blocks import Outline
from engine.programs.lesson.mathematics.operations import Operation
from engine.programs.lesson.trial import Trial
from engine.programs.lesson.unrolled import Parts
from engine.programs.lesson.values import dense_value
from engine.programs.lesson.words import Words
from engine.programs.program.static_values import FreshRun
from engine.programs.training.training import rows_of

ROW_BY_ROW = frozenset({"Softmax", "LogSoftmax"})  # shaped like elementwise ops, but their elements mix


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one operation sends back to one of its inputs.

    to:       the quantity that receives it.
    place:    of the input among those of the operation's core; 0 where several nodes do the work.
    passed:   the tensors of the gradient graph that carry it; several are added up.
    upstream: the gradient that the operation received, None where it received several.
    value:    what is sent; local: the factor, where value = upstream · local.
    """

    operation: Operation
    to: Tensor
    place: int
    passed: tuple[Any, ...]
    upstream: Tensor | None
    value: Array | None
    local: Array | None


class Sweep:
    """The backward sweep of one call, operation by operation.

    contributions: of each operation on a path to an asked x, in the order in which the sweep visited them;
                   of turns and branches from the last to the first.
    trial:         by which a small change is tried.
    outline:       which operations are told; the local derivatives of the others are not needed.
    parts:         of an x that is written on the way, each value that it had, with the value's gradient.
    """

    def __init__(
        self,
        words: Words,
        call: GradientCall,
        fresh: FreshRun,
        operations: Sequence[Operation],
        trial: Trial,
        outline: Outline | None = None,
        parts: Parts = MappingProxyType({}),
    ) -> None:
        self.words = words
        self.call = call
        self.fresh = fresh
        self.trial = trial
        self.outline = outline
        self.parts = parts
        self.xs = [x.ref if isinstance(x, Variable) else words.resolved(x) for x in call.xs]
        self.ends = dict(self._all_ends())
        reached = [x.node for x, gradient in self.ends.items() if gradient is not None]
        self.leading = descendants(words.graph, reached, FLOATS) - _beyond_stops(words.graph, reached)
        self.needed = ancestors(g for g in call.gradients if g is not None) - words.forward
        self.visits = self._visits()
        self.span = self._span()
        self.contributions = dict(self._all_contributions(operations))
        arriving = (c.to for found in self.contributions.values() for c in found)
        self.arrivals: Counter[Tensor] = Counter(arriving)
        self.starts: dict[Tensor, Tensor] = dict(self.seeds())

    # -- what the gradient graph holds ---------------------------------------------------------------------

    def _all_ends(self) -> Iterator[tuple[Tensor, Any]]:
        """Where the way back ends, with the gradients: at the xs, or at the values that they had."""
        for x, gradient in zip(self.xs, self.call.gradients, strict=True):
            yield from self.parts[x].items() if x in self.parts else ((x, gradient),)

    def values_of(self, x: Tensor) -> list[Tensor]:
        """What an x is where it is used: itself, or of one that is written what it was by then."""
        return [*self.parts.get(x, (x,))]

    def _visits(self) -> Mapping[Node, Adjoint]:
        """The visits of this call's sweep, by forward node, in order."""
        found: dict[Node, Adjoint] = {}
        for adjoint in self.words.adjoints:
            carried = [t for t in (*adjoint.upstream, *adjoint.passed) if t is not None]
            if any(rows_of(tensor).node in self.needed for tensor in carried):
                found.pop(adjoint.node, None)
                found[adjoint.node] = adjoint
        return found

    def _span(self) -> tuple[int, int]:
        """The stretch of the graph that this call's nodes stand in."""
        made = [node.index for node in self.needed if node.phase == "gradient"]
        made += [
            rows_of(tensor).node.index
            for adjoint in self.visits.values()
            for tensor in adjoint.passed
            if tensor is not None
            and rows_of(tensor).node.phase == "gradient"
            and made
            and rows_of(tensor).node.index >= min(made)
        ]
        return (min(made), max(made)) if made else (0, -1)

    def gradient_nodes(self, operation: Operation) -> list[str]:
        """The gradient nodes that TensorFlow made for an operation."""
        first, last = self.span
        nodes = self.words.graph.nodes[first : last + 1]
        return [node.name for node in nodes if node.phase == "gradient" and node.of in operation.nodes]

    def total(self, tensor: Tensor) -> Any:
        """The gradient of a quantity, all contributions added up."""
        if self.ends.get(tensor) is not None:
            return self.ends[tensor]
        visit = self.visits.get(tensor.node)
        return visit.upstream[tensor.index] if visit is not None else self._seed(tensor)

    def pairs(self) -> Iterator[tuple[Tensor, Tensor]]:
        """Each asked x with the tensor of its gradient, where it has one."""
        for x, gradient in zip(self.xs, self.call.gradients, strict=True):
            if gradient is not None:
                yield x, rows_of(gradient)

    def seeds(self) -> Iterator[tuple[Tensor, Tensor]]:
        """Each y with the gradient that the sweep starts from."""
        for y in map(self.words.resolved, self.call.ys):
            seed = self._seed(y)
            if seed is not None:
                yield y, seed

    def _seed(self, y: Tensor) -> Tensor | None:
        visit = self.visits.get(y.node)
        upstream = visit.upstream[y.index] if visit is not None else None
        if upstream is None:
            return self.ends.get(y)
        sent = {id(tensor) for found in self.contributions.values() for c in found for tensor in c.passed}
        if not self.arrivals[y]:
            return upstream
        left = [tensor for tensor in upstream.node.inputs if id(tensor) not in sent]
        return left[0] if left else upstream

    # -- contributions -------------------------------------------------------------------------------------

    def _all_contributions(
        self, operations: Sequence[Operation]
    ) -> Iterator[tuple[Operation, list[Contribution]]]:
        by_node = {operation.last: operation for operation in operations}
        visited = list(self.visits)
        if self.words.paths or self.outline is not None:
            visited.sort(key=lambda node: node.index, reverse=True)
        for node in visited:
            operation = by_node.get(node)
            found = [] if operation is None else self._of_operation(operation)
            if operation is not None and found:
                yield operation, found

    def _of_operation(self, operation: Operation) -> list[Contribution]:
        sent: dict[tuple[Tensor, int], list[Any]] = {}
        for node in operation.nodes:
            visit = self.visits.get(node)
            for place, passed in enumerate(visit.passed if visit is not None else ()):
                source = self.words.resolved(node.inputs[place])
                if passed is not None and self._leads(source) and source.node not in operation.nodes:
                    own = place if node is operation.core else self._core_place(operation, source)
                    sent.setdefault((source, own), []).append((passed, place))
        return [self._contribution(operation, to, place, parts) for (to, place), parts in sent.items()]

    def _leads(self, source: Tensor) -> bool:
        """Whether a quantity leads to an x, and the sweep has come to it."""
        return source.node in self.leading and (source in self.ends or source.node in self.visits)

    def _core_place(self, operation: Operation, source: Tensor) -> int:
        """Through which of its inputs an outside quantity reaches the core of an operation."""
        if operation.core is None:
            return 0
        for place, tensor in enumerate(operation.core.inputs):
            if source in ancestors_inside(self.words, tensor, operation):
                return place
        return 0

    def _contribution(
        self, operation: Operation, to: Tensor, place: int, parts: Sequence[tuple[Any, int]]
    ) -> Contribution:
        passed = tuple(tensor for tensor, _ in parts)
        received = [t for t in self.visits[operation.last].upstream if t is not None]
        upstream = received[0] if len(received) == 1 else None
        value = self.dense(passed)
        is_told = self.outline is None or self.outline.is_told(operation)
        local = self._local(operation, passed, upstream, value) if is_told else None
        return Contribution(operation, to, place, passed, upstream, value, local)

    def dense(self, passed: Sequence[Any]) -> Array | None:
        """The value of gradients added up, those given row by row put in place."""
        values = [value for value in map(self.value_of, passed) if value is not None]
        if not values or len(values) < len(passed):
            return None
        return np.asarray(sum(values[1:], start=values[0]))

    def value_of(self, gradient: Any) -> Array | None:
        """A gradient's value; one given row by row in full."""
        return dense_value(self.words.values, gradient)

    def _local(
        self, operation: Operation, passed: Sequence[Any], upstream: Tensor | None, value: Array | None
    ) -> Array | None:
        """The local derivative: what the rule gives for an upstream gradient of 1.

        None for arrays whose elements mix, and where the rule is no multiple of what it receives.
        """
        received = None if upstream is None else self.words.values.get(upstream)
        if upstream is None or received is None or value is None or received.shape != value.shape:
            return None
        if value.ndim and not _is_elementwise(operation):
            return None
        local = self.with_rule(operation, passed, {upstream: np.ones_like(received)})
        if local is None or local.shape != value.shape:
            return None
        return local if np.allclose(received * local, value, rtol=1e-5, atol=1e-30, equal_nan=True) else None

    def with_rule(
        self, operation: Operation, passed: Sequence[Any], other: Mapping[Tensor, Any]
    ) -> Array | None:
        """What an operation sends where some of the values around it are others."""
        known: dict[Tensor, Array] = {}
        for node in operation.nodes:
            visit = self.visits.get(node)
            around = (*node.inputs, *node.outputs, *(visit.upstream if visit is not None else ()))
            if node is not operation.last and visit is not None:
                around = (*node.inputs, *node.outputs)
            known |= {t: self.words.values[t] for t in around if t is not None and t in self.words.values}
        feeds = {**self.fresh.feeds, **known, **other}
        try:
            found = self.fresh.session.run([rows_of(tensor) for tensor in passed], feeds)
        except GradlensError:
            return None  # a rule that needs more than its own operation has no local derivative to show
        return np.asarray(sum(np.asarray(part) for part in found))


def _beyond_stops(graph: Graph, starts: Sequence[Node]) -> set[Node]:
    """What the starts flow into only through nodes that pass nothing back."""
    if graph.out_of_order:
        return set()
    reached = set(starts)
    for node in graph.nodes:
        taken = [t for t in node.inputs if t.node in reached and t.dtype in FLOATS]
        if taken and node.op.name not in ("StopGradient", "PreventGradient"):
            reached.add(node)
    return descendants(graph, starts, FLOATS) - reached


def ancestors_inside(words: Words, tensor: Tensor, operation: Operation) -> set[Tensor]:
    """What a tensor is computed from, up to the edge of an operation."""
    found, waiting = set(), [tensor]
    while waiting:
        one = words.resolved(waiting.pop())
        found.add(one)
        if one.node in operation.nodes or not one.node.inputs:
            waiting.extend(one.node.inputs)
        elif one.node.op.passes_on or one.node.op.name == "Identity":
            waiting.extend(one.node.inputs[:1])
    return found


def _is_elementwise(operation: Operation) -> bool:
    """Whether each element of the result follows from the elements at the same place."""
    node = operation.core
    if node is None or len(operation.nodes) > 1:
        return False
    return node.op.shape_rule in (same, broadcast) and node.op.name not in ROW_BY_ROW
