"""A loop with too many turns to be copied: its first turns, its last, and all that it sends back are told."""

from __future__ import annotations

import sys

import pytest

from engine.programs.lesson import lesson_of
from engine.programs.program.request import ProgramRequest
from engine.programs.service import DEFAULT_LIMITS, differentiated
from tests.engine.programs.lesson.mathematics.lessons import (
    Steps,
    array,
    chinese,
    english,
    internal_names,
    lesson,
    of_phase,
    unequal_products,
    wrong_totals,
)

POWER = """\
import tensorflow as tf
x = tf.Variable(2.)
_, a = tf.while_loop(lambda i, a: i < 20, lambda i, a: [i + 1, a * x * 0.5], [0, x * 3.])
y = a * x
g = tf.gradients(y, x)
"""
PAIR = """\
import tensorflow as tf
x = tf.Variable([1., 2.])
w = tf.Variable(0.9)
i, a, b = tf.while_loop(lambda i, a, b: i < 20, lambda i, a, b: [i + 1, b * w, a + x], [0, x, x * x])
y = tf.reduce_sum(a * b)
train = tf.train.GradientDescentOptimizer(0.1).minimize(y)
"""
NESTED = """\
import tensorflow as tf
x = tf.Variable(1.1)
def outer(i, a):
    _, b = tf.while_loop(lambda j, b: j < 6, lambda j, b: [j + 1, b * x], [0, a])
    return [i + 1, b + x]
_, y = tf.while_loop(lambda i, a: i < 6, outer, [0, 1.])
g = tf.gradients(y, x)
"""
BRANCHED = """\
import tensorflow as tf
x = tf.Variable(1.1)
def grown():
    return tf.while_loop(lambda i, a: i < 20, lambda i, a: [i + 1, a * x], [0, x])[1]
y = tf.cond(x > 1., grown, lambda: x * 2.) + tf.sin(x)
g = tf.gradients(y, x)
"""


@pytest.fixture(autouse=True)
def _few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if twenty turns were too many."""
    monkeypatch.setattr(sys.modules["engine.programs.lesson.unrolled.unrolling"], "MOST_NODES", 25)


def told_of(source: str) -> Steps:
    outcome, _ = differentiated(ProgramRequest(source), DEFAULT_LIMITS)
    made = lesson_of(outcome, "mathematics", source)
    assert made.level == "mathematics"
    return made.steps


@pytest.mark.parametrize("source", [POWER, PAIR, NESTED, BRANCHED])
def test_what_it_sends_back_adds_up_to_the_gradient(source: str) -> None:
    outcome, told = lesson(source)
    assert wrong_totals(told) == []
    assert unequal_products(told) == []
    assert internal_names(outcome, source, told) == []
    assert any(step.get("about") == "rest" for step in of_phase(told, "backward"))


def test_the_first_turns_and_the_last_are_told_with_what_is_left_out() -> None:
    texts = english(told_of(POWER))
    assert "Turn 1: i < 20 holds (i = 0), so the loop goes round. It begins with a = 6." in texts
    assert (
        "Turns 3 to 19 go the same way and are left out here: i goes from 2 to 19 and a goes from 6 to 6."
        in texts
    )
    assert "i < 20 no longer holds (i = 20): the loop ends after 20 turns." in texts
    assert "After 20 turns a = 6." in texts


def test_the_way_back_says_what_everything_outside_gets_in_all() -> None:
    told = told_of(POWER)
    (back,) = [step for step in of_phase(told, "backward") if step.get("about") == "rest"]
    assert back["sentence"]["en"] == (
        "The way back through the 20 turns is left out here. From there in all x · 3 gets 2 and x gets 120."
    )
    assert "这 20 轮的反向传播这里略去，总共使 x · 3 得到 2，x 得到 120。" in chinese(told)
    (close,) = of_phase(told, "close")
    assert array(close["output"]["value"]) == 132  # y = 3 x²² / 2²⁰, and 66 · 2²¹ / 2²⁰ = 132
