"""Nodes of a graph computed for all runs of a batch at once: recorded, to be executed by a plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import GradlensError
from engine.execution.batching.families import Family, families
from engine.execution.batching.numpy_calls import Unbatchable
from engine.execution.batching.trace import Trace
from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import Plan, make_plan
from engine.execution.interpreter.streams import Streams
from engine.execution.tracing.tracer import NotLowered, Tracer
from engine.execution.tracing.walk import Held, Walk, result_shapes
from engine.graph import Node, Tensor
from engine.graph.kernels import results_of
from engine.ops.base.tensors import Array

Fetch = Tensor | Node


class Variables:
    """The variables as they stand before what is recorded."""

    def __init__(self, values: Mapping[Node, Held]) -> None:
        self._values = values

    def one(self, variable: Node) -> Held:
        """One variable's value. Raises: Unbatchable where it has none."""
        if variable not in self._values:
            raise Unbatchable(f"{variable.name} has no value")
        return self._values[variable]

    def together(self, variables: Sequence[Node]) -> Tracer | None:
        """Several of one shape along the first batch axis; None where they do not lie together."""
        return None


@dataclass(frozen=True, slots=True)
class Recorded:
    """The value of each fetch, and the new values of variables, of those that lie together in one."""

    values: Mapping[Tensor, Held]
    written: Mapping[tuple[Node, ...], Held]


def plan_for(fetches: Sequence[Fetch], given: Collection[Tensor]) -> Plan:
    """What the fetches need, cut at what is given. Raises: Unbatchable where that holds a loop."""
    targets = [item if isinstance(item, Node) else item.node for item in fetches if item not in given]
    plan = make_plan(targets, frozenset(given))
    if any(isinstance(step, Loop) for step in plan.steps):
        raise Unbatchable("a loop")
    return plan


def record(
    trace: Trace,
    plan: Plan,
    fetches: Sequence[Fetch],
    given: Mapping[Tensor, Held],
    variables: Variables,
    seed: int = 0,
) -> Recorded:
    """Record a plan that `plan_for` made for these fetches and what is given.

    seed:   of the random nodes' streams; the first execution makes the first draw.
    Raises: Unbatchable where runs have to be computed one by one, each by a session of its own.
    """
    walk = _BatchWalk(trace, plan, given, variables, Streams(seed))
    try:
        walk.all(plan)
    except NotLowered as error:
        raise Unbatchable(str(error)) from error
    wanted = [item for item in fetches if isinstance(item, Tensor)]
    return Recorded({tensor: walk.fetched(tensor) for tensor in wanted}, walk.written)


