"""What tensors decide in TensorFlow 2 is told as `tf.cond` and `tf.while_loop` of TensorFlow 1 are."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_and_pack, tell_lesson
from engine.programs.service import DEFAULT_LIMITS
from tests.engine.programs.lesson.mathematics.lessons import (
    array,
    chinese,
    english,
    internal_names,
    lesson,
    of_phase,
    steps,
    unequal_products,
    wrong_totals,
)

PROGRAM = """\
import tensorflow as tf
x = tf.Variable({x})
@tf.function
def f(v):
{body}
with tf.GradientTape() as t:
    y = f(x)
g = t.gradient(y, x)
"""
BRANCH = """\
    if v > 2.:
        a = v * v
    else:
        a = tf.sin(v)
    return a + 1."""
RETURNS = """\
    if v > 0.:
        return v * v
    return tf.exp(v) * 2."""
WHILE = """\
    i = tf.constant(0)
    a = tf.constant(1.)
    while i < 2:
        a = a * v
        i += 1
    return a"""
FOR = """\
    s = 0.
    for k in tf.range(3):
        s = s + v * tf.cast(k, tf.float32)
        if s > 1.:
            s = s * s
    return s"""
NO_TURN = """\
    z = v * 2.
    while z > 100.:
        z = z / 2.
    return z"""
CHOICE = """\
    return v * 2. if v > 0. else v * 3."""
NESTED = """\
    a = v
    for i in tf.range(2):
        j = tf.constant(0)
        while j < 2:
            a = a * v
            j += 1
    return a"""
BREAK = """\
    a = v
    i = tf.constant(0)
    while i < 9:
        a = a * v
        i += 1
        if a > 2.:
            break
    return a"""
CALLS = """\
    _, a = tf.while_loop(lambda i, a: i < 2, lambda i, a: [i + 1, a * v], [0, 1.])
    return tf.cond(a > 0., lambda: a * a, lambda: -a)"""
# body, x, and the slope that TensorFlow 2.21 gives
PROGRAMS = [
    (BRANCH, 3.0, 6.0),
    (BRANCH, 0.5, 0.8775826),
    (RETURNS, -1.0, 0.7357589),
    (WHILE, 1.5, 3.0),
    (FOR, 0.5, 9.0),
    (NO_TURN, 0.5, 2.0),
    (CHOICE, 0.5, 2.0),
    (CHOICE, -0.5, 3.0),
    (NESTED, 1.2, 10.368),
    (BREAK, 1.5, 3.0),
    (CALLS, 0.5, 0.5),
]


@pytest.mark.parametrize(("body", "x", "slope"), PROGRAMS)
def test_the_slope_is_tensorflows_and_the_words_are_the_learners(body: str, x: float, slope: float) -> None:
    source = PROGRAM.format(body=body, x=x)
    outcome, told = lesson(source)
    (close,) = of_phase(told, "close")
    assert float(array(close["output"]["value"])) == pytest.approx(slope, rel=1e-5)
    assert unequal_products(told) == []
    assert wrong_totals(told) == []
    assert internal_names(outcome, source, told) == []


def test_of_two_sides_the_one_that_ran_is_told() -> None:
    assert "Line 5: v > 2. holds (v = 3), so line 6 runs." in english(
        steps(PROGRAM.format(body=BRANCH, x=3.0))
    )
    assert "第 5 行：v > 2. 不成立（v = 0.5），所以执行第 8 行。" in chinese(
        steps(PROGRAM.format(body=BRANCH, x=0.5))
    )


def test_a_while_is_told_turn_by_turn_and_back() -> None:
    told = steps(PROGRAM.format(body=WHILE, x=1.5))
    assert english(told)[:6] == [
        "To begin with, x = 1.5.",
        "Turn 1: i < 2 holds (i = 0), so the loop goes round. It begins with a = 1.",
        "a₁ = a · x = 1.5.",
        "Turn 2: i < 2 holds (i = 1), so the loop goes round. It begins with a = 1.5.",
        "a₂ = a₁ · x = 2.25.",
        "i < 2 no longer holds (i = 2): the loop ends after 2 turns.",
    ]
    backward = [text for text in english(of_phase(told, "backward")) if text.startswith("Back")]
    assert backward == ["Back through turn 2.", "Back through turn 1."]
    assert [step["turns"] for step in told if step.get("about") == "turn"] == [[1], [2], [], [2], [1]]


def test_a_for_says_its_item_and_each_if_in_it_is_told() -> None:
    told = english(steps(PROGRAM.format(body=FOR, x=0.5)))
    assert "Turn 3 of 3 of the loop in line 6, k = 2. It begins with s = 0.5." in told
    assert "Line 8: s > 1. does not hold (s = 0.5), so line 9 is passed over." in told
    assert "Line 8: s > 1. holds (s = 1.5), so line 9 runs." in told
    assert "The loop in line 6 ends after 3 turns." in told


def test_a_loop_without_a_turn_says_so() -> None:
    told = english(steps(PROGRAM.format(body=NO_TURN, x=0.5)))
    assert "z > 100. does not hold at the start (z = 1), so the loop takes no turn." in told


def test_the_turns_of_a_loop_in_a_loop_have_both_numbers() -> None:
    told = steps(PROGRAM.format(body=NESTED, x=1.2))
    forward = [
        step["turns"] for step in of_phase(told, "forward") if step.get("turns") and not step.get("about")
    ]
    assert forward == [[1, 1], [1, 2], [2, 1], [2, 2]]


def test_what_is_called_for_it_is_told_alike_in_a_function_and_outside() -> None:
    inside = english(steps(PROGRAM.format(body=CALLS, x=0.5)))
    outside = english(steps(PROGRAM.format(body=CALLS, x=0.5).replace("@tf.function\n", "")))
    said = "i < 2 holds (i = 1), so the loop goes round. It begins with a = 0.5."
    assert f"Turn 2: {said}" in inside
    assert f"Turn 2: {said}" in outside
    assert "Line 6: a > 0. holds (a = 0.25), so a * a is taken." in inside
    assert "Line 5: a > 0. holds (a = 0.25), so a * a is taken." in outside


TRAINED = """\
import tensorflow as tf
x = tf.Variable(3.)
for k in range(4):
    with tf.GradientTape() as t:
        if x > 2.:
            y = x * x
        else:
            y = x * 5.
    g = t.gradient(y, x)
    x.assign_sub(0.1 * g)
"""


def test_where_the_turns_of_a_tape_go_different_ways_the_last_one_is_told_with_its_own_numbers() -> None:
    told = english(steps(TRAINED))
    assert told[:3] == [
        "The last turn begins with x = 1.42.",  # 3, 2.4, 1.92, 1.42
        "Line 5: x > 2. does not hold (x = 1.42), so line 8 runs.",
        "y = x · 5 = 7.1.",
    ]


@pytest.mark.parametrize("body", [WHILE, FOR, CALLS])
def test_a_program_that_was_packed_has_the_same_lesson(body: str) -> None:
    source = PROGRAM.format(body=body, x=0.5)
    _, packed = run_and_pack(ProgramRequest(source), DEFAULT_LIMITS)
    assert packed
    again = tell_lesson(ProgramRequest(source, ran=packed), level="mathematics")
    assert again == tell_lesson(ProgramRequest(source), level="mathematics")
