"""Nodes of a graph computed for all members at once, recorded on a tape."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.batching.families import Family, families
from engine.execution.batching.many import Many, Unbatchable
from engine.execution.batching.tape import SIDE_BY_SIDE, Tape, identity_of
from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import Plan, make_plan, variable_behind
from engine.execution.interpreter.prepared import array_dtype
from engine.execution.interpreter.streams import Streams
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array

Value = Any  # a Many, or one array for all members
Fetch = Tensor | Node
FOREIGN = (TypeError, ValueError, IndexError, AttributeError)  # what a kernel may say to a foreign array


class Variables:
    """The variables as they stand before what is recorded."""

    def __init__(self, values: Mapping[Node, Value]) -> None:
        self._values = values

    def one(self, variable: Node) -> Value:
        """One variable's value. Raises: Unbatchable where it has none."""
        if variable not in self._values:
            raise Unbatchable(f"{variable.name} has no value")
        return self._values[variable]

    def together(self, variables: Sequence[Node]) -> Many | None:
        """Several of one shape along the first batch axis; None where they do not lie together."""
        return None


@dataclass(slots=True)
class Recorded:
    """The value of each fetch, and the new values of variables, of those that lie together in one."""

    values: dict[Tensor, Value] = field(default_factory=dict)
    written: dict[tuple[Node, ...], Value] = field(default_factory=dict)


def plan_for(fetches: Sequence[Fetch], given: Collection[Tensor]) -> Plan:
    """What the fetches need, cut at what is given. Raises: Unbatchable where that holds a loop."""
    targets = [item if isinstance(item, Node) else item.node for item in fetches if item not in given]
    plan = make_plan(targets, frozenset(given))
    if any(isinstance(step, Loop) for step in plan.steps):
        raise Unbatchable("a loop")
    return plan


def record(
    tape: Tape,
    plan: Plan,
    fetches: Sequence[Fetch],
    given: Mapping[Tensor, Value],
    variables: Variables,
    seed: int = 0,
) -> Recorded:
    """Record a plan that `plan_for` made for these fetches and what is given.

    seed:   of the random nodes' streams; the first replay makes the first draw.
    Raises: Unbatchable where members have to be computed one by one, each by a session of its own.
    """
    steps = [step for step in plan.steps if isinstance(step, Node) and step.op.name != "VariableV2"]
    recorder = _Recorder(tape, variables, Streams(seed), dict(given))
    together = families(steps, plan.sees_written) if tape.axes > 1 else {}
    with np.errstate(all="ignore"):
        for node in steps:
            family = together.get(node)
            if family is not None and node is family.nodes[0] and not recorder.lie_together(family):
                together = {one: other for one, other in together.items() if other is not family}
                family = None
            if family is None:
                recorder.step(node, plan.sees_written[node])
            elif node is family.nodes[-1]:
                recorder.step_together(family, plan.sees_written)
    wanted = [item for item in fetches if isinstance(item, Tensor)]
    return Recorded({tensor: recorder.fetched(tensor) for tensor in wanted}, recorder.written)


