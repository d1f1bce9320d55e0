"""Which turns of a sequence count, from layer to layer. Expected: TensorFlow 2.21 with Keras 3.15."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
L = tf.keras.layers
ones = dict(kernel_initializer="ones", recurrent_initializer="ones")
turns = tf.constant([[[1.], [0.], [0.5]]])
h = L.Masking()(turns)
def rounded(x):
    return [round(float(v), 4) for v in x.numpy().ravel()]
def pooled(x):
    return rounded(L.GlobalAveragePooling1D()(x))
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        ("L.SimpleRNN(1, return_sequences=True, **ones)", "[0.7616, 0.7616, 0.8515]"),
        ("L.Bidirectional(L.SimpleRNN(1, return_sequences=True, **ones))",
         "[0.7616, 0.8981, 0.0, 0.0, 0.8515, 0.4621]"),
        ("L.Bidirectional(L.SimpleRNN(1, **ones))", "[0.8515, 0.8981]"),
    ],
)  # fmt: skip
def test_a_mask_reaches_a_layer_that_the_program_calls_by_hand(layer: str, expected: str) -> None:
    assert printed(f"print(rounded({layer}(h)))") == [expected]


def test_a_mask_may_be_given() -> None:
    given = "mask=tf.constant([[True, False, True]])"
    assert printed(f"print(rounded(L.SimpleRNN(1, **ones)(turns, {given})))") == ["[0.8515]"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("L.Dropout(0.1)(h)", "[0.75]"),
        ("L.Lambda(lambda t: t * 2.)(h)", "[1.0]"),  # it ends behind a function
        ("L.Add()([h, h])", "[1.5]"),
        ("L.Add()([h, turns])", "[1.0]"),  # it ends where another input has none
        ("L.Concatenate()([h, turns])", "[0.5, 0.5]"),  # all count that count in one of them
        ("L.Concatenate(axis=1)([h, turns])", "[0.6]"),
        ("L.Bidirectional(L.SimpleRNN(1, return_sequences=True, **ones))(h)", "[0.8065, 0.6801]"),
    ],
)
def test_a_mask_holds_or_ends_behind_a_layer(value: str, expected: str) -> None:
    assert printed(f"print(pooled({value}))") == [expected]


def test_attention_leaves_out_places_of_the_value_and_zeros_those_of_the_query() -> None:
    assert printed("print(rounded(L.Attention()([h, h])))") == ["[0.8112, 0.0, 0.7811]"]


def test_attention_with_heads_takes_the_mask_off_what_it_is_given() -> None:
    source = "a = L.MultiHeadAttention(1, 2)(h, h)\nprint(pooled(h))"
    assert printed(source) == ["[0.5]"]


def test_attention_with_heads_leaves_the_masks_between_layers_of_a_model() -> None:
    source = """
i = tf.keras.Input((3, 1))
x = L.Masking()(i)
L.MultiHeadAttention(1, 2)(x, x)
a = L.MultiHeadAttention(1, 2)(x, x)
print(rounded(tf.keras.Model(i, [L.GlobalAveragePooling1D()(x), a])(turns)[0]))
"""
    assert printed(source) == ["[0.75]"]


def test_a_layer_of_the_program_is_given_the_mask_where_it_asks_for_it() -> None:
    source = """
class Counted(L.Layer):
    def call(self, inputs, mask=None):
        return inputs if mask is None else tf.where(mask[..., None], inputs, -1.0)
print(rounded(Counted()(h)), rounded(Counted()(turns)))
"""
    assert printed(source) == ["[1.0, -1.0, 0.5] [1.0, 0.0, 0.5]"]


def test_layers_say_which_mask_they_make() -> None:
    source = """
words = tf.constant([[1, 0]])
print(L.Embedding(4, 2, mask_zero=True).compute_mask(words).numpy(), L.Masking().compute_mask(turns).numpy())
print(L.Embedding(4, 2).compute_mask(words), L.Dense(2).compute_mask(turns, None))
"""
    assert printed(source) == ["[[ True False]] [[ True False  True]]", "None None"]


def test_metrics_of_sequences_leave_out_what_does_not_count() -> None:
    source = """
kernel = tf.constant_initializer([[-1., 1.]])
m = tf.keras.Sequential([L.Masking(), L.Dense(2, kernel_initializer=kernel, activation="softmax")])
m.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
print(np.round(m.evaluate(turns, np.array([[1, 0, 0]]), verbose=0), 4))
"""
    assert printed(source) == ["[0.7201 0.5   ]"]


SEQUENCES = """
tf.keras.utils.set_random_seed(6)
rs = np.random.RandomState(0)
A, D = rs.randint(0, 4, (6, 5)), rs.rand(6, 4, 5).astype("float32")
i, d = tf.keras.Input((None,)), tf.keras.Input((4, 5))
e = L.Embedding(9, 6, mask_zero=True)(i)
eo, h, c = L.LSTM(5, return_sequences=True, return_state=True)(e)
"""


def test_a_mask_holds_behind_a_layer_that_gives_its_states_as_well() -> None:
    """To attention and the mean over the turns, as Keras 3.15 printed."""
    assert printed(
        SEQUENCES
        + """
m = tf.keras.Model(i, L.Dense(1)(L.GlobalAveragePooling1D()(eo)))
print(m.predict(A, verbose=0).ravel()[:4].astype(float).round(5).tolist())
"""
    ) == ["[0.00168, 0.00357, 0.0013, 5e-05]"]
    assert printed(
        SEQUENCES
        + """
m = tf.keras.Model([i, d], L.Dense(1)(L.Flatten()(L.Attention()([d, eo]))))
print(m.predict([A, D], verbose=0).ravel()[:4].astype(float).round(5).tolist())
"""
    ) == ["[-0.01429, -0.0164, -0.00814, -0.00277]"]


def test_behind_attention_the_mask_of_the_query_holds() -> None:
    """The masked values, of five turns, do not mask the four turns of a query without a mask."""
    assert printed(
        SEQUENCES
        + """
at = L.Concatenate()([L.Attention()([d, eo]), d])
m = tf.keras.Model([i, d], L.Dense(1)(at))
m.compile("sgd", "mse")
print(m.fit([A, D], np.ones((6, 4, 1)), verbose=0).history["loss"][0] > 0)
"""
    ) == ["True"]


def test_a_mask_is_given_to_the_mean_over_the_turns() -> None:
    assert printed(
        """
x = tf.constant([[[1.], [3.], [8.]]])
print(L.GlobalAveragePooling1D()(x, mask=tf.constant([[True, True, False]])).numpy())
"""
    ) == ["[[2.]]"]
