"""Expressions and formulas have the answers that TensorFlow 1.15.5, TensorFlow 2.21, numpy and SymPy gave."""

from __future__ import annotations

from collections import Counter

import pytest

from .answers import Answer, verdict
from .known import DIFFERENCES, PAGE, reason
from .programs import program
from .recordings import RECORDINGS, Recording
from .verdicts import judged, text_of

PARTS = 16  # a half of the first is tried at once, the others where there is time
HALVES = [(2 * PARTS, part) for part in range(0, 2 * PARTS, PARTS)]
OTHERS = [(PARTS, part) for part in range(1, PARTS)]
SOME = [pytest.param(*some, marks=[pytest.mark.slow] if some[1] else []) for some in HALVES + OTHERS]
LEAST = {"expressions": 2000, "formulas": 300, "programs": 300}
SHARE = 0.9  # of each part; of the whole it is more than 0.96


@pytest.mark.parametrize(("every", "first"), SOME)
@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_nothing_is_answered_otherwise_without_a_known_reason(
    recording: Recording, every: int, first: int
) -> None:
    found = [(text_of(program), said) for program, said in judged(recording, every, first)]
    wrong = [text for text, said in found if said == "wrong"]
    assert [text for text in wrong if reason(recording.name, text) is None] == []
    counted = Counter(said for _, said in found)
    assert counted["agrees"] >= SHARE * len(found), counted


def test_enough_is_compared() -> None:
    counts = {recording.name: len(recording.content()["programs"]) for recording in RECORDINGS}
    assert sum(count for name, count in counts.items() if "expressions" in name) >= LEAST["expressions"]
    assert counts["formulas"] >= LEAST["formulas"]
    assert sum(count for name, count in counts.items() if "programs" in name) >= LEAST["programs"]


@pytest.mark.parametrize("family", ["numpy", "tf1", "tf2"])
def test_a_drawn_program_is_the_same_each_time(family: str) -> None:
    assert program(family, 7) == program(family, 7) != program(family, 8)
    assert "$" not in program(family, 7)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_no_program_is_recorded_twice(recording: Recording) -> None:
    programs = recording.content()["programs"]
    counted = Counter((text_of(program), *program.get("at", {}).items()) for program in programs)
    assert max(counted.values()) == 1


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.pattern)
def test_every_known_difference_has_its_place_on_the_page(difference) -> None:
    assert f"## {difference.heading}\n" in PAGE.read_text(encoding="utf-8")


def asked(printed: list[str], error: str | None = None) -> dict[str, object]:
    return {"source": "…", "printed": printed, "error": error}


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        (asked(["float32 [] 1.0"]), Answer(["float32 [] 1.0000001"], None), "agrees"),
        (asked(["float64 [] 1.0"]), Answer(["float64 [] 1.0000001"], None), "wrong"),
        (asked(["float64 [] 1.0"]), Answer(["float32 [] 1.0"], None), "wrong"),
        (asked(["float32 [] nan"]), Answer(["float32 [] 0.0"], None), "wrong"),
        (asked(["float32 [1] [2.0]"]), Answer(["float32 [] 2.0"], None), "wrong"),
        (asked(["1", "2"]), Answer(["1"], None), "wrong"),
        (asked([], "ValueError"), Answer(["1"], None), "wrong"),
        (asked([], "ValueError"), Answer([], "no"), "agrees"),
        (asked(["1"]), Answer([], "no"), "refused"),
        (asked(["1", "2"]), Answer(["3"], "no"), "wrong"),
        (asked([], "ValueError"), Answer([], "no", is_defect=True), "wrong"),
    ],
)
def test_what_counts_as_agreeing(theirs, ours: Answer, expected: str) -> None:
    assert verdict(theirs, ours) == expected
