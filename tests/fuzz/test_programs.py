"""Programs that follow a grammar, and the same with a piece out of place: each is answered, and well."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program
from tests.fuzz.grammar import PROGRAMS, TEXTS, broken

LIMITS = Limits(steps=5_000, wall_s=2.0, nodes=300)
INSIDE = ("Traceback", "site-packages", ".py", "0x7f", "engine.", "<class", "numpy.ndarray")


def check_answer(source: str, dialect: str) -> None:
    """The answer keeps its form: strict JSON, places in the text, both languages, nothing of the inside."""
    answer = run_program(ProgramRequest(source, dialect=dialect), LIMITS)
    json.dumps(answer, allow_nan=False)
    assert answer["status"] in ("ok", "error", "limit", "refused")
    lines = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for told in answer["diagnostics"]:
        check_told(told, lines)


def check_told(told: dict[str, Any], lines: list[str]) -> None:
    """One diagnostic: said in both languages, at a place that the text has."""
    assert told["code"] != "internal_error", told
    assert told["message"]
    assert any(ord(character) > 0x2E80 for character in told["message_zh"]), told
    assert bool(told["hint"]) == bool(told["hint_zh"]), told
    assert not [word for word in INSIDE if word in told["message"] + told["hint"]], told
    if told["line"] is not None:
        assert (1, 1) <= (told["line"], told["column"]) <= (told["end_line"], told["end_column"])
        assert told["end_line"] <= len(lines)
        assert told["column"] <= len(lines[told["line"] - 1]) + 1
        assert told["end_column"] <= len(lines[told["end_line"] - 1]) + 2


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
