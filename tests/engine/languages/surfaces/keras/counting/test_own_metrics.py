"""Metrics that a program writes as a class below `keras.metrics.Metric`: expected values from Keras 3.15."""

from __future__ import annotations

import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import keras
import tensorflow as tf
class Count(keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="count")
        self.n = self.add_weight(name="n", initializer="zeros")
    def update_state(self, y_true, y_pred, sample_weight=None):
        self.n.assign_add(tf.cast(tf.shape(y_true)[0], "float32"))
    def result(self):
        return self.n
keras.utils.set_random_seed(1)
x = np.random.random((20, 3))
y = x.sum(1, keepdims=True)
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"), Limits(wall_s=60))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_it_counts_from_call_to_call_until_it_is_reset() -> None:
    source = """
c = Count()
print(float(c(y, y)), float(c(y, y)))
c.reset_state()
print(float(c.result()), c.name)
"""
    assert printed(source) == ["20.0 40.0", "0.0 count"]


def test_fit_begins_it_anew_in_each_epoch() -> None:
    source = """
m = keras.Sequential([keras.layers.Dense(1)])
m.compile("sgd", "mse", metrics=["mae", Count()])
found = m.fit(x, y, epochs=2, batch_size=8, verbose=0, validation_data=(x, y)).history
print(list(found))
print(found["count"], found["val_count"])
print(found["loss"][0])
"""
    names, counts, loss = printed(source)
    assert names == "['count', 'loss', 'mae', 'val_count', 'val_loss', 'val_mae']"
    assert counts == "[20.0, 20.0] [20.0, 20.0]"
    assert float(loss) == pytest.approx(0.6847782731056213, rel=1e-6)


def test_a_model_that_lists_it_begins_it_anew_too() -> None:
    source = """
class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.d, self.c = keras.layers.Dense(1), Count()
    def call(self, x):
        return self.d(x)
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        kept = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, kept), kept))
        self.c.update_state(y, y)
        return {"count": self.c.result()}
    @property
    def metrics(self):
        return [self.c]
m = Own()
m.compile("sgd")
print(m.fit(x, y, epochs=2, verbose=0).history["count"])
"""
    assert printed(source) == ["[20.0, 20.0]"]
