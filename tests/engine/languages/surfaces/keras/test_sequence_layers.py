"""Layers along rows and in both directions give what Keras 3 under TensorFlow 2.21 gave."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

BEGIN = """
import tensorflow as tf
import numpy as np
L = tf.keras.layers
x = np.arange(6.0).reshape(1, 6, 1)
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"]).split("\n")


def test_a_filter_along_rows_adds_up_its_neighbours() -> None:
    assert printed(
        """
for padding in ("valid", "same", "causal"):
    layer = L.Conv1D(1, 3, padding=padding, kernel_initializer="ones")
    print(layer(x).numpy().reshape(-1).tolist(), layer.kernel.shape)
print(L.Conv1D(1, 3, strides=2, kernel_initializer="ones")(x).numpy().reshape(-1).tolist())
print(L.Conv1D(1, 2, dilation_rate=3, kernel_initializer="ones")(x).numpy().reshape(-1).tolist())
"""
    ) == [
        "[3.0, 6.0, 9.0, 12.0] (3, 1, 1)",
        "[1.0, 3.0, 6.0, 9.0, 12.0, 9.0] (3, 1, 1)",
        "[0.0, 1.0, 3.0, 6.0, 9.0, 12.0] (3, 1, 1)",
        "[3.0, 9.0]",
        "[3.0, 5.0, 7.0]",
    ]


def test_windows_along_rows_and_their_shapes() -> None:
    assert printed(
        """
largest, mean = L.MaxPooling1D()(x), L.AveragePooling1D(2, 1)(x)
print(largest.numpy().reshape(-1).tolist(), mean.numpy().reshape(-1).tolist())
model = tf.keras.Sequential([tf.keras.Input((6, 1)), L.Conv1D(4, 3), L.MaxPool1D(2), L.GlobalMaxPool1D()])
print([layer.output_shape for layer in model.layers])
"""
    ) == ["[1.0, 3.0, 5.0] [0.5, 1.5, 2.5, 3.5, 4.5]", "[(None, 4, 4), (None, 2, 4), (None, 4)]"]


def test_a_layer_in_both_directions_reads_from_either_end() -> None:
    """With weights of 1 and no activation, each state is the sum of what was read."""
    assert printed(
        """
def layer(**more):
    return L.SimpleRNN(1, None, kernel_initializer="ones", recurrent_initializer="ones", **more)
print(L.Bidirectional(layer())(x).numpy().tolist())
print(L.Bidirectional(layer(return_sequences=True), merge_mode="sum")(x).numpy().reshape(-1).tolist())
both = L.Bidirectional(layer(return_sequences=True), merge_mode=None)
print([one.numpy().reshape(-1).tolist() for one in both(x)])
print(both.backward_layer(x).numpy().reshape(-1).tolist(), [one.path for one in both.weights][3])
"""
    ) == [
        "[[15.0, 15.0]]",
        "[15.0, 16.0, 17.0, 18.0, 19.0, 20.0]",
        "[[0.0, 1.0, 3.0, 6.0, 10.0, 15.0], [15.0, 15.0, 14.0, 12.0, 9.0, 5.0]]",
        "[5.0, 9.0, 12.0, 14.0, 15.0, 15.0] bidirectional_2/backward_simple_rnn_2/simple_rnn_cell/kernel",
    ]


def test_what_is_no_recurrent_layer_is_refused() -> None:
    answer = run_program(ProgramRequest(BEGIN + "L.Bidirectional(L.Dense(1))"))
    [mistake] = answer["diagnostics"]
    assert mistake["message"] == "Bidirectional takes a recurrent layer: SimpleRNN, GRU or LSTM."


def test_a_weight_may_be_named_first_as_before_keras_3() -> None:
    assert printed(
        """
class Own(L.Layer):
    def __init__(self):
        super().__init__()
        self.w = self.add_variable("w", [2, 1], initializer="ones")
print(Own().w.name, Own().w.numpy().tolist())
"""
    ) == ["w [[1.0], [1.0]]"]


def test_what_stands_by_place_is_not_given_by_name_again() -> None:
    answer = run_program(ProgramRequest(BEGIN + "L.Layer().add_weight('w', name='v')"))
    [mistake] = answer["diagnostics"]
    assert mistake["message"] == "add_weight() got the argument `name` twice."
