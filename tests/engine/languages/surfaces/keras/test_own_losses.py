"""A loss of the program's own, as Keras 3 under TensorFlow 2.21 takes it."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program
from tests.engine.languages.surfaces.keras.test_fitting import printed as keras_printed

BEGIN = """
import tensorflow as tf
class Distance(tf.keras.losses.Loss):
    def call(self, y_true, y_pred):
        return tf.abs(y_true - y_pred)
class Squares(tf.keras.losses.Loss):
    def __init__(self, times):
        super().__init__(name="squares", reduction="sum")
        self.times = times
    def call(self, y_true, y_pred):
        return self.times * tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)
y, p = [[1], [2]], tf.constant([[1.5], [4.0]])
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"]).split("\n")


def test_the_mean_is_taken_of_what_call_gives_or_the_sum() -> None:
    assert printed("print(Distance()(y, p).numpy(), Squares(3.0)(y, p).numpy(), Squares(1.0).name)") == [
        "1.25 12.75 squares"  # (0.5 + 2) / 2 and 3 (0.25 + 4)
    ]


def test_each_example_has_its_weight() -> None:
    assert printed("print(Distance()(y, p, sample_weight=[1.0, 3.0]).numpy())") == ["3.25"]  # (0.5 + 6) / 2


def test_compile_takes_one() -> None:
    assert printed(
        """
model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
model.compile("sgd", Squares(2.0))
print(model.evaluate(tf.constant([[1.0], [2.0]]), tf.constant([[2.0], [5.0]]), verbose=0))
"""
    ) == ["20.0"]  # 2 (1 + 9)


def test_one_without_call_is_a_mistake() -> None:
    answer = run_program(ProgramRequest(BEGIN + "tf.keras.losses.Loss()(y, p)"))
    assert answer["diagnostics"][0]["message"] == "Loss has no method `call`, which computes the loss."


def test_a_class_of_keras_computes_arrays_of_float64_in_float32() -> None:
    """Its function keeps them as they are."""
    assert keras_printed(
        """
K = tf.keras.losses
t, p = np.array([[0., 1.], [1., 0.]]), np.array([[.3, .7], [.6, .4]])
print(K.BinaryCrossentropy()(t, p).dtype.name, K.mse(t, p).dtype.name)
print(K.MeanSquaredError(dtype="float64")(t, p).dtype.name)
"""
    ) == ["float32 float64", "float64"]
