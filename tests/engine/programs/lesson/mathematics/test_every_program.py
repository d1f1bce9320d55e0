"""What holds of the lesson of every program that TensorFlow was asked about, and of every example."""

from __future__ import annotations

import json
import re

import pytest

from tests.data import FOLDER
from tests.engine.programs.lesson.mathematics.lessons import (
    internal_names,
    lesson,
    of_phase,
    unequal_products,
    wrong_totals,
)
from tests.test_layers import ROOT

pytestmark = pytest.mark.slow  # tells hundreds of programs

PROGRAMS = {path.stem: json.loads(path.read_text())["source"] for path in sorted(FOLDER.glob("*.json"))}
PROGRAMS |= {path.name: path.read_text() for path in sorted((ROOT / "examples").glob("g*"))}
RECORDED = {path.stem: path.read_text() for path in sorted((FOLDER.parent / "recorded").glob("*.py"))}
PROGRAMS |= {
    name: source
    for name, source in RECORDED.items()
    if re.search(r"\b(while_loop|cond|map_fn|case|scan|foldl|dynamic_rnn)\(", source)
}
NOT_FOLLOWED = {"loops_that_wait"}  # whose lesson goes node by node, and says why
OF_ROWS = {"tape-jacobian"}  # whose gradient is asked for each number of y apart


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - NOT_FOLLOWED))
def test_a_lesson_adds_up_and_speaks_the_learners_language(name: str) -> None:
    outcome, told = lesson(PROGRAMS[name])
    assert told
    assert all(step["sentence"]["en"] and step["sentence"]["zh"] for step in told)
    assert unequal_products(told) == []
    assert name in OF_ROWS or wrong_totals(told) == []
    assert internal_names(outcome, PROGRAMS[name], told) == []
    assert of_phase(told, "close") or not of_phase(told, "backward")
