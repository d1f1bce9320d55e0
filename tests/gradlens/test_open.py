"""`gradlens open` and `gradlens export` with files of graphs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from engine.interchange.messages import GraphDef
from gradlens.cli import main
from tests.engine.interchange.reading.graphs import small

MESSAGE = small("mul_x_x")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "graph.pb"
    path.write_bytes(MESSAGE.SerializeToString())
    return path


@pytest.mark.slow
def test_the_page_is_served_with_the_graph(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADLENS_DATA_DIR", str(file.parent / "data"))
    command = [sys.executable, "-m", "gradlens", "open", str(file), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            assert line.startswith(f"{file} is open: http://127.0.0.1:")
            page, _, name = line.split()[-1].partition("/?import=")
            assert httpx.get(f"{page}/api/v1/imports/{name}", timeout=30).json()["nodes"] == 9
        finally:
            process.terminate()


def test_a_file_without_a_graph_is_refused_before_anything_is_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "words.pb"
    path.write_text("hello")
    assert main(["open", str(path)]) == 1
    assert main(["open", str(tmp_path / "nothing.pb")]) == 1
    first, hint, second = capsys.readouterr().err.splitlines()
    assert first == f"{path}: error: This file holds no graph that can be read."
    assert hint.strip().startswith("Open a GraphDef")
    assert second == f"Cannot read {tmp_path / 'nothing.pb'}: No such file or directory."


def test_a_graph_is_written_in_another_form(file: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["export", str(file), "--format", "pb"]) == 0
    assert GraphDef.FromString(capsysbinary.readouterr().out) == MESSAGE
    assert main(["export", str(file), "--format", "dot"]) == 0
    assert b'"Variable/read" -> "mul"' in capsysbinary.readouterr().out
    assert main(["export", str(file), "--format", "torch"]) == 1
    assert b"There is no graph with detail" in capsysbinary.readouterr().err
