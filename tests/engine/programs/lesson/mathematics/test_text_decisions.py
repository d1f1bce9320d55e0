"""A program's own `if`: the lesson says which side was taken and why, before what follows from it."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_and_pack, tell_lesson
from engine.programs.service import DEFAULT_LIMITS
from tests.engine.programs.lesson.mathematics.lessons import (
    chinese,
    english,
    internal_names,
    lesson,
    steps,
    wrong_totals,
)

BRANCH = """\
import tensorflow as tf
x = tf.Variable({x})
with tf.GradientTape() as t:
    if x > 1:
        y = x ** 2
    else:
        y = tf.sin(x)
g = t.gradient(y, x)
"""


@pytest.mark.parametrize(
    ("x", "said", "then"),
    [
        (3.0, "Line 4: x > 1 holds (x = 3), so line 5 runs.", "y = x² = 9."),
        (0.5, "Line 4: x > 1 does not hold (x = 0.5), so line 7 runs.", "y = sin x = 0.4794."),
    ],
)
def test_an_if_is_told_before_the_operation_that_follows_from_it(x: float, said: str, then: str) -> None:
    told = english(steps(BRANCH.format(x=x)))
    assert told[1:3] == [said, then]


def test_it_is_told_in_chinese_too() -> None:
    assert chinese(steps(BRANCH.format(x=3.0)))[1] == "第 4 行：x > 1 成立（x = 3），所以执行第 5 行。"


GRAPH = """\
import tensorflow as tf
x = tf.Variable(0.5)
def f(v, k):
    if k == 2:
        return tf.sin(v)
    return v * 3.
mode = "fast"
if mode == "slow":
    c = 2.
elif mode == "fast":
    c = 5.
if c > 100:
    print("large")
y = f(f(x, 2), 3) * c
z = y * 2. if c > 3 else y
g = tf.gradients(z, x)
"""


def test_a_number_a_return_and_an_expression_may_depend_on_it_and_what_only_prints_is_left_out() -> None:
    outcome, told = lesson(GRAPH)
    assert [text for text in english(told) if text.startswith("Line")] == [
        'Line 8: mode == "slow" does not hold (mode = “fast”), so line 10 decides.',
        'Line 10: mode == "fast" holds (mode = “fast”), so line 11 runs.',
        "Line 4: k == 2 holds (k = 2), so line 5 runs.",
        "Line 4: k == 2 does not hold (k = 3), so line 5 is passed over.",
        "Line 15: c > 3 holds (c = 5), so y * 2. is taken.",
    ]
    assert internal_names(outcome, GRAPH, told) == []
    assert wrong_totals(told) == []


LOOP = """\
import tensorflow as tf
x = tf.Variable(0.5)
with tf.GradientTape() as t:
    y = x
    for k in range(3):
        if k % 2 == 0:
            y = y * x
        else:
            y = y + x
g = t.gradient(y, x)
"""


def test_in_a_loop_it_is_told_each_time() -> None:
    told = [text for text in english(steps(LOOP)) if text.startswith("Line")]
    assert [text.partition(")")[0] for text in told] == [
        "Line 6: k % 2 == 0 holds (k = 0",
        "Line 6: k % 2 == 0 does not hold (k = 1",
        "Line 6: k % 2 == 0 holds (k = 2",
    ]


@pytest.mark.parametrize("source", [BRANCH.format(x=3.0), GRAPH, LOOP])
def test_a_program_that_was_packed_has_the_same_lesson(source: str) -> None:
    request = ProgramRequest(source)
    _, packed = run_and_pack(request, DEFAULT_LIMITS)
    again = ProgramRequest(source, ran=packed)
    assert packed
    assert tell_lesson(again, level="mathematics") == tell_lesson(request, level="mathematics")
