"""Programs and what they printed with PyTorch 2.13.0: numbers within 1e-4, the text between them exactly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from engine.execution.budget import Limits
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request

FOLDER = Path(__file__).parents[4] / "data" / "torch" / "programs"
NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan)")
FEW_DIGITS = 2e-7  # what float32 leaves of a difference that should be zero


def programs(area: str) -> list[dict[str, Any]]:
    """The recorded programs of one area, each under its name."""
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{area}.json").read_text(encoding="utf-8"))
    return found


def check(case: dict[str, Any]) -> None:
    """Run a program, and compare what it prints."""
    outcome = run_request(ProgramRequest("\n".join(case["source"]), dialect="torch"), Limits(wall_s=60.0))
    assert [one.message for one in outcome.diagnostics if one.severity == "error"] == []
    printed = "\n".join(map(str, outcome.printed)).rstrip("\n").split("\n")
    assert len(printed) == len(case["printed"])
    for ours, theirs in zip(printed, case["printed"], strict=True):
        assert agree(ours, theirs), f"{ours!r} is not {theirs!r}"


def agree(ours: str, theirs: str) -> bool:
    """Whether two lines are the same, but for the last digits of numbers."""
    between = [[re.sub(" +", " ", part) for part in NUMBER.split(line)] for line in (ours, theirs)]
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=False)
    return between[0] == between[1] and all(_near(float(a), float(b)) for a, b in pairs)


def _near(a: float, b: float) -> bool:
    return a == b or (a != a and b != b) or abs(a - b) <= 1e-4 * max(abs(a), abs(b)) + FEW_DIGITS
