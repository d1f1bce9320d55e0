"""The table that `pandas.get_dummies` gives: an array that is written with the names of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import SHOWN

MOST_ROWS = 60  # that pandas writes all of
ENDS = 5  # rows at either end of a longer table
WIDTH = 80  # characters; a wider table is written as an array here


class Indicators(np.ndarray[Any, Any]):
    """Truth values (n, columns). What is computed of it or cut out of it is an array without names."""

    columns: tuple[str, ...] = ()


def table_of(values: Any, columns: Any) -> Indicators:
    """The table of an array (n, columns) and the names of its columns."""
    table: Indicators = np.asarray(values).view(Indicators)
    table.columns = tuple(map(str, columns))
    return table


def _written(table: Indicators) -> str | None:
    """As pandas writes it: the names, then each row behind its number; of a long one both ends.

    None for one without names, and for one that is too wide.
    """
    if not table.columns:
        return None
    rows = [[str(number), *map(str, row.tolist())] for number, row in enumerate(np.asarray(table))]
    is_long = len(rows) > MOST_ROWS
    if is_long:
        between = ["..", *["..."] * len(table.columns)]
        rows = [*rows[:ENDS], between, *rows[-ENDS:]]
    lines = [["", *table.columns], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if sum(widths) + 2 * len(table.columns) > WIDTH:
        return None
    size = f"\n\n[{len(table)} rows x {len(table.columns)} columns]" if is_long else ""
    return "\n".join(_line(line, widths) for line in lines) + size


def _line(cells: list[str], widths: list[int]) -> str:
    """The row's number at the left, the others at the right of their columns."""
    first, *others = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join([first.strip().ljust(widths[0]), *others])


SHOWN[Indicators] = (
    lambda table: _written(table) or str(np.asarray(table)),
    lambda table: _written(table) or repr(np.asarray(table)),
)