@dataclass(slots=True)
class _Recorder:
    tape: Tape
    variables: Variables
    streams: Streams
    values: dict[Tensor, Value]
    written: dict[tuple[Node, ...], Value] = field(default_factory=dict)
    now: dict[Node, Value] = field(default_factory=dict)  # what was written, variable by variable
    trial: Streams = field(default_factory=lambda: Streams(0))

    def step(self, node: Node, sees: frozenset[Node]) -> None:
        """Record one node."""
        if node.op.name == "Placeholder":
            raise Unbatchable("a placeholder without a value")
        is_silent = node.op.text_rule is not None  # only the program's own sessions show what it prints
        if node.op.stateful and not node.op.draws and not is_silent:
            raise Unbatchable(node.op.name)
        results = self._results(node, self._inputs(node, sees))
        for index, new in zip(node.op.writes, results, strict=False):
            variable = node.inputs[index].node
            typed = _typed(new, variable.outputs[0].dtype)
            self.written[(variable,)] = self.now[variable] = typed
        for tensor, value in zip(node.outputs, results[:1] if node.op.writes else results, strict=False):
            self.values[tensor] = _typed(value, tensor.dtype)

    def lie_together(self, family: Family) -> bool:
        """Whether the variables of a family can be read and written as one."""
        return all(
            self.now.keys().isdisjoint(variables) and self.variables.together(variables) is not None
            for variables in family.variables.values()
        )

    def step_together(self, family: Family, sees: Mapping[Node, frozenset[Node]]) -> None:
        """Record the alike updates of several variables as one."""
        first = family.nodes[0]
        arguments = [
            self.variables.together(family.variables[place])
            if place in family.variables
            else self._stack(
                [self._input(place, node.inputs[place], node, sees[node]) for node in family.nodes]
            )
            for place in range(len(first.inputs))
        ]
        for index, new in zip(first.op.writes, self._results(first, arguments), strict=False):
            variables = family.variables[index]
            typed = _typed(new, variables[0].outputs[0].dtype)
            self.written[variables] = typed
            for place, variable in enumerate(variables):
                self.now[variable] = self.tape.row(typed, place) if isinstance(typed, Many) else typed
        for place, node in enumerate(family.nodes):
            self.values[node.outputs[0]] = self.now[family.variables[first.op.writes[0]][place]]

    def fetched(self, tensor: Tensor) -> Value:
        """A fetch's value; a variable's before what is recorded."""
        if tensor not in self.values and tensor.node.op.name == "VariableV2":
            return self.variables.one(tensor.node)
        return self.values[tensor]

    # -- what a node takes -----------------------------------------------------------------------------

    def _inputs(self, node: Node, sees: frozenset[Node]) -> list[Value]:
        return [self._input(position, tensor, node, sees) for position, tensor in enumerate(node.inputs)]

    def _input(self, position: int, tensor: Tensor, node: Node, sees: frozenset[Node]) -> Value:
        """As a session does: writes before this node on a path are seen, others are not."""
        if tensor in self.values and tensor.node.op.name not in ("Identity", "VariableV2"):
            return self.values[tensor]
        variable = variable_behind(tensor)
        if variable is None or (tensor in self.values and variable not in sees):
            return self.values[tensor]
        if variable in self.now and (variable in sees or position in node.op.writes):
            return self.now[variable]
        return self.variables.one(variable)

    def _stack(self, column: Sequence[Value]) -> Value:
        """Values of several nodes along the first batch axis; one value where all are the same."""
        if len({identity_of(value) for value in column}) == 1:
            return self._for_each(column[0], len(column))
        origins = [self.tape.rows.get(value.number) for value in column if isinstance(value, Many)]
        of = origins[0][0] if origins and origins[0] is not None else None
        if of is not None and origins == [(of, place) for place in range(len(column))]:
            return of
        join = _side_by_side(self.tape.axes, column)
        return self.tape.call(join, *column, key=SIDE_BY_SIDE, rows=len(column))

    def _for_each(self, value: Value, count: int) -> Value:
        """What several share and never changes, repeated for each: numpy is quickest on equal shapes."""
        if not isinstance(value, Many) or value.changing:
            return value
        return self.tape.call(
            lambda array: np.repeat(array, count, axis=0), value, key=("each", count), rows=count
        )

    # -- what it makes ---------------------------------------------------------------------------------

    def _results(self, node: Node, arguments: list[Value]) -> Sequence[Value]:
        parameters = {name: node.attrs[name] for name in node.op.attributes}
        if node.op.draws:
            return [self._draw(node, arguments, parameters)]
        if not any(isinstance(one, Many) for one in arguments):
            return _several(node.op.kernel(*arguments, **parameters))
        length = len(self.tape.calls)
        try:
            return _several(node.op.kernel(*arguments, **parameters))
        except (Unbatchable, *FOREIGN):
            self.tape.undo(length)
        try:
            return self._one_by_one(node, arguments, parameters)
        except FOREIGN as error:
            raise Unbatchable(node.name) from error

    def _draw(self, node: Node, arguments: list[Value], parameters: dict[str, Any]) -> Many:
        """All members see the same random numbers, drawn anew in each replay."""
        if any(isinstance(one, Many) for one in arguments):
            raise Unbatchable("random numbers that depend on a member")
        kernel, lead = node.op.kernel, (None,) * self.tape.axes

        def draw(streams: Streams) -> Array:
            return np.asarray(kernel(*arguments, **parameters, generator=streams.generator(node)))

        streams = self.streams
        return self.tape.call(lambda: draw(streams)[lead], made=draw(self.trial)[lead])

    def _one_by_one(self, node: Node, arguments: list[Value], parameters: dict[str, Any]) -> list[Value]:
        """The kernel for each member by itself, for what numpy cannot do to all in one call."""
        axes, varies = self.tape.axes, [isinstance(one, Many) for one in arguments]

        def every(place: int, *arrays: Array) -> Array:
            batches = [array.shape[:axes] for array, many in zip(arrays, varies, strict=True) if many]
            batch = np.broadcast_shapes(*batches)
            wide = [
                np.broadcast_to(array, (*batch, *array.shape[axes:])) if many else array
                for array, many in zip(arrays, varies, strict=True)
            ]
            made = []
            for member in np.ndindex(*batch):
                own = [
                    np.asarray(array[member]) if many else array
                    for array, many in zip(wide, varies, strict=True)
                ]
                made.append(np.asarray(_several(node.op.kernel(*own, **parameters))[place]))
            if len({array.shape for array in made}) > 1:
                raise Unbatchable("a shape that differs from member to member")
            return np.stack(made).reshape(*batch, *made[0].shape)

        results: list[Value] = []
        for place in range(max(1, len(node.outputs), len(node.op.writes))):

            def output(*arrays: Array, place: int = place) -> Array:
                return every(place, *arrays)

            results.append(self.tape.call(output, *arguments))
        return results


def _side_by_side(axes: int, column: Sequence[Value]) -> Callable[..., Array]:
    """Join values along the first batch axis; what has no batch axes is everyone's."""
    varies = [isinstance(value, Many) for value in column]

    def join(*arrays: Array) -> Array:
        whole = [array if many else array[(None,) * axes] for array, many in zip(arrays, varies, strict=True)]
        shape = np.broadcast_shapes(*(array.shape for array in whole))
        return np.concatenate([np.broadcast_to(array, shape) for array in whole])

    return join


def _several(result: Any) -> Sequence[Value]:
    return result if isinstance(result, (list, tuple)) else (result,)


def _typed(value: Value, dtype: str) -> Value:
    if isinstance(value, Many):
        return value.astype(dtype)
    return np.asarray(value, dtype=array_dtype(dtype))
