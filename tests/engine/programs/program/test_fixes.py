"""What mends a mistake, as a place and a text: where the hint names one word."""

from __future__ import annotations

import pytest

from engine.errors import Span
from engine.programs import ProgramRequest
from engine.programs.program.running import run_request
from tests.limits import ROOMY

TF = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("source", "mended"),
    [
        ("y = sni(x)", "y = sin(x)"),
        (TF + "y = tf.sni(1.)", TF + "y = tf.sin(1.)"),
        (TF + "x = tf.constant（1.)", TF + "x = tf.constant(1.)"),
        (TF + "total = 1\nprint(totl + 1)", TF + "total = 1\nprint(total + 1)"),
        (TF + "x = tf.placeholder(tf.float32)\ns = tf.Seesion()",
         TF + "x = tf.placeholder(tf.float32)\ns = tf.Session()"),
        (TF + "with tf.Seesion() as s:\n  pass", TF + "with tf.Session() as s:\n  pass"),
        (TF + "x = tf.constant(1.)\nprint(x.shpe)", TF + "x = tf.constant(1.)\nprint(x.shape)"),
    ],
)  # fmt: skip
def test_a_fix_makes_the_text_that_was_meant(source: str, mended: str) -> None:
    outcome = run_request(ProgramRequest(source), ROOMY)
    (fix,) = (one.fix for one in outcome.diagnostics if one.fix)
    assert written(source, *fix) == mended


def test_a_word_that_stands_there_twice_is_left_to_the_reader() -> None:
    outcome = run_request(ProgramRequest(TF + "print(totl if totl else 1)\ntotal = 1"), ROOMY)
    assert outcome.diagnostics[0].code == "unknown_name"
    assert all(one.fix is None or written(TF, *one.fix) for one in outcome.diagnostics[1:])


def test_what_has_no_near_name_has_no_fix() -> None:
    outcome = run_request(ProgramRequest(TF + "print(qqqqqq)"), ROOMY)
    assert [one.fix for one in outcome.diagnostics] == [None]


def written(source: str, place: Span, text: str) -> str:
    lines = source.split("\n")
    line = lines[place.line - 1]
    lines[place.line - 1] = line[: place.column - 1] + text + line[place.end_column - 1 :]
    return "\n".join(lines)
