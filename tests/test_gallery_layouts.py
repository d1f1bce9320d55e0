"""Every program of the gallery and every small graph, drawn in every way, with each of its scopes opened."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tests" / "frontend" / "layout" / "gallery.js"
ENTRIES = {
    entry["id"]: entry for entry in json.loads((ROOT / "examples" / "index.json").read_text(encoding="utf-8"))
}
SMALL_GRAPHS = {path.stem: path for path in sorted((ROOT / "tests" / "data" / "graphs").glob("*.json"))}


def graph_of(name: str) -> str:
    """The answer to a program of the gallery, or a graph file."""
    if name in SMALL_GRAPHS:
        return SMALL_GRAPHS[name].read_text(encoding="utf-8")
    entry = ENTRIES[name]
    text = (ROOT / "examples" / entry["file"]).read_text(encoding="utf-8")
    return json.dumps(run_program(ProgramRequest(text, at=entry["at"])))


@cache
def drawings(name: str) -> dict[str, dict[str, dict[str, Any]]]:
    """What is found in a graph's drawings, by arrangement and direction."""
    run = subprocess.run(["node", SCRIPT], input=graph_of(name), capture_output=True, text=True, check=True)
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(run.stdout)
    return found


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize("direction", ["right", "down", "up"])
@pytest.mark.parametrize("arrangement", ["lanes", "flow"])
@pytest.mark.parametrize("name", [*ENTRIES, *SMALL_GRAPHS])
def test_no_drawing_overlaps_none_jumps_where_a_scope_opens_and_closing_brings_it_back(
    name: str, arrangement: str, direction: str
) -> None:
    found = drawings(name)[arrangement][direction]
    assert found["faults"] == []
    assert found["drawings"] == len(found["moves"]) + 1
    assert found["crossed"] <= 1  # pairs of lines that come to one scope
    moves = found["moves"] or [0.0]  # px beyond what the opened scope grew, of whatever went farthest
    assert median(moves) < 20
    assert max(moves) < 150
