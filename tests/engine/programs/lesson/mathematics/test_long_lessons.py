"""A lesson that would have more than 500 steps says what it leaves out, and adds up all the same."""

from __future__ import annotations

import math

import pytest

from tests.engine.programs.lesson.mathematics.lessons import (
    Steps,
    array,
    chinese,
    english,
    of_phase,
    steps,
    wrong_totals,
)

pytestmark = pytest.mark.slow  # each graph has hundreds of operations

DEEP = """
import tensorflow as tf
x = tf.Variable(0.5)
w = tf.Variable(1.01)
h = x
for _ in range(150):
    h = tf.tanh(w * h)
g = tf.gradients(h, [x, w])
"""
SCOPES = """
import tensorflow as tf
x = tf.Variable(0.5)
h = x
{layers}
y = 3. * h
g = tf.gradients(y, x)
"""
LAYER = "with tf.name_scope('layer{k}'):\n{lines}"
LINES = "".join(f"    h = h * 1.01 + {n}\n" for n in range(70))


def rest(told: Steps, phase: str) -> Steps:
    return [step for step in of_phase(told, phase) if step.get("about") == "rest"]


def test_a_line_that_runs_again_and_again_is_told_three_times() -> None:
    told = steps(DEEP)
    forward, back = rest(told, "forward"), rest(told, "backward")
    h = 0.5
    for _ in range(149):
        h = math.tanh(1.01 * h)
    assert english(forward) == [
        f"Line 7 runs 147 times more in the same way, which is left out here. After that h₁₄₉ = {h:.4g}."
    ]
    assert chinese(forward) == [f"第 7 行以同样的方式再执行 147 次，这里略去。此后 h₁₄₉ = {h:.4g}。"]
    assert english(back)[0].startswith("The way back through line 7, 147 times in the same way, is left out")
    assert len(of_phase(told, "backward")) == 7  # tanh and the product three times, and what is left out
    assert wrong_totals(told) == []


def test_without_such_lines_each_scope_is_one_step() -> None:
    layers = "".join(LAYER.format(k=k, lines=LINES) for k in range(2))
    told = steps(SCOPES.format(layers=layers))
    assert [text.partition(",")[0] for text in english(rest(told, "forward"))] == [
        "layer0 has 140 operations",
        "layer1 has 140 operations",
    ]
    (close,) = of_phase(told, "close")
    assert array(close["output"]["value"]) == pytest.approx(3 * 1.01**140, rel=1e-4)
    assert wrong_totals(told) == []