class _BatchWalk(Walk):
    """A walk whose tracers stand for all runs of a batch.

    written: the new values of variables; alike updates of several are made as one.
    """

    def __init__(
        self, trace: Trace, plan: Plan, given: Mapping[Tensor, Held], variables: Variables, streams: Streams
    ) -> None:
        super().__init__(trace.recorder)
        self.known = dict(given)
        self.written: dict[tuple[Node, ...], Held] = {}
        self._trace, self._variables, self._streams = trace, variables, streams
        self._sees = plan.sees_written
        nodes = [step for step in plan.steps if isinstance(step, Node) and step.op.name != "VariableV2"]
        self._families = families(nodes, plan.sees_written) if trace.axes > 1 else {}

    def fetched(self, tensor: Tensor) -> Held:
        """A fetch's value; a variable's before what is recorded."""
        if tensor not in self.known and tensor.node.op.name == "VariableV2":
            return self._variables.one(tensor.node)
        return self.known[tensor]

    def _check(self, node: Node) -> None:
        if node.op.name == "Placeholder":
            raise Unbatchable("a placeholder without a value")
        is_silent = node.op.text_rule is not None  # only the program's own sessions show what it prints
        if node.op.stateful and not node.op.draws and not is_silent:
            raise Unbatchable(node.op.name)

    def _node(self, node: Node, sees: frozenset[Node]) -> None:
        family = self._families.get(node)
        if family is not None and node is family.nodes[0] and not self._lie_together(family):
            self._families = {one: other for one, other in self._families.items() if other is not family}
            family = None
        if family is None:
            super()._node(node, sees)
        elif node is family.nodes[-1]:
            self.recorder.node = node
            self._step_together(family)

    def _keep(self, node: Node, results: Sequence[Held]) -> None:
        super()._keep(node, results)
        for index in node.op.writes:
            variable = node.inputs[index].node
            self.written[(variable,)] = self.current[variable]

    def _buffer(self, buffers: Mapping[Node, Held], variable: Node) -> Held:
        """`current` holds what was written; before that, a variable is what it was given as."""
        return buffers[variable] if variable in buffers else self._variables.one(variable)

    # -- updates that are alike ------------------------------------------------------------------------

    def _lie_together(self, family: Family) -> bool:
        """Whether the variables of a family can be read and written as one."""
        return all(
            self.current.keys().isdisjoint(variables) and self._variables.together(variables) is not None
            for variables in family.variables.values()
        )

    def _step_together(self, family: Family) -> None:
        """Record the alike updates of several variables as one."""
        first = family.nodes[0]
        arguments = [
            self._variables.together(family.variables[place])
            if place in family.variables
            else self._stack([self._input(n, place, n.inputs[place], self._sees[n]) for n in family.nodes])
            for place in range(len(first.inputs))
        ]
        for index, new in zip(first.op.writes, self._results(first, arguments), strict=False):
            variables = family.variables[index]
            typed = self.written[variables] = self._typed(new, variables[0].outputs[0].dtype)
            for place, variable in enumerate(variables):
                self.current[variable] = self._trace.row(typed, place) if isinstance(typed, Tracer) else typed
        for place, node in enumerate(family.nodes):
            self.known[node.outputs[0]] = self.current[family.variables[first.op.writes[0]][place]]

    def _stack(self, column: Sequence[Held]) -> Held:
        """Values of several nodes along the first batch axis; one value where all are the same."""
        if len({self.recorder.identity(value) for value in column}) == 1:
            return self._for_each(column[0], len(column))
        rows = [self._trace.rows.get(value.number) for value in column if isinstance(value, Tracer)]
        if rows and rows[0] is not None:
            of, expected = rows[0][0], [(rows[0][0].number, place) for place in range(len(column))]
            if [(row[0].number, row[1]) for row in rows if row is not None] == expected:
                return of
        kind = np.result_type(*(value.dtype for value in column))
        output = self.recorder.value(np.shape(column[0]), kind)
        return self.recorder.record("stack", None, column, output, rows=len(column))

    def _for_each(self, value: Held, count: int) -> Held:
        """What several share and never changes, repeated for each: numpy is quickest on equal shapes."""
        if not isinstance(value, Tracer) or value.changing:
            return value
        output = self.recorder.value(value.shape, value.dtype)
        return self.recorder.record("repeat", None, [value], output, rows=count)

    # -- random numbers --------------------------------------------------------------------------------

    def _results(self, node: Node, arguments: list[Held]) -> Sequence[Held]:
        return [self._draw(node, arguments)] if node.op.draws else super()._results(node, arguments)

    def _draw(self, node: Node, arguments: list[Held]) -> Tracer:
        """All runs see the same random numbers, drawn anew in each execution."""
        if any(isinstance(one, Tracer) for one in arguments):
            raise Unbatchable("random numbers that depend on a run")

        def draw() -> Array:
            (made,) = results_of(node, arguments, generator=self._streams.generator(node))
            return np.asarray(made)

        (shape,) = result_shapes(node, arguments)
        return self.recorder.draw(draw, shape, node.outputs[0].dtype)

    # -- shapes that the graph does not know ----------------------------------------------------------

    def _shapes(self, node: Node, arguments: Sequence[Held]) -> list[tuple[int, ...]]:
        try:
            return super()._shapes(node, arguments)
        except NotLowered:
            return self._shapes_of_a_run(node, arguments)

    def _shapes_of_a_run(self, node: Node, arguments: Sequence[Held]) -> list[tuple[int, ...]]:
        """The shapes that the kernel gives for the first run; executing finds out whether others differ."""
        first = (slice(1),) * self._trace.axes
        leaves = {leaf: array[first] for leaf, array in self._trace.leaves.items()}
        plan = self._trace.plan([item for item in arguments if isinstance(item, Tracer)], leaves)
        streams, self._streams = self._streams, Streams(0)  # what is drawn for this counts nowhere
        plan.execute()
        self._streams, run = streams, (0,) * self._trace.axes
        own = [plan[item][run] if isinstance(item, Tracer) else item for item in arguments]
        try:
            return [np.shape(item) for item in results_of(node, own)]
        except GradlensError as error:
            raise Unbatchable(node.name) from error
