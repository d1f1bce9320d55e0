"""Programs that follow a grammar, and the same with a piece out of place: each is answered, and well."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program
from tests.fuzz.grammar import PROGRAMS, TEXTS, broken

pytestmark = pytest.mark.slow  # draws hundreds of programs

LIMITS = Limits(steps=5_000, wall_s=2.0, nodes=300)
INSIDE = ("Traceback", "site-packages", ".py", "0x7f", "engine.", "<class", "numpy.ndarray")


def check_answer(source: str, dialect: str) -> None:
    """The answer keeps its form: strict JSON, places in the text, both languages, nothing of the inside."""
    answer = run_program(ProgramRequest(source, dialect=dialect), LIMITS)
    json.dumps(answer, allow_nan=False)
    assert answer["status"] in ("ok", "error", "limit", "refused")
    lines = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for reported in answer["diagnostics"]:
        check_reported(reported, lines)


def check_reported(reported: dict[str, Any], lines: list[str]) -> None:
    """One diagnostic: said in both languages, at a place that the text has."""
    assert reported["code"] != "internal_error", reported
    assert reported["message"]
    assert any(ord(character) > 0x2E80 for character in reported["message_zh"]), reported
    assert bool(reported["hint"]) == bool(reported["hint_zh"]), reported
    assert not [word for word in INSIDE if word in reported["message"] + reported["hint"]], reported
    if reported["line"] is not None:
        assert (
            (1, 1) <= (reported["line"], reported["column"]) <= (reported["end_line"], reported["end_column"])
        )
        assert reported["end_line"] <= len(lines)
        assert reported["column"] <= len(lines[reported["line"] - 1]) + 1
        assert reported["end_column"] <= len(lines[reported["end_line"] - 1]) + 2


@given(TEXTS)
def test_formulas_are_answered(source: str) -> None:
    check_answer(source, "math")


@given(broken(TEXTS))
def test_broken_formulas_are_answered(source: str) -> None:
    check_answer(source, "math")


@given(PROGRAMS, st.sampled_from(["tf1", "tf2"]))
def test_programs_are_answered(source: str, dialect: str) -> None:
    check_answer(source, dialect)


@given(broken(PROGRAMS), st.sampled_from(["auto", "tf1", "tf2"]))
def test_broken_programs_are_answered(source: str, dialect: str) -> None:
    check_answer(source, dialect)
