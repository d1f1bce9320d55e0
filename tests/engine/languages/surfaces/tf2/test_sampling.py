"""Random numbers that a seed decides: TensorFlow 2.21's own, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ops.sources.philox import (
    key_and_counter,
    normal_of,
    philox,
    uniform_of,
    whole_of,
)
from engine.programs import ProgramRequest, run_program


def test_philox_gives_the_words_that_tensorflow_gives() -> None:
    words = philox(np.array([[0, 0, 0, 0], [1, 0, 0, 0]], dtype=np.uint64), (1, 0))
    assert words.reshape(-1).tolist() == [
        *(3823634032, 3842641596, 2515673792, 3054873127),
        *(2886210587, 3754282174, 2042657351, 2817941651),
    ]


def test_a_seed_begins_where_tensorflow_begins() -> None:
    (low, high), counter = key_and_counter((1, 2))
    assert low | (high << 32) == 10413732777507651514
    assert counter == 17830669156045600267 << 64


def test_uniform_numbers_are_tensorflows_bit_for_bit() -> None:
    start = key_and_counter((1, 2))
    bits = uniform_of(start, 5, "float32").view(np.int32).tolist()
    assert bits == [1062736984, 1044686728, 1065289852, 1042562200, 1049313868]
    assert int(uniform_of(key_and_counter((3, 2)), 40, "float64").view(np.int64).sum()) == (
        -422026346222938664
    )
    assert whole_of(start, 6, (0, 10), "int32").tolist() == [0, 9, 4, 9, 7, 5]


def test_normal_numbers_are_tensorflows_up_to_the_last_digit() -> None:
    drawn = normal_of(key_and_counter((3, 2)), 6, "float32").view(np.int32)
    theirs = [1052470734, -1095034572, 1057259468, 1061150431, -1072586537, -1145889136]
    assert np.abs(drawn - theirs).max() <= 2  # units in the last place: sine and logarithm are others'


def test_a_counter_goes_on_beyond_64_bits() -> None:
    last = (1 << 64) - 1
    whole = uniform_of(((5, 6), last), 8, "float32")
    assert whole[:4].tolist() == uniform_of(((5, 6), last), 4, "float32").tolist()
    assert whole[4:].tolist() == uniform_of(((5, 6), 1 << 64), 4, "float32").tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tf.random.stateless_uniform([2], seed=1)", "`seed` takes two whole numbers."),
        (
            "tf.random.stateless_uniform([2], [1, 2], 5, 5, tf.int32)",
            "Need minval < maxval, got 5 >= 5",
        ),
        ("tf.random.stateless_uniform([2], [1, 2], dtype=tf.int32)", "For whole numbers `maxval` is needed."),
    ],
)
def test_what_cannot_be_drawn_is_refused(call: str, message: str) -> None:
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{call}", dialect="tf2"))
    errors = [one["message"] for one in answer["diagnostics"] if one["severity"] == "error"]
    assert errors == [message]
