"""Whole programs against what TensorFlow 1.15.5 built and printed for them (tests/data/recorded)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

pytestmark = pytest.mark.slow  # builds every recorded graph

FOLDER = Path(__file__).parent.parent / "data" / "recorded"


def ours(node: dict[str, Any]) -> dict[str, Any]:
    """A node of an answer as the recordings write it."""
    return {
        "name": node["name"],
        "op": node["op"],
        "inputs": node["inputs"],
        "control_inputs": sorted(node["control_inputs"]),
        "class": sorted(f"loc:@{name}" for name in node["attrs"].get("colocate", [])),
    }


@pytest.mark.parametrize("program", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_the_same_nodes_in_the_same_order_and_the_same_output(program: Path) -> None:
    recorded = json.loads(program.with_suffix(".json").read_text())
    request = ProgramRequest(program.read_text(), dialect="tf1", gradients=False)
    answer = run_program(request)
    assert answer["status"] == "ok"
    assert [ours(node) for node in answer["graph"]["nodes"]] == recorded["nodes"]
    assert answer["printed"] == recorded["printed"]
