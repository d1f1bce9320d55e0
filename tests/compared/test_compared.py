"""Expressions and formulas have the answers that TensorFlow 1.15.5, TensorFlow 2.21, numpy and SymPy gave."""

from __future__ import annotations

from collections import Counter

import pytest

from .answers import Answer, needed, verdict
from .drawn.fresh import fresh_expressions, fresh_numpy
from .drawn.programs import program
from .known import DIFFERENCES, PAGE, reason
from .recordings import RECORDINGS, Recording
from .verdicts import judged, key_of, page_with, read_verdicts, text_of

PARTS = 16  # a half of the first is tried at once, the others where there is time
HALVES = [(2 * PARTS, part) for part in range(0, 2 * PARTS, PARTS)]
OTHERS = [(PARTS, part) for part in range(1, PARTS)]
SOME = [pytest.param(*some, marks=[pytest.mark.slow] if some[1] else []) for some in HALVES + OTHERS]
LEAST = {"expressions": 2000, "formulas": 300, "programs": 300}
SHARE = 0.96  # of each recording


@pytest.mark.parametrize(("every", "first"), SOME)
@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_nothing_is_answered_otherwise_without_a_known_reason(
    recording: Recording, every: int, first: int
) -> None:
    known = read_verdicts()[recording.name]
    found = [(program, said) for program, said in judged(recording, every, first)]
    wrong = [text_of(program) for program, said in found if said == "wrong"]
    assert [text for text in wrong if reason(recording.name, text) is None] == []
    changed = [(key_of(program), said) for program, said in found if said != known.said_of(key_of(program))]
    assert changed == [], "python -m tests.compared --judge writes the verdicts and their table anew"


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_nearly_all_of_each_recording_agree(recording: Recording) -> None:
    verdicts = read_verdicts()[recording.name]
    keys = {key_of(program) for program in recording.content()["programs"]}
    assert verdicts.asked == len(keys)
    assert keys.issuperset((*verdicts.refused, *verdicts.known))
    assert verdicts.wrong == ()
    assert verdicts.share >= SHARE, verdicts.share


def test_the_page_has_the_table_of_the_verdicts() -> None:
    assert page_with(read_verdicts()) == PAGE.read_text(encoding="utf-8")


def test_what_is_drawn_afresh_is_in_no_recording_and_the_same_each_time() -> None:
    drawn = fresh_expressions("tf2", 20, 3)
    assert drawn == fresh_expressions("tf2", 20, 3) != fresh_expressions("tf2", 20, 4)
    assert not set(fresh_expressions("tf2", 20, 3, frozenset(drawn))) & set(drawn)
    assert len(set(fresh_numpy(20, 3))) == 20


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


def test_of_a_preamble_stands_above_a_program_what_its_names_lead_to() -> None:
    used = "import numpy as np\nx = np.ones(2)\ndef twice(value):\n    return value + x\n"
    preamble = "import tensorflow as tf\n" + used + "y = tf.constant(x)\n"
    assert needed(preamble, "print(twice(3))") == used


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
