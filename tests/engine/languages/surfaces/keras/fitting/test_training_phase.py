"""What differs in training: averages of frozen layers, what was said when a model was made, draws in steps.

Expected: TensorFlow 2.21 with Keras 3.15.
"""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
K = tf.keras
L = K.layers
x = np.full((4, 1), 3.0, "float32")
i = K.Input((1,))
def flat(t):
    return [round(float(v), 4) for v in np.ravel(t)]
"""


def answered(source: str) -> Any:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    return answer


def test_a_frozen_batch_normalization_goes_by_its_averages_in_training() -> None:
    source = """
b = L.BatchNormalization(epsilon=0.0)
b(x, training=True)
b.trainable = False
print(flat(b(x, training=True)[0]), flat(b.moving_mean))
"""
    assert answered(source)["printed"] == ["[2.985] [0.03]"]


def test_training_of_the_model_holds_over_what_was_said_when_it_was_made() -> None:
    source = """
b = L.BatchNormalization()
m = K.Model(i, b(i, training=False))
m(x)
print(flat(b.moving_mean))
m(x, training=True)
print(flat(b.moving_mean))
"""
    answer = answered(source)
    assert answer["printed"] == ["[0.0]", "[0.03]"]
    assert [note["code"] for note in answer["diagnostics"]] == ["training_of_the_model"]


def test_random_numbers_of_a_step_are_those_of_the_function_that_keras_makes_of_it() -> None:
    source = """
class Noise(L.Layer):
    def call(self, x, training=None):
        if training:
            return x + tf.random.normal(tf.shape(x)) + tf.random.uniform(tf.shape(x)) * 0.1
        return x
K.utils.set_random_seed(3)
m = K.Sequential([K.Input((2,)), Noise(), L.Dense(1)])
m.compile("sgd", "mse")
x, y = np.ones((10, 2), "float32"), np.ones((10, 1), "float32")
print(flat(m.fit(x, y, epochs=3, batch_size=4, verbose=0).history["loss"]))
print(flat(m.fit(x, y, epochs=2, batch_size=5, verbose=0).history["loss"]), flat(tf.random.normal((2,))))
"""
    assert answered(source)["printed"] == ["[5.6262, 5.5699, 4.4344]", "[2.6596, 1.4949] [-0.8296, -1.8266]"]


def test_a_summary_has_the_size_of_the_batches_where_all_are_of_one() -> None:
    source = """
for size in (2, 3):
    m = K.Sequential([L.Dense(2)])
    m.compile("sgd", "mse")
    m.fit(x, x, batch_size=size, verbose=0)
    m.summary()
"""
    lines = [line for line in "\n".join(answered(source)["printed"]).splitlines() if "(Dense)" in line]
    assert [line.split("│")[2].strip() for line in lines] == ["(2, 2)", "(None, 2)"]


def test_attention_takes_two_names_of_layers_that_keras_makes_inside() -> None:
    source = "L.MultiHeadAttention(1, 2)(x[None], x[None])\nprint(L.Dropout(0.1).name, L.Softmax().name)"
    assert answered(source)["printed"] == ["dropout_1 softmax_1"]


def test_layers_are_normalized_along_other_axes_than_the_last() -> None:
    source = """
t = np.arange(8, dtype="float32").reshape(1, 2, 4)
n = L.LayerNormalization(axis=1, epsilon=0.0)
print(flat(n(t)), n.gamma.shape, L.LayerNormalization(axis=[1, 2])(t).shape)
"""
    expected = "[-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0] (2,) (1, 2, 4)"
    assert answered(source)["printed"] == [expected]


def test_inputs_of_a_model_that_is_not_built_may_be_tensors_or_lists() -> None:
    source = """
for given in (tf.constant(x), x.tolist(), [x]):
    m = K.Sequential([L.Dense(1, kernel_initializer="ones")])
    m.compile("sgd", "mse")
    print(flat(m.predict(given, verbose=0)))
    m = K.Sequential([L.Dense(1, kernel_initializer="zeros")])
    m.compile("sgd", "mse")
    print(flat(m.fit(given, x, verbose=0).history["loss"]))
"""
    expected = ["[3.0, 3.0, 3.0, 3.0]", "[9.0]"]
    assert answered(source)["printed"] == [*expected, *expected, *expected]


def test_a_model_of_the_program_does_not_know_the_shapes_of_layers_that_are_not_built() -> None:
    source = """
class Net(K.Model):
    def __init__(self):
        super().__init__()
        self.parts = [L.Dense(2), L.ReLU(), L.Dropout(0.1), L.Dense(1)]
    def call(self, x):
        for part in self.parts:
            x = part(x)
        return x
m = Net()
m(x)
m.summary()
m = K.Sequential([K.Input((1,)), L.Dense(2), L.ReLU()])
m.summary()
"""
    lines = "\n".join(answered(source)["printed"]).splitlines()
    shapes = [line.split("│")[2].strip() for line in lines if line.startswith("│")]
    assert shapes == ["(4, 2)", "?", "?", "(4, 1)", "(None, 2)", "(None, 2)"]
