"""Variables that are written on the way: each value has its number, and no gradient goes through a write."""

from __future__ import annotations

import pytest

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
    assert [text for text in english(told) if text.startswith("n") and "=" in text] == [
        "n₁ = n + 1 = 1.",
        "n₂ = n₁ + 1 = 2.",
    ]
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


def test_a_variable_that_acts_only_through_what_a_write_gives_has_no_gradient() -> None:
    told = steps(
        "import tensorflow as tf\nx = tf.Variable(3.)\ny = x.assign_add(1.) * 2.\ng = tf.gradients(y, x)\n"
    )
    assert of_phase(told, "close")[0]["sentence"]["en"].startswith("y takes x as it was written")


def test_the_first_update_begins_where_the_variables_do() -> None:
    told = steps(f"{COUNTED}train = tf.train.GradientDescentOptimizer(0.1).minimize(y, var_list=[x])\n")
    assert english(of_phase(told, "update")) == ["x ← 2 − 0.1 × 5 = 1.5."]


# -- the gradient with respect to what is written ------------------------------------------------------

IN_BETWEEN = """\
import tensorflow as tf
x = tf.Variable(3.)
with tf.GradientTape() as t:
    a = x * x
    x.assign(5.)
    y = a + x * 2.
g = t.gradient(y, x)
"""


def test_its_values_are_told_apart_and_what_came_back_to_each_is_added() -> None:
    told = steps(IN_BETWEEN)
    assert english(told)[:4] == [
        "To begin with, x₀ = 3.",
        "a = x₀ · x₀ = 9.",
        "x₁ is set: x₁ = 5.",
        "x₁ · 2 = 10.",
    ]
    assert english(told)[-2:] == [
        "x was used with 2 values, x₀ and x₁. The gradient with respect to x is the sum of what came back to "
        "them: 6 + 2 = 8. Nothing goes back through the writing of a variable.",
        "∂y/∂x = 8: raise x by 0.01 each time that it is used and y changes by about 0.08. Tried: 0.0801.",
    ]
    assert chinese(told)[-2] == (
        "x 先后以 2 个值被使用：x₀、x₁。对 x 的梯度是传回它们的梯度之和：6 + 2 = 8。"
        "梯度不会经过变量的写入往回传。"
    )


@pytest.mark.parametrize(
    ("source", "by", "slope"),
    [
        (BEST.format(x=2.0), "best", 2.0),  # best₁ · x by best₁
        (COUNTED, "n", 3.0),  # 2 for the first turn, whose n goes through a · x, and 1 for the last
        (SCATTERED.replace("table.read_value()", "table.read_value() ** 2"), "table", [16.0, 8.0]),
    ],
)
def test_a_variable_that_is_read_in_a_branch_or_a_loop_after_a_write_has_tensorflow_1s_gradient(
    source: str, by: str, slope: object
) -> None:
    told = steps(source.replace("tf.gradients(y, x)", f"tf.gradients(y, {by})"))
    (close,) = of_phase(told, "close")
    assert array(close["output"]["value"]).tolist() == slope
    assert wrong_totals(told) == []


# Asked of TensorFlow 2.21: the lines below the tape, and the gradient by x, or by x and by w.
TAPES = [
    ("a = x * x\nx.assign_sub(1.)\ny = a * x", [21.0]),
    ("x.assign_add(x * 2.)\ny = tf.sin(x)", [-0.9111302]),
    ("y = x\nfor i in range(3):\n    y = y * x\n    x.assign_add(1.)", [201.0]),
    ("h = w * x\nw.assign(h * h)\ny = h + w * x", [2.75, 6.0]),
    ("y = w * w\nw.assign_sub(0.1 * w)\ny = y + w ** 3 * x", [0.091125, 2.8225]),
    ("y = x * w\nw.assign(y)\ny = y * w\nw.assign_add(x)\ny = y + w", [0.75, 7.0]),
    ("y = x\nx.assign(7.)\nx.assign(8.)\ny = y + tf.exp(0.1 * x)", [1.2225541]),
    ("y = x.assign_add(1.) * x", [8.0]),
    ("a = x + 0.\nx.assign(a * 3.)\nb = x * a\nx.assign_sub(b)\ny = x * x + b", [-24.0]),
    ("y = x * w\nw.assign(x)\ny = y + x * w\nx.assign_sub(y)\ny = y * x", [-15.75, -45.0]),
    ("y = tf.cond(x > w, lambda: x * w, lambda: x)\nx.assign(0.1)\ny = y + x * x", [0.7, 3.0]),
    ("x.assign(4.)\nx.assign(x * w)\ny = x * w", [0.5, 2.0]),
    ("y = tf.stop_gradient(x) * x\nx.assign_add(y)\ny = y - x ** 2", [-21.0]),
    ("y = tf.square(x)\nx.assign(tf.sqrt(y + 1.))\ny = y / x", [0.9973665]),
]


@pytest.mark.parametrize(("lines", "slopes"), TAPES)
def test_the_gradient_is_tensorflow_2s(lines: str, slopes: list[float]) -> None:
    body = lines.replace("\n", "\n    ")
    xs = "x" if len(slopes) == 1 else "[x, w]"
    source = f"""\
import tensorflow as tf
x = tf.Variable(3.)
w = tf.Variable(0.5)
with tf.GradientTape() as t:
    {body}
g = t.gradient(y, {xs})
"""
    outcome, told = lesson(source)
    close = of_phase(told, "close")
    assert [float(array(step["output"]["value"])) for step in close] == pytest.approx(slopes, rel=1e-5)
    assert unequal_products(told) == []
    assert wrong_totals(told) == []
    assert internal_names(outcome, source, told) == []
