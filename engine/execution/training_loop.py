"""Many steps of an optimizer in one go, with a column of values for each tensor that is asked for.

loop = lower_training(train_op, record=[loss, x])
columns = loop.run({x.node: 3.0}, steps=100)
columns[loss]         # before each update, step by step
columns.state         # what the variables hold after the last one
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.array_loop import ArrayLoop
from engine.execution.backends.python_numbers.number_loop import NumberLoop
from engine.execution.backends.python_numbers.number_loops import is_of_numbers
from engine.execution.budget import Meter
from engine.execution.columns import Columns
from engine.execution.interpreter.buffers import variable_behind
from engine.execution.interpreter.feeds import fed_value
from engine.execution.interpreter.plan import Plan, make_plan
from engine.execution.interpreter.session import Session
from engine.execution.interpreter.trace import Run
from engine.execution.program import NOTHING
from engine.execution.tracing.operands import held, plain
from engine.execution.tracing.tracer import NotLowered
from engine.execution.tracing.walk import lowered_loop
from engine.graph import Node, Tensor
from engine.ops.base.tensors import array_dtype

State = Mapping[Node, Any]
Variant = NumberLoop | ArrayLoop
Nodes = tuple[Node, ...]
Shapes = tuple[tuple[int, ...], ...]


class TrainingLoop:
    """The steps of one train op. A loop that draws random numbers goes on drawing from run to run.

    trace: of the last step that the interpreter took.
    """

    def __init__(
        self,
        train_op: Node,
        record: Sequence[Tensor],
        feeds: Mapping[Tensor, Any] = NOTHING,
        seed: int = 0,
        meter: Meter | None = None,
    ) -> None:
        self.train_op = train_op
        self._places = {tensor: place for place, tensor in enumerate(record)}
        self.record = tuple(record)
        self._feeds = {tensor: fed_value(tensor, value) for tensor, value in feeds.items()}
        self._meter = meter
        self.trace: Run | None = None
        self._traces: list[Run] = []
        self._session = Session(train_op.graph, observe=self._traces.append, seed=seed, meter=meter)
        self._variants: dict[tuple[Nodes, Shapes], Variant | None] = {}

    def run(self, state: State, steps: int, first: int = 0, *, careful: bool = False) -> Columns:
        """Take steps `first` … `first + steps - 1` from a state.

        state:   the value of every variable that the train op uses. Not changed.
        careful: end early where a number is not finite, or a step fails: before that step, or, where it is
                 the first, with it.
        Returns: columns whose rows are the values before each update, and the state after the last.
        """
        variant, nodes, values = self._ready(state)
        if variant is None:
            return self.interpret(state, steps, first)
        done, columns, after = variant.run(values, steps, careful)
        found = Columns(first, done, self._places, columns, nodes, after)
        return found if done == steps else self._beyond_a_domain_error(variant, found, steps, careful)

    @property
    def draws(self) -> dict[Node, int]:
        """How often each random node has drawn so far."""
        return dict(self._session.streams.drawn)

    @draws.setter
    def draws(self, counts: Mapping[Node, int]) -> None:
        self._session.streams.drawn = Counter(counts)

    @cached_property
    def plan(self) -> Plan:
        """What a step runs, the reads of fed variables included."""
        fed = frozenset(tensor for tensor in self._feeds if variable_behind(tensor) is None)
        return make_plan([*(t.node for t in self.record if t not in fed), self.train_op], fed)

    def is_lowered(self, state: State) -> bool:
        """Whether steps from such a state are one generated function."""
        return self._ready(state)[0] is not None

    def compile(self, state: State) -> bool:
        """Wait until steps from such a state are machine code; whether they are, as numba must be there.

        Without waiting, those on numbers become so while a loop runs for long, to the same bits; those with
        arrays, of which machine code has other last digits, in the next loop that is alike.
        """
        variant = self._ready(state)[0]
        return variant is not None and variant.compile()

    @property
    def source(self) -> str:
        """The generated text with the nodes' names, of the last shapes that came; "" where there is none."""
        found = [variant.source for variant in self._variants.values() if variant is not None]
        return found[-1] if found else ""

    # -- the interpreter ------------------------------------------------------------------------------

    def interpret(self, state: State, steps: int, first: int = 0) -> Columns:
        """The same by the interpreter: step by step, node by node."""
        self._session.variables = {
            node: np.array(value, dtype=array_dtype(node.outputs[0].dtype)) for node, value in state.items()
        }
        columns: list[list[Any]] = [[] for _ in self.record]
        computed = list(dict.fromkeys(t.node for t in self.record if _variable_of(t) is None))
        for _ in range(steps):
            before = dict(self._session.variables)
            self._session.run([*computed, self.train_op], self._feeds)
            self.trace = self._traces.pop()
            for tensor, column in zip(self.record, columns, strict=True):
                variable = _variable_of(tensor)
                column.append(self.trace.values.get(tensor) if variable is None else before[variable])
        after = self._session.variables
        found = [_column(rows) for rows in columns]
        return Columns(first, steps, self._places, found, tuple(after), [*map(plain, after.values())])

    # -- generated functions --------------------------------------------------------------------------

    def _ready(self, state: State) -> tuple[Variant | None, Nodes, list[Any]]:
        """The function for variables of these shapes (None: the interpreter runs them), and its arguments.

        Returns: the function, the variables, and their values as generated functions take them.
        """
        values: list[Any] = []
        shapes: list[tuple[int, ...]] = []
        for node, given in state.items():
            value = held(given, node.outputs[0].dtype)
            values.append(value)
            shapes.append(() if type(value) is float else value.shape)
        nodes = tuple(state)
        key = nodes, tuple(shapes)
        try:
            return self._variants[key], nodes, values
        except KeyError:
            variant = self._variants[key] = self._made(dict(zip(nodes, shapes, strict=True)))
            return variant, nodes, values

    def _made(self, shapes: Mapping[Node, tuple[int, ...]]) -> Variant | None:
        try:
            lowered = lowered_loop(self.plan, self.record, shapes, self._feeds, meter=self._meter)
        except NotLowered:
            return None
        if is_of_numbers(lowered):
            return NumberLoop(lowered)
        return ArrayLoop(lowered, self.record)

    def _beyond_a_domain_error(self, variant: Variant, begun: Columns, steps: int, careful: bool) -> Columns:
        """A run that was begun and met a domain error: that step is left to the interpreter."""
        parts, left = [begun], steps - begun.steps
        while left and not (careful and parts[-1].steps):
            parts.append(self.interpret(parts[-1].state, 1))
            left -= 1
            if left and not careful:
                _, _, values = self._ready(parts[-1].state)
                done, columns, after = variant.run(values, left, careful)
                parts.append(Columns(0, done, self._places, columns, parts[-1].variables, after))
                left -= done
        return _joined(parts)


