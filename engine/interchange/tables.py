"""Tables for other programs: CSV for spreadsheets and pandas, Parquet with the type of each column.

A spreadsheet takes a cell that begins with =, +, - or @ for a formula, which may do harm; a text that begins
so is given an apostrophe before it, as OWASP advises. Numbers are written as numbers, every digit of them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from engine.interchange.refusals import not_installed

Cell = str | float | None
Columns = Mapping[str, Sequence[Cell]]  # of one length, by their titles

FORMULA = re.compile(r"[\s\u00a0]*[=+\-@＝＋－＠−\t\r]")
BYTE_ORDER_MARK = "\ufeff"  # without it some spreadsheets take Chinese for another encoding


def to_csv(columns: Columns) -> bytes:
    """The table as CSV (RFC 4180) in UTF-8, its titles in the first line; None is an empty cell."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow([_safe(title) for title in columns])
    rows.writerows([_safe(cell) for cell in row] for row in zip(*columns.values(), strict=True))
    return (BYTE_ORDER_MARK + written.getvalue()).encode()


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell


def to_parquet(columns: Columns) -> bytes:
    """The table as Parquet. Raises: ValueRefused where pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        raise not_installed("Parquet", "pyarrow", "parquet")
    import pyarrow
    import pyarrow.parquet

    arrays = {title: pyarrow.array(cells, _kind(cells, pyarrow)) for title, cells in columns.items()}
    written = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(arrays), written)
    return written.getvalue()


def _kind(cells: Sequence[Cell], pyarrow: Any) -> Any:
    """Counts, texts, else numbers; a column of blanks has the type of numbers."""
    known = [cell for cell in cells if cell is not None]
    if any(isinstance(cell, str) for cell in known):
        return pyarrow.string()
    return pyarrow.int64() if known and all(isinstance(cell, int) for cell in known) else pyarrow.float64()
