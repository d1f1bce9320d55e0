"""`keras.Variable`: what Keras 3.15 prints."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("keras.Variable([1., 2.])", ["<Variable path=variable, shape=(2,), dtype=float32, value=[1. 2.]>"]),
        (
            "keras.Variable(3, dtype='float32', name='w')",
            ["<Variable path=w, shape=(), dtype=float32, value=3.0>"],
        ),
        ("keras.Variable(np.zeros(2)).dtype", ["float64"]),
        (
            "keras.Variable('ones', (2,))",
            ["<Variable path=variable, shape=(2,), dtype=float32, value=[1. 1.]>"],
        ),
        ("keras.Variable(initializer='uniform', shape=(2, 2)).numpy()[0].round(5)", ["[ 0.00157 -0.01909]"]),
    ],
)
def test_a_variable_has_a_value_or_a_rule_and_a_shape(call: str, shown: list[str]) -> None:
    assert printed(f"import keras\nkeras.utils.set_random_seed(0)\nprint({call})") == shown


def test_a_variable_is_differentiated_and_trained_and_belongs_to_its_layer() -> None:
    assert printed(
        """
import keras
class Scale(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.k = keras.Variable([2.0], name="k")
    def call(self, x):
        return x * self.k
layer = Scale()
with tf.GradientTape() as tape:
    y = keras.ops.sum(layer(tf.ones((3, 1))) ** 2)
g = tape.gradient(y, layer.trainable_weights)
keras.optimizers.SGD(0.1).apply_gradients(zip(g, layer.weights))
print(g[0].numpy(), layer.k.numpy().round(4), len(layer.weights), layer.k.ndim)
"""
    ) == ["[12.] [0.8] 1 1"]


def test_a_rule_without_a_shape_is_refused() -> None:
    assert printed(
        "import keras\ntry:\n    keras.Variable('ones')\nexcept ValueError as e:\n    print(str(e)[:60])"
    ) == ["When creating a Variable from an initializer, the `shape` ar"]
