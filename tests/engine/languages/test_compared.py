"""Programs print what a real TensorFlow 2.21 printed for them (tests/data/compared)."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

FILE = Path(__file__).parents[2] / "data" / "compared" / "tensorflow2.json"
PROGRAMS = json.loads(FILE.read_text())
NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)")
ROUNDING = 1e-5  # of float32, over a few operations


def numbers_of(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text)]


def words_of(text: str) -> str:
    """All that is no number; a line may be broken elsewhere where a number has another digit."""
    return re.sub(r"[-\d.e+\s]|nan|inf", "", text)


def alike(ours: float, theirs: float) -> bool:
    both_nan = math.isnan(ours) and math.isnan(theirs)
    return both_nan or ours == theirs or abs(ours - theirs) <= ROUNDING * max(1.0, abs(theirs))


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_prints_what_tensorflow_printed(program: dict[str, Any]) -> None:
    answer = run_program(ProgramRequest(program["source"], dialect="tf2"))
    ours, theirs = "\n".join(answer["printed"]), "\n".join(program["printed"])
    assert (answer["status"] == "error") == (program["error"] is not None), answer["diagnostics"]
    assert words_of(ours) == words_of(theirs)
    assert len(numbers_of(ours)) == len(numbers_of(theirs))
    assert all(map(alike, numbers_of(ours), numbers_of(theirs))), (ours, theirs)
