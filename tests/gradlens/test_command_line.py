"""The command line: what it prints, where, and its exit code."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from engine.interchange.code import LANGUAGES
from engine.interchange.picture import THEMES
from engine.programs.answers import graph_files as download
from engine.programs.answers.generated_text import GENERATED
from engine.programs.answers.picture_files import DIRECTIONS, PICTURE_TYPES
from engine.programs.frameworks import PICTURES
from engine.programs.lesson.steps import MATHEMATICS
from engine.programs.runs.optimise import MAX_STEPS
from engine.version import ENGINE_VERSION
from gradlens import arguments, cli
from gradlens.cli import main
from gradlens.serve import address_of, listen

pytestmark = pytest.mark.slow  # starts whole programs


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"gradlens {ENGINE_VERSION}\n"


def test_a_program_is_run_and_its_gradients_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "square.math"
    program.write_text("y = x^2")
    assert main(["run", str(program)]) == 0
    assert capsys.readouterr().out == "y = 1.0\nd y / d x = 2.0\n"  # x is 1 where nothing else is said


def test_two_values_for_one_variable_are_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["run", str(tmp_path), "--at", "x=3", "--at", "w=1", "--at", "x=4"])
    assert capsys.readouterr().err.endswith("argument --at: x is given twice, as 3 and as 4\n")


def test_a_warning_without_a_place_or_a_hint_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "square.math"
    program.write_text("y = x^2")
    assert main(["run", str(program), "--at", "q=3"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f"{program}: warning: A value was given for `q`, which is not a free name of the formula."
    )


def test_a_formula_in_place_of_a_file_hears_how_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "y = exp(sin(x))"]) == 1
    assert capsys.readouterr().err.splitlines()[1] == (
        "A formula goes in by standard input: echo 'y = exp(sin(x))' | gradlens run -"
    )


def test_an_empty_file_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "empty.py"
    program.write_text("\n")
    assert main(["run", str(program), "--graph", "--lesson"]) == 1
    assert capsys.readouterr() == ("", f"{program} holds no program: it is empty.\n")


def test_a_figure_that_a_program_draws_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "loss.py"
    lines = ["import matplotlib.pyplot as plt", "print('done')", "plt.plot([3, 2, 1], label='loss')"]
    program.write_text("\n".join([*lines, "plt.title('Training')", "plt.show()"]))
    assert main(["run", str(program)]) == 0
    assert capsys.readouterr().out == 'done\n[figure 1] Training; line "loss", 3 points, 1 to 3\n'


def test_a_variable_is_given_a_value_and_the_lesson_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "square.math"
    program.write_text("y = x^2")
    assert main(["run", str(program), "--at", "x=3", "--lesson"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == ["y = 9.0", "d y / d x = 6.0", "1. To begin with, x = 3.", "2. y = x² = 9."]


@pytest.mark.parametrize("text", ["x", "x=", "x=true", 'x=[1, "2"]', "x={}"])
def test_what_is_no_value_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "-", "--at", text])
    assert "gives no value; write x=3 or w=[1,2]" in capsys.readouterr().err


def test_a_programs_mistake_is_reported_at_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "typo.math"
    program.write_text("y = sim(x)")
    assert main(["run", str(program)]) == 1
    assert capsys.readouterr().err.startswith(f"{program}:1:5: error: ")


def test_the_json_of_a_run_is_that_of_the_interface(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "square.math"
    program.write_text("y = x^2")
    assert main(["run", str(program), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["id"].startswith("p_")
    assert answer["status"] == "ok"


def test_a_graph_is_exported_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "chain.math"
    program.write_text("y = exp(sin(x))")
    for form, sign in [("dot", b"digraph {"), ("graphml", b"<graphml"), ("pbtxt", b"node {"), ("json", b"{")]:
        written = tmp_path / f"graph.{form}"
        assert main(["export", str(program), "--format", form, "--output", str(written)]) == 0
        assert sign in written.read_bytes()
    assert main(["export", str(program), "--format", "ipynb", "--output", str(tmp_path / "p.ipynb")]) == 0
    assert json.loads((tmp_path / "p.ipynb").read_text(encoding="utf-8"))["nbformat"] == 4
    derivation = tmp_path / "p.tex"
    asked = ["--format", "derivation", "--language", "zh", "--output", str(derivation)]
    assert main(["export", str(program), *asked]) == 0
    assert r"\sin x &= \sin 1 = 0.8415" in derivation.read_text(encoding="utf-8")
    assert main(["export", str(program), "--format", "html", "--output", str(tmp_path / "p.html")]) == 0
    assert (tmp_path / "p.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["export", str(program), "--format", "tf1"]) == 0
    assert "tf.exp(tf.sin(x))" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("form", "sign"),
    [("svg", b"<svg "), ("pdf", b"%PDF-"), ("png", b"\x89PNG"), ("tikz", rb"\documentclass")],
)
def test_a_graph_is_exported_as_a_picture(tmp_path: Path, form: str, sign: bytes) -> None:
    program, graph = tmp_path / "chain.math", tmp_path / "graph.pbtxt"
    program.write_text("y = exp(sin(x))")
    graph.write_text('node { name: "x" op: "Placeholder" }')
    look = ["--format", form, "--theme", "print"]
    for file, detail in ((program, "mathematics"), (graph, "essentials")):
        written = tmp_path / f"{file.stem}.{form}"
        command = ["export", str(file), *look, "--detail", detail, "--output", str(written)]
        assert main(command) == 0
        assert sign in written.read_bytes()[:60]


def test_what_cannot_be_exported_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "typo.math"
    program.write_text("y = sim(x)")
    assert main(["export", str(program), "--format", "tf1"]) == 1
    assert capsys.readouterr().err.startswith(f"{program}:1:5: error: The program did not run to its end: ")
    program.write_text("y = sin(x)")
    assert main(["export", str(program), "--format", "tf1", "--output", str(tmp_path / "no" / "file")]) == 1
    assert "No such file or directory" in capsys.readouterr().err


def test_a_reader_who_has_read_enough_ends_the_command_without_a_word(tmp_path: Path) -> None:
    program = tmp_path / "chain.math"
    program.write_text("y = exp(sin(x))")
    command = [sys.executable, "-m", "gradlens", "export", str(program), "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_missing_file_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "nothing.py"]) == 1
    assert capsys.readouterr().err == "Cannot read nothing.py: No such file or directory.\n"


@pytest.mark.parametrize("port", ["-1", "65536", "http", ""])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--port", port])
    assert "is not a port" in capsys.readouterr().err


def test_a_busy_port_is_reported_with_what_to_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRADLENS_DATA_DIR", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    assert capsys.readouterr().err == (
        f"Port {port} on 127.0.0.1 is in use. Stop what uses it, or choose another: PORT={port + 1}.\n"
    )


def test_a_folder_that_cannot_be_made_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GRADLENS_DATA_DIR", str(tmp_path / "file" / "data"))
    assert main(["serve", "--port", "0"]) == 1
    assert capsys.readouterr().err.endswith("Set GRADLENS_DATA_DIR.\n")


def test_a_setting_that_makes_no_sense_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRADLENS_LIMITS__NODES", "many")
    assert main(["serve", "--port", "0"]) == 1
    assert capsys.readouterr().err == (
        "GRADLENS_LIMITS__NODES is 'many'. Input should be a valid integer, unable to parse string as an"
        " integer.\n"
    )


def test_a_service_on_every_interface_is_opened_through_this_host() -> None:
    with listen("0.0.0.0", 0) as everywhere:
        assert address_of(everywhere) == f"http://127.0.0.1:{everywhere.getsockname()[1]}"


def test_the_commands_offer_what_the_engine_has() -> None:
    assert tuple(download.MEDIA_TYPES) == cli.GRAPHS
    assert tuple(PICTURE_TYPES) == cli.PICTURES
    assert tuple(THEMES) == cli.THEMES
    assert DIRECTIONS == cli.DIRECTIONS
    assert (*download.DETAILS, MATHEMATICS, *PICTURES) == cli.DETAILS
    assert (*LANGUAGES, GENERATED) == cli.CODE
    assert arguments.MAX_STEPS == MAX_STEPS


ASKING = 'a = input("a: ")\nb = input("b: ")\nprint(int(a) * int(b))\n'


def test_a_program_reads_lines_that_the_command_names_then_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "asking.py"
    program.write_text(ASKING)
    monkeypatch.setattr(sys, "stdin", io.StringIO("7\n"))
    assert main(["run", str(program), "--input", "6"]) == 0
    assert capsys.readouterr().out == "a: b: 42\n"


def test_at_a_terminal_each_prompt_stands_there_before_its_line_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "asking.py"
    program.write_text(ASKING)
    typed = io.StringIO("6\n7\n")
    monkeypatch.setattr(typed, "isatty", lambda: True, raising=False)
    seen: list[str] = []
    plain = typed.readline

    def typed_line() -> str:
        seen.append(capsys.readouterr().out)
        return plain()

    monkeypatch.setattr(typed, "readline", typed_line)
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["run", str(program)]) == 0
    assert seen == ["a: ", "b: "]
    assert capsys.readouterr().out == "42\n"


def test_without_a_line_a_program_that_asks_is_stopped_where_it_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "asking.py"
    program.write_text(ASKING)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["run", str(program)]) == 1
    assert capsys.readouterr().err.startswith(f"{program}:1:5: error: The program waits for a line")
