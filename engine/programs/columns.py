"""The columns of a run: row 0 is the start, row k the state after k updates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution import Run
from engine.graph import Node
from engine.interchange.values import column_json
from engine.ops.tensors import Array
from engine.programs.training import Training, rows_of

MAX_RECORDED = 1_000_000  # numbers in `nodes`; above, only loss, variables and gradients are kept
MAX_NUMBERS = 2_000_000  # in variables, gradients and slots; above, rows in between are left out

Table = dict[str, list[Array | None]]


def stride(numbers: int, rows: int) -> int:
    """Of a row of so many numbers, which ones to keep: every, every second, …; null stands for the others."""
    return max(1, -(-numbers * rows // MAX_NUMBERS))


@dataclass(slots=True)
class Columns:
    """Consecutive rows of a run, a list for each column.

    first: the number of the first row.
    """

    first: int = 0
    loss: list[Array | None] = field(default_factory=list)
    variables: Table = field(default_factory=dict)
    gradients: Table = field(default_factory=dict)
    processed: Table = field(default_factory=dict)
    slots: dict[str, Table] = field(default_factory=dict)
    shared: Table = field(default_factory=dict)
    nodes: Table = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The number of the row to come."""
        return self.first + len(self.loss)

    def add_loss(self, training: Training, trace: Run) -> None:
        """Begin a row: the loss at one step."""
        self.loss.append(trace.values[training.loss])

    def add_state(self, training: Training, before: Mapping[Node, Array], trace: Run) -> None:
        """Variables, gradients and the optimizer's state at that step."""
        for (raw, variable), (ready, _) in zip(training.raw, training.processed, strict=True):
            name = training.names[variable]
            self._put(self.variables, name, before[variable.node])
            self._put(self.gradients, name, _value(raw, trace))
            self._put(self.processed, name, _value(ready, trace))
            for slot, state in training.optimizer.slots.get(variable, {}).items():
                self._put(self.slots.setdefault(name, {}), slot, before[state.node])
        for name, variable in training.shared.items():
            self._put(self.shared, name, before[variable.node])

    def add_nodes(self, before: Mapping[Node, Array], trace: Run, rows: int) -> None:
        """Every scalar of that step: what is computed, but for the writes, and what variables hold."""
        computed = {
            tensor.name: value
            for tensor, value in trace.values.items()
            if tensor.node.op.name != "Const" and tensor.node.phase != "update"
        }
        kept = {node.outputs[0].name: value for node, value in before.items()}
        scalars = {name: value for name, value in (computed | kept).items() if np.ndim(value) == 0}
        if len(scalars) * rows <= MAX_RECORDED:
            for name, value in scalars.items():
                self._put(self.nodes, name, value)

    def as_json(self) -> dict[str, Any]:
        """The columns by name, with the number of each row."""
        return {
            "steps": list(range(self.first, self.end)),
            "loss": self._json(self.loss),
            "variables": self._table_json(self.variables),
            "gradients": self._table_json(self.gradients),
            "processed": self._table_json(self.processed),
            "slots": {name: self._table_json(table) for name, table in self.slots.items()},
            "shared": self._table_json(self.shared),
            "nodes": self._table_json(self.nodes),
        }

    def _put(self, table: Table, name: str, value: Array | None) -> None:
        """One value into the row that was begun; rows that had none are blank."""
        column = table.setdefault(name, [])
        column += [None] * (len(self.loss) - 1 - len(column))
        column.append(value)

    def _table_json(self, table: Table) -> dict[str, list[Any]]:
        return {name: self._json(column) for name, column in table.items()}

    def _json(self, column: list[Array | None]) -> list[Any]:
        return column_json([*column, *[None] * (len(self.loss) - len(column))])


def joined(chunks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Consecutive chunks of columns as one; a column that a chunk has not got is blank there."""
    whole = Columns().as_json()
    for chunk in chunks:
        part = {name: column for name, column in chunk.items() if name != "type"}
        whole = _followed(whole, part, len(whole["steps"]), len(part["steps"]))
    return whole


def _followed(whole: Mapping[str, Any], part: Mapping[str, Any], rows: int, more: int) -> dict[str, Any]:
    names = {**whole, **part}
    return {
        name: _followed(whole.get(name, {}), part.get(name, {}), rows, more)
        if isinstance(names[name], dict)
        else [*whole.get(name, [None] * rows), *part.get(name, [None] * more)]
        for name in names
    }


def _value(gradient: Any, trace: Run) -> Array | None:
    return None if gradient is None else trace.values[rows_of(gradient)]
