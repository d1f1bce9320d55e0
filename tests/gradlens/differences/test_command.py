"""`gradlens compare`: what is printed about two files, and the exit code."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from engine.programs import ProgramRequest
from engine.programs.answers.graph_files import download_graph
from engine.programs.differences import compare_programs
from gradlens.cli import main
from gradlens.differences.command import is_graph
from gradlens.differences.tree import print_differences
from gradlens.terminal.console import console_for
from tests.limits import ROOMY


def drawn(before: str, after: str) -> list[str]:
    """The lines that are printed about two formulas."""
    file = io.StringIO()
    body = compare_programs(ProgramRequest(before), ProgramRequest(after), ROOMY)
    print_differences(console_for(file), body, "a.math", "b.math")
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_what_came_went_and_changed_has_a_sign_each() -> None:
    lines = drawn("y = exp(2*sin(x))", "y = exp(3*x) + w")
    assert lines[: lines.index("Gradient")] == [
        "--- a.math",
        "+++ b.math",
        "Forward",
        "├── - Sin  = 0.841471",
        "│   └── of x",
        "├── + w  VariableV2 = 1",
        "├── ~ mul/x  Const = 3",
        "│   └── constant: 2 → 3",
        "└── + add  AddV2 = 21.0855",
        "    └── of Exp, w",
    ]


def test_gradients_are_listed_with_how_far_they_are_apart() -> None:
    lines = drawn("y = 2*x", "y = 3*x")
    assert "~  d/d x     2       3      1                   0.333" in lines  # |3 - 2|, and of 3
    assert "~ target: 2 → 3" in lines
    assert lines[-1] == (
        "Forward: 1 changed. 0 of 1 gradients are numerically equal. The target has another value."
    )


def test_the_exit_code_says_whether_anything_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / f"{name}.math" for name in ("wave", "same", "other", "typo")}
    for name, text in {
        "wave": "y = exp(sin(x))", "same": "y = exp(sin(t))", "other": "y = exp(x)", "typo": "y = sni(x)",
    }.items():  # fmt: skip
        files[name].write_text(text)
    codes = [main(["compare", str(files["wave"]), str(files[name])]) for name in ("same", "other", "typo")]
    assert codes == [0, 1, 2]
    assert capsys.readouterr().err.startswith(f"{files['typo']}:1:5: error: ")
    assert main(["compare", str(files["wave"]), str(tmp_path / "nowhere.py")]) == 2


def test_a_graph_in_a_file_is_compared_with_a_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "y = exp(sin(x))"
    (tmp_path / "wave.math").write_text(source)
    (tmp_path / "wave.pb").write_bytes(download_graph(ProgramRequest(source), "tensorflow", "pb", ROOMY))
    assert main(["compare", str(tmp_path / "wave.math"), str(tmp_path / "wave.pb"), "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["before"]["kind"], body["after"]["kind"]) == ("program", "graph")


def test_a_wider_tolerance_lets_programs_be_equal(tmp_path: Path) -> None:
    for name, factor in (("a", "2"), ("b", "2.0001")):
        (tmp_path / f"{name}.math").write_text(f"import tensorflow as tf\ny = {factor} * tf.Variable(1.)")
    files = [str(tmp_path / "a.math"), str(tmp_path / "b.math")]
    assert main(["compare", *files]) == 1
    assert main(["compare", *files, "--relative", "0.01"]) == 1  # another constant all the same


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "small"])
def test_what_is_no_tolerance_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "a", "b", f"--relative={text}"])
    assert "is no tolerance; use a number from 0 on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "graph"),
    [
        ("a.py", False),
        ("a.PB", True),
        ("logs/events.out.tfevents.15.host", True),
        ("model.pbtxt", True),
        ("-", False),
    ],
)
def test_a_graph_is_known_by_the_files_name(file: str, graph: bool) -> None:
    assert is_graph(file) is graph
