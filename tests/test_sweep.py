"""`gradlens sweep`: a table of how many runs ended."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from gradlens.cli import main
from gradlens.sweep import Sweep, numbers, start_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0.1,0.2", [0.1, 0.2]),
        ("0:1:5", [0, 0.25, 0.5, 0.75, 1]),
        ("0.01:1:3log", [0.01, 0.1, 1]),
        ("3", [3]),
    ],
)
def test_numbers_on_the_command_line(text: str, found: list[float]) -> None:
    assert numbers(text) == pytest.approx(found)


@pytest.mark.parametrize("text", ["", "a", "1:2", "nan", "0:1:0", "1:2:3lin"])
def test_what_are_no_numbers_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        numbers(text)


def test_every_combination_is_one_run() -> None:
    runs = Sweep(["Adam", "Momentum"], [0.1, 0.2], dict([start_of("x=-1:1:3")]), 5).runs
    assert len(runs) == 12
    assert runs[0].optimizer == {"name": "Adam", "learning_rate": 0.1}
    assert [run.start for run in runs[:3]] == [{"x": -1}, {"x": 0}, {"x": 1}]


@pytest.fixture
def square(tmp_path: Path) -> Path:
    program = tmp_path / "square.math"
    program.write_text("y = x^2\n", encoding="utf-8")
    return program


def test_a_sweep_is_written_as_csv(square: Path, tmp_path: Path) -> None:
    table = tmp_path / "out.csv"
    asked = ["--optimizers", "GradientDescent", "--rates", "0.25,1.5", "--start", "x=3", "--steps", "200"]
    assert main(["sweep", str(square), *asked, "-o", str(table)]) == 0
    with table.open(encoding="utf-8") as file:
        first, second = csv.DictReader(file)
    assert (first["optimizer"], first["learning_rate"], first["start_x"]) == (
        "GradientDescent",
        "0.25",
        "3.0",
    )
    assert first["status"] == "converged"
    assert float(first["x"]) == pytest.approx(0, abs=1e-6)
    assert (second["status"], float(second["lowest_loss"]), second["lowest_at"]) == ("diverged", 9.0, "0")


def test_a_sweep_is_written_as_parquet(square: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = tmp_path / "out.parquet"
    asked = ["--optimizers", "Adam,keras.SGD", "--rates", "0.1", "--start", "x=3", "--steps", "2"]
    assert main(["sweep", str(square), *asked, "-o", str(table)]) == 0
    rows = parquet.read_table(table).to_pylist()
    assert [row["optimizer"] for row in rows] == ["Adam", "keras.SGD"]
    assert rows[1]["x"] == pytest.approx(1.92)  # 3 * 0.8^2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--optimizers", "Adm"], "There is no optimizer named 'Adm'"),
        (["-o", "out.txt"], ".csv or .parquet"),
        (["--rates", "fast"], "Not a list of numbers"),
    ],
)
def test_a_mistake_is_told_in_words(
    square: Path, change: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"--optimizers": "Adam", "--rates": "0.1", "--steps": "1", "-o": str(square.with_suffix(".csv"))}
    asked |= {change[0]: change[1]}
    assert main(["sweep", str(square), *[part for pair in asked.items() for part in pair]]) != 0
    assert message in capsys.readouterr().err
