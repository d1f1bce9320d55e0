"""What an epoch gives where the program writes the step. Expected: TensorFlow 2.21 with Keras 3.15."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
K = tf.keras
class Own(K.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((y - self(x, training=True)) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return self.said(loss)
def history(kind, **settings):
    i = K.Input((1,))
    m = kind(i, K.layers.Dense(1, kernel_initializer="ones", use_bias=False)(i))
    m.compile(K.optimizers.SGD(0.25), "mse", **settings)
    return m.fit(np.ones((2, 1)), np.zeros((2, 1)), epochs=2, verbose=0).history
"""


def answered(source: str) -> Any:
    return run_program(ProgramRequest(BEGIN + source, dialect="tf2"))


def test_a_loss_by_the_name_of_keras_own_mean_is_that_mean() -> None:
    source = "class A(Own):\n    def said(self, loss):\n        return {'loss': loss}\nprint(history(A))"
    answer = answered(source)
    assert answer["printed"] == ["{'loss': [0.0, 0.0]}"]
    assert [note["code"] for note in answer["diagnostics"]] == ["loss_not_followed"]


def test_another_name_is_shown_as_the_step_gives_it() -> None:
    source = "class A(Own):\n    def said(self, loss):\n        return {'mine': loss}\nprint(history(A))"
    assert answered(source)["printed"] == ["{'mine': [1.0, 0.25]}"]


def test_metrics_of_compile_that_a_step_leaves_out_have_no_result() -> None:
    source = (
        "class A(Own):\n    def said(self, loss):\n        return {'loss': loss}\nhistory(A, metrics=['mae'])"
    )
    (error,) = answered(source)["diagnostics"]
    assert error["message"] == "Cannot get result() since the metric has not yet been built."


def test_evaluate_lists_what_an_own_step_says_in_the_order_of_the_metrics() -> None:
    answer = run_program(
        ProgramRequest(
            """
import keras
import numpy as np
class Own(keras.Model):
    def test_step(self, data):
        x, y = data
        p = self(x, training=False)
        loss = self.compute_loss(x=x, y=y, y_pred=p)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, p)
        return {m.name: m.result() for m in self.metrics}
i = keras.Input((1,))
m = Own(i, keras.layers.Dense(1, kernel_initializer="ones")(i))
m.compile("sgd", "mse", metrics=["mae"])
x = np.array([[1.], [3.]])
print(m.evaluate(x, 0 * x, verbose=0), m.name, m.loss)
"""
        )
    )
    assert answer["printed"] == ["[5.0, 2.0] own mse"], answer["diagnostics"]
