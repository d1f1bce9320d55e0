"""The chunks of a streamed run put together again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.programs.runs.columns import RunTable

NO_COLUMNS = {"type", "sequence"}


def joined(chunks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Consecutive chunks of columns as one; a column that a chunk has not got is blank there."""
    whole = RunTable().as_json()
    for chunk in chunks:
        part = {name: column for name, column in chunk.items() if name not in NO_COLUMNS}
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
