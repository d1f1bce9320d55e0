"""`gradlens sweep`: a table of how many runs ended."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gradlens.cli import main
from gradlens.sweep import Sweep, numbers, starts_of

pytestmark = pytest.mark.slow  # starts whole programs


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no number"),
        ("1,a", "'a' is no number"),
        ("nan", "'nan' is no number"),
        ("1:2", "'1:2' does not say how many there are, 1 to 1,000,000"),
        ("0:1:0", "'0:1:0' does not say how many there are, 1 to 1,000,000"),
        ("1:2:3lin", "'1:2:3lin' does not say how many there are, 1 to 1,000,000"),
        ("1:2:3:4", "'1:2:3:4' does not say how many there are, 1 to 1,000,000"),
        ("0:1:5log", "in '0:1:5log' equal ratios neither begin nor end at 0, nor pass it"),
        ("-1:1:5log", "in '-1:1:5log' equal ratios neither begin nor end at 0, nor pass it"),
    ],
)
def test_what_are_no_numbers_is_reported_in_words(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        numbers(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["x"], "'x' does not say which variable starts where, as x=0.1,0.2 does"),
        (["=1"], "'=1' does not say which variable starts where, as x=0.1,0.2 does"),
        (["x=1", "x=2"], "'x' starts twice; write all its values after one --start"),
    ],
)
def test_starts_that_make_no_sense_are_reported_in_words(texts: list[str], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        starts_of(texts)
    assert str(caught.value) == message


def test_every_combination_is_one_run() -> None:
    runs = Sweep(["Adam", "Momentum"], [0.1, 0.2], starts_of(["x=-1:1:3"]), 5).runs
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


def test_variables_called_like_columns_have_columns_of_their_own(tmp_path: Path) -> None:
    program, table = tmp_path / "named.math", tmp_path / "out.csv"
    program.write_text("y = loss^2 + status^2\n", encoding="utf-8")
    asked = ["--optimizers", "GradientDescent", "--rates", "0.25", "--start", "loss=4", "--start", "status=2"]
    assert main(["sweep", str(program), *asked, "--steps", "1", "-o", str(table)]) == 0
    with table.open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["status"], float(row["loss"])) == ("ok", 5.0)  # 2² + 1²
    assert (float(row["end_loss"]), float(row["end_status"])) == (2.0, 1.0)  # 4 - 0.25 * 2 * 4


@pytest.mark.parametrize("loop", [False, True], ids=["together", "one by one"])
def test_the_loss_of_a_target_of_several_numbers_is_their_sum(loop: bool, tmp_path: Path) -> None:
    program, table = tmp_path / "several.py", tmp_path / "out.csv"
    mask = "tf.boolean_mask(w, w > 0.5)" if loop else "w"  # which is computed run by run
    program.write_text(
        f"import tensorflow.compat.v1 as tf\nw = tf.Variable([3.0, 1.0])\ny = tf.square({mask})\n",
        encoding="utf-8",
    )
    asked = ["--optimizers", "GradientDescent", "--rates", "0.125", "--steps", "1", "-o", str(table)]
    assert main(["sweep", str(program), *asked]) == 0
    with table.open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert float(row["loss"]) == 5.625  # (3 * 0.75)² + 0.75²


def test_parquet_without_pyarrow_says_what_to_install(
    square: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradlens.sweep.find_spec", lambda name: None)
    asked = ["--optimizers", "Adam", "--rates", "0.1", "--steps", "1", "-o", str(tmp_path / "out.parquet")]
    assert main(["sweep", str(square), *asked]) == 1
    assert capsys.readouterr().err == (
        f"Cannot write {tmp_path}/out.parquet: Parquet needs pyarrow: pip install 'gradlens[parquet]'.\n"
    )


def test_a_sweep_is_written_as_parquet(square: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = tmp_path / "out.parquet"
    asked = ["--optimizers", "Adam,keras.SGD", "--rates", "0.1", "--start", "x=3", "--steps", "2"]
    assert main(["sweep", str(square), *asked, "-o", str(table)]) == 0
    written = parquet.read_table(table)
    assert str(written.schema.field("stopped_at").type) == "int64"  # although blank in every row
    rows = written.to_pylist()
    assert [row["optimizer"] for row in rows] == ["Adam", "keras.SGD"]
    assert rows[1]["x"] == pytest.approx(1.92)  # 3 * 0.8^2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--optimizers", "Adm"], "There is no optimizer named 'Adm'"),
        (["-o", "out.txt"], ".csv or .parquet"),
        (["-o", "nowhere/out.csv"], "Cannot write nowhere/out.csv: there is no folder nowhere."),
        (["-o", "."], "Cannot write .: it is a folder"),
        (["--rates", "fast"], "Not a list of numbers"),
        (["--rates", "0:1:1000000"], "These are 2,000,000 runs; a sweep has at most 1,000,000."),
    ],
)
def test_a_mistake_is_reported_in_words(
    square: Path, change: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {
        "--optimizers": "Adam,Momentum",
        "--rates": "0.1",
        "--steps": "1",
        "-o": str(square.with_suffix(".csv")),
    }
    asked |= {change[0]: change[1]}
    assert main(["sweep", str(square), *[part for pair in asked.items() for part in pair]]) != 0
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("steps", ["-1", "100001", "many"])
def test_a_number_of_steps_that_no_run_takes_is_refused(
    square: Path, steps: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(
            ["sweep", str(square), "--optimizers", "Adam", "--rates", "1", f"--steps={steps}", "-o", "a.csv"]
        )
    assert f"'{steps}' is no number of steps" in capsys.readouterr().err


def test_a_program_that_is_not_there_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--optimizers", "Adam", "--rates", "1", "--steps", "1", "-o", str(tmp_path / "out.csv")]
    assert main(["sweep", str(tmp_path / "nothing.math"), *asked]) == 1
    assert capsys.readouterr().err == f"Cannot read {tmp_path / 'nothing.math'}: No such file or directory.\n"


def test_a_number_that_is_not_finite_is_written_as_by_a_run(tmp_path: Path) -> None:
    program, table = tmp_path / "log.math", tmp_path / "out.CSV"
    program.write_text("log(x)", encoding="utf-8")
    asked = ["--optimizers", "GradientDescent", "--rates", "10", "--start", "x=1", "--steps", "3"]
    assert main(["sweep", str(program), *asked, "-o", str(table)]) == 0
    with table.open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["status"], row["stopped_at"], row["x"]) == ("non_finite", "1", "-9.0")


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_ends_at_once_and_says_so(
    ending: signal.Signals, square: Path, tmp_path: Path
) -> None:
    rates = ["--rates", "0.001:0.1:300", "--start", "x=0:1:300"]
    asked = ["--optimizers", "Adam", *rates, "--steps", "100000", "-o", str(tmp_path / "out.csv")]
    command = [sys.executable, "-m", "gradlens", "sweep", str(square), *asked]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=listen
    ) as process:
        while not has_children(process.pid):
            assert process.poll() is None
            time.sleep(0.01)
        if ending == signal.SIGINT:
            os.killpg(process.pid, ending)  # as a terminal does: to all of its processes
        else:
            process.send_signal(ending)
        _, printed = process.communicate(timeout=60)
    assert (process.returncode, printed) == (130, "\nStopped.\n")
    assert not (tmp_path / "out.csv").exists()


def listen() -> None:
    """Hear an interruption, which what a shell has put in the background does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def has_children(process: int) -> bool:
    """Whether a process has started others."""
    return bool(Path(f"/proc/{process}/task/{process}/children").read_text())
