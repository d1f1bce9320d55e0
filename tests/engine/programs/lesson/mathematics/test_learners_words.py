"""A lesson calls things as the learner wrote them, and says no more numbers than one can take in."""

from __future__ import annotations

import pytest

from tests.engine.programs.lesson.mathematics.lessons import chinese, english, internal_names, lesson, steps

START = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("x = tf.Variable([3., 1.])\ny = tf.reduce_sum(tf.sort(x) * [1., 10.])", "sort(x) = [1, 3]."),
        ("x = tf.Variable([3., 1.])\ny = tf.reduce_sum(tf.cumsum(x))", "cumsum(x) = [3, 4]."),
        (
            "x = tf.Variable([3., 1.])\nv, i = tf.nn.top_k(x, k=1)\ny = tf.reduce_sum(v)",
            "v = top₁(x) = 3.",
        ),
        (
            "x = tf.Variable([-1., 2.])\ny = tf.reduce_sum(tf.where(x > 0, x ** 2, -x))",
            "(x² if x > 0, else −x) = [1, 4].",
        ),
        ("x = tf.Variable(2.)\ny = x * tf.stop_gradient(x)", "y = x · stop(x) = 4."),
        (
            "x = tf.Variable([1., 2.])\ns = tf.scan(lambda a, v: a + v, x)\ny = s[1]",
            "s = stack(unstack(x)₀, unstack(x)₀ + unstack(x)₁) = [1, 3].",
        ),
        (
            "x = tf.Variable(2.)\nd = tf.gradients(x ** 3 + tf.exp(-x), x)[0]\ny = tf.gradients(d, x)[0]",
            "d = 3x² − exp(−x) = 11.86.",
        ),
    ],
)
def test_operations_are_called_as_they_were_written(lines: str, said: str) -> None:
    outcome, told = lesson(START + lines)
    assert said in english(told)
    assert internal_names(outcome, START + lines, told) == []


KERAS = """\
import tensorflow as tf
layer, last = tf.keras.layers.Dense(2, activation="relu", kernel_initializer="ones"), tf.keras.layers.Dense(1)
model = tf.keras.Sequential([layer, last])
x = tf.constant([[1., 2.]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(x))
g = tape.gradient(loss, model.trainable_variables)
"""


def test_a_layer_is_told_op_by_op_and_its_weights_have_its_words() -> None:
    told = english(steps(KERAS))
    assert "x kernel₁ = [[3, 3]]." in told
    assert "x kernel₁ + bias₁ = [[3, 3]]." in told
    assert "max(0, x kernel₁ + bias₁) = [[3, 3]]." in told
    assert not any("model" in text for text in told)


LARGE = """\
import tensorflow as tf
W = tf.Variable([[1., 2., 3.], [4., 5., 6.]])
y = tf.reduce_sum(W * W) + tf.reduce_sum(W)
train = tf.train.GradientDescentOptimizer(0.1).minimize(y)
"""


def test_a_sum_of_many_numbers_is_said_without_them() -> None:
    told = steps(LARGE)
    assert "W is used 3 times, so its three gradients are added, number by number." in english(told)
    assert "W 被用了 3 次，3 个梯度逐个相加。" in chinese(told)


def test_chinese_has_no_blank_between_its_own_words() -> None:
    closing = chinese(steps("x = [1, 2]\ny = x^2"))[-1]
    assert "y 各数的和大约变化" in closing
