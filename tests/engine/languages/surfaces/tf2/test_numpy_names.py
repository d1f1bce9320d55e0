"""`tf.experimental.numpy`; numbers and types from TensorFlow 2.21."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = """import tensorflow as tf
import tensorflow.experimental.numpy as tnp
x = tf.constant([[1.0, -2.0], [3.0, 4.0]])
i = tf.constant([1, 2])
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("tnp.array([1.0, 2.0])", "[1.0, 2.0] float64"),
        ("tnp.array([1, 2], dtype=tnp.float32)", "[1.0, 2.0] float32"),
        ("tnp.zeros((2,))", "[0.0, 0.0] float64"),
        ("tnp.arange(3)", "[0, 1, 2] int64"),
        ("tnp.linspace(0, 1, 3)", "[0.0, 0.5, 1.0] float64"),
        ("tnp.ones_like(i)", "[1, 1] int32"),
        ("tnp.maximum(x, 0)", "[[1.0, 0.0], [3.0, 4.0]] float32"),
        ("tnp.add(i, 1.5)", "[2.5, 3.5] float64"),
        ("tnp.add(i, x)", "[[2.0, 0.0], [4.0, 6.0]] float64"),
        ("tnp.mean(i)", "1.5 float64"),
        ("tnp.mean(x, axis=0)", "[2.0, 1.0] float32"),
        ("tnp.sum(i)", "3 int64"),
        ("tnp.var(x)", "5.25 float32"),
        ("tnp.sqrt(4.0)", "2.0 float64"),
        ("tnp.power(x, 2)", "[[1.0, 4.0], [9.0, 16.0]] float32"),
        ("tnp.dot(x, x)", "[[-5.0, -10.0], [15.0, 10.0]] float32"),
        ("tnp.argmax(x)", "3 int64"),
        ("tnp.where(x > 0, x, 0)", "[[1.0, 0.0], [3.0, 4.0]] float32"),
        ("tnp.clip(x, 0, 1)", "[[1.0, 0.0], [1.0, 1.0]] float32"),
        ("tnp.transpose(x)", "[[1.0, 3.0], [-2.0, 4.0]] float32"),
        ("tnp.reshape(x, -1)", "[1.0, -2.0, 3.0, 4.0] float32"),
    ],
)
def test_values_have_numpys_types(call: str, expected: str) -> None:
    assert printed(f"y = {call}\nprint(y.numpy().tolist(), y.dtype.name)") == [expected]


def test_gradients_go_through_the_functions() -> None:
    source = """
w = tf.Variable([[0.5], [-1.0]])
with tf.GradientTape() as tape:
    y = tnp.mean(tnp.square(tnp.dot(x, w) - tnp.array([[1.0], [0.0]], dtype='float32')))
print(y.numpy(), tape.gradient(y, w).numpy().tolist())
"""
    # dot = [2.5, -2.5], less the targets r = [1.5, -2.5]: (2.25 + 6.25) / 2, and x^T r
    assert printed(source) == ["4.25 [[-6.0], [-13.0]]"]


def test_a_layer_of_numpys_functions_is_trained() -> None:
    source = """
class Dense(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(shape[1], 1), initializer='ones')
    def call(self, inputs):
        return tnp.maximum(tnp.matmul(inputs, self.w), 0)
model = tf.keras.Sequential([Dense()])
model.compile('sgd', lambda y, p: tnp.mean(tnp.square(y - p), axis=-1))
model.fit(x, tf.constant([[0.0], [6.0]]), epochs=1, verbose=0)
print(model.get_weights()[0].tolist())
"""
    # p = relu([-1, 7]) = [0, 7]; dL/dw = 2 * 1 * [3, 4] / 2, times 0.01
    assert printed(source) == ["[[0.9700000286102295], [0.9599999785423279]]"]


def test_what_numpy_behaviour_would_change_is_noted() -> None:
    answer = run_program(ProgramRequest(BEGIN + "tnp.experimental_enable_numpy_behavior()", dialect="tf2"))
    assert [one["code"] for one in answer["diagnostics"]] == ["numpy_behavior"]


def test_texts_are_refused() -> None:
    answer = run_program(ProgramRequest(BEGIN + "tnp.square(tf.constant('a'))", dialect="tf2"))
    assert answer["status"] == "error"
    assert "tf.experimental.numpy computes with numbers" in answer["diagnostics"][0]["message"]
