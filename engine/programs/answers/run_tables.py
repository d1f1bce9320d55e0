"""A run as a table (`GET /runs/{id}?format=csv`): a row for the start and one for each update."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

from engine.errors import LimitError
from engine.execution.budget import Limits
from engine.interchange.tables import Columns, to_csv, to_parquet
from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.service import optimise

TABLE_TYPES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
WRITERS: Mapping[str, Callable[[Columns], bytes]] = {"csv": to_csv, "parquet": to_parquet}
MOST_COLUMNS = 16_000  # a spreadsheet has 16,384
NUMBERS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def written_run(request: ProgramRequest, run: RunRequest, form: str, limits: Limits) -> bytes:
    """The step, the loss, and each number of each variable, of its gradient and of its slots, a column each.

    form: one of TABLE_TYPES. Raises: LimitError where these are too many columns for a table.
    """
    body = optimise(request, run, limits)
    columns: dict[str, list[Any]] = {"step": body["steps"]}
    for title, rows in _tables(body):
        for name, cells in numbers_of(title, rows):
            columns[untaken(name, columns)] = cells
            if len(columns) > MOST_COLUMNS:
                raise _too_broad()
    return WRITERS[form](columns)


def _tables(body: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    yield "loss", body["loss"]
    yield from body["variables"].items()
    yield from ((f"gradient by {name}", rows) for name, rows in body["gradients"].items())
    for name, slots in body["slots"].items():
        yield from ((f"{slot} of {name}", rows) for slot, rows in slots.items())
    yield from body["shared"].items()


def numbers_of(title: str, rows: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """A column for each number in the rows, w[0][1] of arrays; rows that were left out are blank."""
    first = next((row for row in rows if row is not None), None)
    if not isinstance(first, list):
        yield title, [NUMBERS.get(row, row) if isinstance(row, str) else row for row in rows]
        return
    for place in range(len(first)):
        yield from numbers_of(f"{title}[{place}]", [row and row[place] for row in rows])


def untaken(name: str, taken: Container[str]) -> str:
    """A title that no other column has: a learner may call a variable "step"."""
    return name if name not in taken else untaken(f"{name}'", taken)


def _too_broad() -> LimitError:
    return LimitError(
        f"The run has more than {MOST_COLUMNS:,} numbers in a row, too many columns for a table.",
        hint="Take the run as JSON, whose columns hold arrays.",
        message_zh=f"这次运行每行有超过 {MOST_COLUMNS:,} 个数，表格放不下这么多列。",
        hint_zh="请以 JSON 获取，其中的列可以存放数组。",
        code="table_limit",
    )
