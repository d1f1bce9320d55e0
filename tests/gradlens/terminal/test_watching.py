"""Running again when a file changes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from gradlens.cli import main
from gradlens.terminal.watching import changes_of, run_on_change


def test_a_program_runs_once_more_for_each_change_and_the_last_code_counts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    codes = iter([0, 1, 0])
    assert run_on_change(lambda: next(codes), ["written", "written"]) == 0
    assert capsys.readouterr().out.count("-- changed at ") == 2


def test_only_the_file_itself_counts_also_when_another_is_given_its_name(tmp_path: Path) -> None:
    file, other = tmp_path / "a.math", tmp_path / "b.math"
    file.write_text("y = x", encoding="utf-8")
    changes = changes_of(str(file))
    found: list[object] = []
    seen = threading.Event()

    def wait() -> None:
        found.append(next(changes))
        seen.set()

    threading.Thread(target=wait, daemon=True).start()
    while not seen.wait(0.2):  # the watch may begin after a write
        other.write_text("y = x^2", encoding="utf-8")
        other.replace(file)
    (changed,) = found
    assert {Path(path) for _, path in changed} == {file}  # type: ignore[attr-defined]


def test_standard_input_is_not_watched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "-", "--watch"]) == 2
    assert capsys.readouterr().err == "Standard input does not change; --watch takes a file.\n"
