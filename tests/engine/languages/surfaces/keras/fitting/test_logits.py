"""Crossentropies of a softmax or sigmoid: from its input, where Keras knows it.

Expected: TensorFlow 2.21 with Keras 3.15. The input is so large that shares are 1 and 0 in float32.
"""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
K = tf.keras
y, z = tf.constant([[0., 0., 1.]]), tf.constant([[90., 0., 3.]])
b, zb = tf.constant([[0.]]), tf.constant([[40.]])
three = K.losses.CategoricalCrossentropy()
two = K.losses.BinaryCrossentropy()
ident = K.initializers.Identity()
def built(activation, loss="categorical_crossentropy", **settings):
    m = K.Sequential([K.Input((3,)), K.layers.Dense(3, kernel_initializer=ident, activation=activation)])
    metrics = ["categorical_crossentropy", K.metrics.CategoricalCrossentropy(name="c")]
    m.compile("sgd", loss, metrics=metrics, **settings)
    return np.round(m.evaluate(z, y, verbose=0), 2).tolist()
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


KNOWN, LOST = "87.0 87.0 87.0", "16.118 16.118 16.118"


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ("K.activations.softmax(z)", KNOWN),
        ("K.ops.softmax(z)", KNOWN),
        ("K.layers.Softmax()(z)", KNOWN),
        ("K.layers.Dense(3, kernel_initializer=ident, activation='softmax')(z)", KNOWN),
        ("tf.nn.softmax(z)", LOST),
        ("K.layers.Activation(tf.nn.softmax)(z)", LOST),
        ("tf.identity(K.activations.softmax(z))", LOST),
    ],
)
def test_outside_of_a_function_only_activations_of_keras_know_their_input(shares: str, expected: str) -> None:
    said = "K.metrics.CategoricalCrossentropy()(y, p), K.metrics.categorical_crossentropy(y, p)[0]"
    source = f"p = {shares}\nprint(*[round(float(v), 3) for v in (three(y, p), {said})])"
    assert printed(source) == [expected]


@pytest.mark.parametrize(
    ("share", "expected"),
    [("K.activations.sigmoid(zb)", "40.0"), ("K.ops.sigmoid(zb)", "40.0"), ("tf.sigmoid(zb)", "15.942")],
)
def test_the_same_of_a_sigmoid(share: str, expected: str) -> None:
    assert printed(f"print(round(float(two(b, {share})), 3))") == [expected]


def test_in_a_function_any_softmax_is_known() -> None:
    source = "print(float(tf.function(lambda z: three(y, tf.nn.softmax(z)))(z)))\nprint(built(tf.nn.softmax))"
    assert printed(source) == ["87.0", "[87.0, 87.0, 87.0]"]


def test_a_metric_is_computed_from_logits_whatever_the_loss() -> None:
    assert printed("print(built('softmax', 'mse'))") == ["[0.67, 87.0, 87.0]"]


def test_a_step_that_runs_eagerly_knows_what_keras_made() -> None:
    source = "print(built(tf.nn.softmax, run_eagerly=True), built('softmax', run_eagerly=True))"
    assert printed(source) == ["[16.12, 16.12, 16.12] [87.0, 87.0, 87.0]"]


def test_every_crossentropy_takes_what_went_into_keras_own_activation() -> None:
    assert printed(
        """
x, y = tf.constant([[1., 2., 3.]]), np.array([[.25, .5, .75]], "float32")
K, A = tf.keras.losses, tf.keras.activations
for shares in (tf.nn.softmax(x), A.softmax(x)):
    print(K.binary_crossentropy(y, shares).numpy().round(5))
c = np.eye(3, dtype="float32")[:1]
for shares in (A.sigmoid(x), tf.sigmoid(x)):
    print(K.categorical_crossentropy(c, shares).numpy().round(5))
"""
    ) == ["[0.6987]", "[0.99626]", "[2.40761]", "[1.255]"]
