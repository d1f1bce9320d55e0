"""The columns of a run, put together from the chunks in which they come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Tree = dict[str, Any]  # of columns: lists, in groups within groups


class Columns:
    """Columns that grow by rows; one that is not in a chunk is blank in its rows."""

    def __init__(self) -> None:
        self.rows = 0
        self._columns: Tree = {}

    def add(self, chunk: Mapping[str, Any]) -> None:
        """Take further rows in; `steps` says how many they are."""
        _extend(self._columns, chunk, self.rows)
        self.rows += len(chunk["steps"])

    def whole(self) -> Tree:
        """All of them, equally long."""
        _fill(self._columns, self.rows)
        return self._columns


def _extend(columns: Tree, chunk: Mapping[str, Any], rows: int) -> None:
    for name, values in chunk.items():
        if isinstance(values, Mapping):
            _extend(columns.setdefault(name, {}), values, rows)
        else:
            column = columns.setdefault(name, [])
            column += [None] * (rows - len(column)) + values


def _fill(columns: Tree, rows: int) -> None:
    for column in columns.values():
        if isinstance(column, dict):
            _fill(column, rows)
        else:
            column += [None] * (rows - len(column))
