"""Where paths meet, overwriting (M1) and multiplying (M5) are wrong, or said to come to the same."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from engine.programs import ProgramRequest, other_numbers
from tests.engine.programs.lesson.mathematics.lessons import array, lesson, of_phase
from tests.engine.programs.lesson.mathematics.test_formulas import AT, FORMULAS
from tests.test_layers import ROOT

pytestmark = pytest.mark.slow  # tells some hundred lessons

GALLERY = {path.name: path.read_text() for path in sorted((ROOT / "examples").glob("g*"))}
SOURCES = {source: source for source in FORMULAS} | GALLERY


def sums(name: str, at: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """The questions where contributions meet; arrays that are not written out have none."""
    source = SOURCES[name]
    _, told = lesson(source, **(AT if at is None and name not in GALLERY else at or {}))
    found = [step for step in of_phase(told, "sum") if len(step["contributions"]) == step_count(step)]
    asked = [step["question"] for step in found]
    assert all(step["question"] or np.size(array(step["output"]["value"])) > 9 for step in found)
    return [question for question in asked if question]


def step_count(step: dict[str, Any]) -> int:
    """Of how many contributions a sum consists: more than its parts where some are left out."""
    found = re.search(r"is used (\d+) times", step["sentence"]["en"])
    return int(found[1]) if found else len(step["contributions"])


@pytest.mark.parametrize("name", SOURCES)
def test_overwriting_and_multiplying_are_wrong_or_said_to_coincide(name: str) -> None:
    for question in sums(name):
        wrong = {one["id"]: one for one in question["choices"]}
        assert {"M1", "M5"} <= set(wrong)
        for way in ("M1", "M5"):
            is_right = np.allclose(
                array(wrong[way]["value"]), array(question["answer"]), rtol=1e-6, atol=1e-12
            )
            assert is_right == wrong[way].get("coincides", False)


@pytest.mark.parametrize("name", FORMULAS)
def test_new_numbers_keep_them_apart_or_say_how_many_stay_alike(name: str) -> None:
    found = other_numbers(ProgramRequest(SOURCES[name], at=AT))
    together = [
        one["id"]
        for question in sums(name, {**AT, **found["at"]})
        for one in question["choices"]
        if one["id"] in ("M1", "M5") and one.get("coincides")
    ]
    assert len(together) <= found["alike"]
