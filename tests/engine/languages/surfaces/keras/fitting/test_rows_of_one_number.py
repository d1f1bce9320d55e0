"""Rows of one number without their last axis, a `loss` of one's own, and shapes in summaries: as in Keras."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

START = "import tensorflow as tf, numpy as np\nfrom tensorflow.keras import layers\n"


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(START + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


def test_a_model_that_has_seen_rows_of_one_number_takes_numbers() -> None:
    source = """m = tf.keras.Sequential([layers.Dense(1, kernel_initializer="ones")])
m.compile(loss="mse", optimizer="sgd")
m.fit(np.array([[1.0], [2.0]]), np.array([1.0, 2.0]), verbose=0)
print(m.predict(np.array([17.0]), verbose=0))"""
    assert printed(source) == "[[17.]]"


def test_a_model_may_have_a_loss_of_its_own_until_it_is_compiled() -> None:
    source = """class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.loss = []
m = Net()
print(m.loss)
m.compile(loss="mse")
print(m.loss)"""
    assert printed(source) == "[]\nmse"


def test_a_sequential_model_with_an_input_keeps_none_for_the_batch_inside_of_another() -> None:
    source = """class Coder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = tf.keras.Sequential([layers.Input(shape=(4,)), layers.Dense(2)])
        self.decoder = tf.keras.Sequential([layers.Dense(4)])
    def call(self, x):
        return self.decoder(self.encoder(x))
m = Coder()
m.compile(optimizer="sgd", loss="mse")
x = tf.zeros((64, 4))
m.fit(x, x, verbose=0, shuffle=False)
m.encoder.summary()
m.decoder.summary()"""
    text = printed(source)
    assert "(None, 2)" in text
    assert "(32, 4)" in text
