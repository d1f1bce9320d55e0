"""Variables that are written on the way: each value has its number, and no gradient goes through a write."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, tell_lesson
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

COUNTED = """\
import tensorflow as tf
x = tf.Variable(2.)
n = tf.Variable(0.)
def body(i, a):
    with tf.control_dependencies([n.assign_add(1.)]):
        return [i + 1, a * x + n.read_value()]
_, y = tf.while_loop(lambda i, a: i < 2, body, [0, 1.])
g = tf.gradients(y, x)
"""
BEST = """\
import tensorflow as tf
x = tf.Variable({x})
best = tf.Variable(100.)
loss = x * x
def improve():
    with tf.control_dependencies([best.assign(loss)]):
        return best.read_value() * x
y = tf.cond(loss < best, improve, lambda: x * 1.)
g = tf.gradients(y, x)
"""
SCATTERED = """\
import tensorflow as tf
x = tf.Variable(2.)
table = tf.Variable([1., 2.])
with tf.control_dependencies([tf.scatter_add(table, [0], [3.])]):
    y = x * tf.reduce_sum(table.read_value())
g = tf.gradients(y, x)
"""
AT_ONCE = """\
import tensorflow as tf
x = tf.Variable(2.)
n = tf.Variable(0.)
y = x
with tf.GradientTape() as t:
    for i in range(3):
        n.assign_add(1.)
        y = y * n
g = t.gradient(y, x)
"""
SOURCES = [COUNTED, BEST.format(x=2.0), BEST.format(x=11.0), SCATTERED, AT_ONCE]


@pytest.mark.parametrize("source", SOURCES)
def test_it_adds_up_in_the_learners_words(source: str) -> None:
    outcome, told = lesson(source)
    assert unequal_products(told) == []
    assert wrong_totals(told) == []
    assert internal_names(outcome, source, told) == []


def test_a_loop_that_counts_tells_the_counter_turn_by_turn() -> None:
    told = steps(COUNTED)
    assert [text for text in english(told) if text.startswith("n")] == ["n₁ = n + 1 = 1.", "n₂ = n₁ + 1 = 2."]
    assert "y = a₁ · x + n₂ = 8." in english(told)  # (1 · 2 + 1) · 2 + 2
    (close,) = of_phase(told, "close")
    assert array(close["output"]["value"]) == 5  # 2x + 1 by x is 2 · 2 + 1


def test_a_branch_that_writes_says_so_and_the_trial_shows_that_no_gradient_went_through() -> None:
    told = steps(BEST.format(x=2.0))
    assert "best₁ = loss = 4." in english(told)
    (close,) = of_phase(told, "close")
    assert array(close["output"]["value"]) == 4  # and not 3x² = 12
    assert "They differ: not every way on which it acts is counted here." in close["sentence"]["en"]
    assert not any("best₁" in text for text in english(steps(BEST.format(x=11.0))))


def test_a_variable_of_which_some_numbers_are_written_is_said_to_be_set() -> None:
    told = steps(SCATTERED)
    assert "table₁ is set: table₁ = [4, 2]." in english(told)
    assert "设置 table₁：table₁ = [4, 2]。" in chinese(told)


def test_what_is_computed_at_once_sees_each_write_before_it() -> None:
    told = steps(AT_ONCE)
    assert "y₁ = x · n₁ = 2." in english(told)
    (close,) = of_phase(told, "close")
    assert array(close["output"]["value"]) == 6
    assert close["sentence"]["en"].endswith("Tried: 0.06.")


def test_a_variable_that_acts_only_through_its_writes_has_no_gradient() -> None:
    told = steps(COUNTED.replace("tf.gradients(y, x)", "tf.gradients(y, [x, n])"))
    assert of_phase(told, "close")[1]["sentence"]["en"].startswith("y takes n as it was written")


def test_the_first_update_begins_where_the_variables_do() -> None:
    told = steps(f"{COUNTED}train = tf.train.GradientDescentOptimizer(0.1).minimize(y, var_list=[x])\n")
    assert english(of_phase(told, "update")) == ["x ← 2 − 0.1 × 5 = 1.5."]


def test_where_the_gradient_of_what_was_written_is_asked_for_nodes_are_told() -> None:
    source = SCATTERED.replace("tf.gradients(y, x)", "tf.gradients(y, table)")
    told = tell_lesson(ProgramRequest(source), level="mathematics")
    assert told["level"] == "tensorflow"