def lower_training(
    train_op: Node,
    record: Sequence[Tensor],
    feeds: Mapping[Tensor, Any] = NOTHING,
    *,
    seed: int = 0,
    meter: Meter | None = None,
) -> TrainingLoop:
    """The loop of a train op.

    record:  tensors to keep at every step; a variable (its ref or read) as it is before the update.
    feeds:   tensors whose values stay the same in every step.
    seed:    of the random nodes' streams.
    """
    return TrainingLoop(train_op, record, feeds, seed, meter)


def _variable_of(tensor: Tensor) -> Node | None:
    """The variable whose ref or read a tensor is; None of what a branch has handed on, or not."""
    node = tensor.node.inputs[0].node if tensor.node.op.name == "Identity" else tensor.node
    return node if node.op.name == "VariableV2" else None


def _column(rows: Sequence[Any]) -> Any:
    """What the interpreter collected, in the form of a column."""
    kinds = {None if row is None else (row.dtype, row.shape) for row in rows}
    if len(kinds) != 1 or None in kinds:
        return list(rows)
    return np.stack(rows)


def _joined(parts: Sequence[Columns]) -> Columns:
    """The parts of a run, one after the other."""
    begun, end = parts[0], parts[-1]
    steps = sum(part.steps for part in parts)
    columns = [_end_to_end(pieces) for pieces in zip(*(p.columns for p in parts if p.steps), strict=True)]
    return Columns(begun.first, steps, begun.places, columns, end.variables, end.after)


def _end_to_end(columns: Sequence[Any]) -> Any:
    if columns and all(isinstance(column, np.ndarray) for column in columns):
        return np.concatenate(columns)
    return [value for column in columns for value in column]
