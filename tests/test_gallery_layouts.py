"""Every program of the gallery and every small graph, in both arrangements and all directions."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from statistics import median, quantiles

import pytest

from engine.programs import ProgramRequest, run_program

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tests" / "frontend" / "layout" / "gallery.js"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_no_drawing_of_the_gallery_overlaps_and_none_jumps_where_a_scope_opens() -> None:
    entries = json.loads((ROOT / "examples" / "index.json").read_text(encoding="utf-8"))
    answers = {
        entry["id"]: run_program(
            ProgramRequest((ROOT / "examples" / entry["file"]).read_text(encoding="utf-8"), at=entry["at"])
        )
        for entry in entries
    }
    told = subprocess.run(
        ["node", SCRIPT], input=json.dumps(answers), capture_output=True, text=True, check=True
    )
    found = json.loads(told.stdout)
    assert found["faults"] == []
    assert found["drawings"] > 40 * len(entries)
    moves = found["moves"]  # px beyond what the opened scope grew, of whatever went farthest
    assert median(moves) < 1
    assert quantiles(moves, n=10)[-1] < 20
    assert max(moves) < 120
    assert found["stays"] > 0.7 * len(moves)  # closing again brings everything back
