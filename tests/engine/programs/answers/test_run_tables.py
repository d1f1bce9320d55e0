"""A run as a table."""

from __future__ import annotations

import csv
import io

import pyarrow.parquet
import pytest

from engine.errors import LimitError
from engine.programs import ProgramRequest, RunRequest
from engine.programs.answers import run_tables
from engine.programs.answers.run_tables import numbers_of, written_run
from tests.limits import ROOMY

LIMITS = ROOMY
SQUARE = ProgramRequest("y = x^2", at={"x": 3.0})
MOMENTUM = RunRequest(2, {"name": "Momentum", "learning_rate": 0.25, "momentum": 0.5})


def rows(request: ProgramRequest, run: RunRequest) -> list[list[str]]:
    """The cells of a run's table."""
    text = written_run(request, run, "csv", LIMITS).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def test_a_row_has_the_state_after_so_many_updates() -> None:
    assert rows(SQUARE, MOMENTUM) == [
        ["step", "loss", "x", "gradient by x", "momentum of x"],
        ["0", "9.0", "3.0", "6.0", "0.0"],
        ["1", "2.25", "1.5", "3.0", "6.0"],  # 3 - 0.25 · 6
        ["2", "0.0", "0.0", "0.0", "6.0"],  # 1.5 - 0.25 · (0.5 · 6 + 3)
    ]


def test_an_array_has_a_column_for_each_number() -> None:
    assert dict(numbers_of("w", [[[1, 2], [3, 4]], None, [[5, 6], [7, 8]]])) == {
        "w[0][0]": [1, None, 5],
        "w[0][1]": [2, None, 6],
        "w[1][0]": [3, None, 7],
        "w[1][1]": [4, None, 8],
    }


def test_what_is_no_number_in_json_is_one_in_a_table() -> None:
    ((_, cells),) = numbers_of("x", ["inf", "-inf", "nan", None])
    assert cells[:2] == [float("inf"), float("-inf")]
    assert cells[2] != cells[2]
    assert cells[3] is None


def test_a_variable_that_is_called_step_has_a_column_of_its_own() -> None:
    titles, first, *_ = rows(ProgramRequest("y = step^2", at={"step": 3.0}), MOMENTUM)
    assert titles[:3] == ["step", "loss", "step'"]
    assert first[:3] == ["0", "9.0", "3.0"]


def test_parquet_has_the_same_numbers() -> None:
    data = written_run(SQUARE, MOMENTUM, "parquet", LIMITS)
    table = pyarrow.parquet.read_table(io.BytesIO(data))
    assert table.column_names == ["step", "loss", "x", "gradient by x", "momentum of x"]
    assert table["x"].to_pylist() == [3.0, 1.5, 0.0]


def test_a_run_of_too_many_numbers_is_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tables, "MOST_COLUMNS", 4)
    with pytest.raises(LimitError) as refused:
        written_run(SQUARE, MOMENTUM, "csv", LIMITS)
    assert refused.value.hint == "Take the run as JSON, whose columns hold arrays."
