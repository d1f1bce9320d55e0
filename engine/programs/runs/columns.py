"""The columns of a run: row 0 is the start, row k the state after k updates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from engine.graph import Tensor
from engine.graph.lazy_nodes import collector_at_rest
from engine.interchange.values import column_json
from engine.programs.training.stepping import Block, Walk
from engine.programs.training.training import Training, rows_of

MAX_RECORDED = 1_000_000  # numbers in `nodes`; above, only loss, variables and gradients are kept
MAX_NUMBERS = 2_000_000  # in the loss, and in variables, gradients and slots; above, rows are left out

Table = dict[str, list[Any]]
Lists = dict[Tensor | None, list[Any]]
Written = dict[int, list[Any]]  # columns as JSON, by the identity of their lists


def stride(numbers: int, rows: int) -> int:
    """The step between rows that are kept, of this many numbers each: 1 for every row, 2 for every second."""
    return max(1, -(-numbers * rows // MAX_NUMBERS))


class Every(NamedTuple):
    """Which rows are kept, of the loss and of the state: every so many."""

    loss: int
    state: int


def every_of(walk: Walk, rows: int) -> Every:
    """Which rows of a run are kept. A loss that is one number is kept in each."""
    loss = 1 if walk.loss_numbers == 1 else stride(walk.loss_numbers, rows)
    return Every(loss, stride(walk.numbers, rows))


@dataclass(slots=True)
class RunTable:
    """Consecutive rows of a run, a list for each column; a tensor that stands under several names has one.

    first: the number of the first row.
    """

    first: int = 0
    loss: list[Any] = field(default_factory=list)
    variables: Table = field(default_factory=dict)
    gradients: Table = field(default_factory=dict)
    processed: Table = field(default_factory=dict)
    slots: dict[str, Table] = field(default_factory=dict)
    shared: Table = field(default_factory=dict)
    nodes: Table = field(default_factory=dict)
    _every_row: Lists = field(default_factory=dict)
    _some_rows: Lists = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The number of the next row."""
        return self.first + len(self.loss)

    def add_rows(self, training: Training, block: Block, rows: int, every: Every, *, keep_last: bool) -> None:
        """Add the first rows of a block; loss and state may be kept in every n-th row and the last."""
        begun = len(self.loss)
        losses = _first(rows, block.columns[training.loss])
        if every.loss > 1:
            kept = set(_rows_to_keep(block, rows, every.loss, keep_last))
            losses = [losses[n] if n in kept else None for n in range(rows)]
        self.loss.extend(losses)
        if every.state == 1:
            put = Putting(block, begun, range(rows), self._every_row)
        else:
            put = Putting(block, begun, _rows_to_keep(block, rows, every.state, keep_last), self._some_rows)
        for (raw, variable), (ready, _) in zip(training.raw, training.processed, strict=True):
            name = training.names[variable]
            put(self.variables, name, variable.ref)
            put(self.gradients, name, None if raw is None else rows_of(raw))
            put(self.processed, name, None if ready is None else rows_of(ready))
            for slot, state in training.optimizer.shown_slots(variable).items():
                put(self.slots.setdefault(name, {}), slot, state.ref)
        for name, variable in training.shared.items():
            put(self.shared, name, variable.ref)

    def add_nodes(self, walk: Walk, block: Block, rows: int, whole: int) -> None:
        """Add every scalar of those rows: what is computed, except by updates, and what variables hold."""
        state = [node.outputs[0] for node, value in block.state.items() if np.ndim(value) == 0]
        scalars = [*walk.scalars, *state]
        if len(scalars) * whole > MAX_RECORDED:
            return
        put = Putting(block, len(self.loss) - rows, range(rows), self._every_row)
        for tensor in scalars:
            put(self.nodes, tensor.name, tensor)

    def as_json(self) -> dict[str, Any]:
        """The columns by name, with the number of each row."""
        written: Written = {}
        with collector_at_rest():
            return {
                "steps": list(range(self.first, self.end)),
                "loss": self._json(self.loss, written),
                "variables": self._table_json(self.variables, written),
                "gradients": self._table_json(self.gradients, written),
                "processed": self._table_json(self.processed, written),
                "slots": {name: self._table_json(table, written) for name, table in self.slots.items()},
                "shared": self._table_json(self.shared, written),
                "nodes": self._table_json(self.nodes, written),
            }

    def _table_json(self, table: Table, written: Written) -> dict[str, list[Any]]:
        return {name: self._json(column, written) for name, column in table.items()}

    def _json(self, column: list[Any], written: Written) -> list[Any]:
        if id(column) not in written:
            blank = [None] * (len(self.loss) - len(column))
            written[id(column)] = column_json([*column, *blank] if blank else column)
        return written[id(column)]


@dataclass(frozen=True, slots=True)
class Putting:
    """Puts rows of a block into columns; rows that had none are blank.

    begun: how many rows the columns had before the block.
    kept:  which rows of the block are put; a range: the first ones, all of them.
    lists: the columns so far, by tensor; None: there is nothing at any step.
    """

    block: Block
    begun: int
    kept: Sequence[int]
    lists: Lists

    def __call__(self, table: Table, name: str, tensor: Tensor | None) -> None:
        """Put one tensor's rows under this name."""
        column = table[name] = self.lists.setdefault(tensor, [])
        if len(column) > self.begun:
            return  # put already, under another name
        column += [None] * (self.begun - len(column))
        values = [None] * self.block.rows if tensor is None else self.block.columns[tensor]
        if isinstance(self.kept, range):
            column.extend(_first(len(self.kept), values))
            return
        for n in self.kept:
            column += [None] * (self.begun + n - len(column))
            column.append(values[n])


def _rows_to_keep(block: Block, rows: int, every: int, keep_last: bool) -> list[int]:
    """Which of a block's first rows are kept."""
    ends = {rows - 1} if keep_last else set()
    return [n for n in range(rows) if (block.first + n) % every == 0 or n in ends]


def _first(rows: int, column: Any) -> Any:
    """The first rows of a column; float64 numbers as Python's, which JSON takes as they are."""
    first = column[:rows]
    plain = isinstance(first, np.ndarray) and first.dtype == np.float64 and first.ndim == 1
    return first.tolist() if plain else first
