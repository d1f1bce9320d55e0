"""Many steps of an optimizer in one go, with a column of values for each tensor that is asked for.

loop = lower_training(train_op, record=[loss, x])
columns = loop.run({x.node: 3.0}, steps=100)
columns[loss]         # before each update, step by step
columns.state         # what the variables hold after the last one
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.plan import variable_behind
from engine.execution.program import NOTHING, plain
from engine.execution.session import Session
from engine.execution.trace import Run
from engine.graph import Node, Tensor


@dataclass(frozen=True, slots=True)
class Columns:
    """A column for each recorded tensor, one entry a step, and what the variables hold afterwards."""

    first: int
    steps: int
    values: Mapping[Tensor, Any]
    state: Mapping[Node, Any]

    def __getitem__(self, tensor: Tensor) -> Any:
        return self.values[tensor]


class TrainingLoop:
    """The steps of one train op. A loop that draws random numbers goes on drawing from run to run."""

    def __init__(
        self, train_op: Node, record: Sequence[Tensor], feeds: Mapping[Tensor, Any] = NOTHING, seed: int = 0
    ) -> None:
        self.train_op = train_op
        self.record = tuple(record)
        self._feeds = dict(feeds)
        self._traces: list[Run] = []
        self._session = Session(train_op.graph, observe=self._traces.append, seed=seed)

    def run(self, state: Mapping[Node, Any], steps: int, first: int = 0) -> Columns:
        """Take steps `first` … `first + steps - 1` from a state.

        state:   the value of every variable that the train op uses. Not changed.
        Returns: columns whose rows are the values before each update, and the state after the last.
        """
        return self.interpret(state, steps, first)

    def interpret(self, state: Mapping[Node, Any], steps: int, first: int = 0) -> Columns:
        """The same by tier 0: step by step, node by node."""
        variables = {node: np.array(value, dtype=node.outputs[0].dtype) for node, value in state.items()}
        self._session.variables = variables
        columns: dict[Tensor, list[Any]] = {tensor: [] for tensor in self.record}
        computed = [tensor for tensor in self.record if variable_behind(tensor) is None]
        for _ in range(steps):
            before = dict(self._session.variables)
            self._session.run([*computed, self.train_op], self._feeds)
            values = self._traces.pop().values
            for tensor, column in columns.items():
                variable = variable_behind(tensor)
                column.append(plain(values[tensor] if variable is None else before[variable]))
        after = {node: plain(value) for node, value in self._session.variables.items()}
        return Columns(first, steps, columns, after)


def lower_training(
    train_op: Node, record: Sequence[Tensor], feeds: Mapping[Tensor, Any] = NOTHING, seed: int = 0
) -> TrainingLoop:
    """The loop of a train op.

    record: tensors to keep at every step; a variable (its ref or read) as it is before the update.
    feeds:  tensors whose values stay the same in every step.
    seed:   of the random nodes' streams.
    """
    return TrainingLoop(train_op, record, feeds, seed)
