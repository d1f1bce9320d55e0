"""What goes into a Sequential model, and lengths that are not known yet; as Keras 3.15 prints them."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        ("m = Q([L.Dense(2, input_shape=(4,)), L.Dense(1)])", "(None, 4) (None, 1)"),
        ("m = Q([L.Flatten(), L.Dense(1)])\nm.build((None, 5, 2))", "(None, 5, 2) (None, 1)"),
        ("m = Q([L.Dense(1)])\nm(np.ones((7, 3)))", "(7, 3) (7, 1)"),
        (
            "m = Q([L.Dropout(0.5), L.Dense(1)])\nm.compile('sgd', 'mse')\n"
            "m.fit(np.ones((7, 3)), np.ones((7, 1)), verbose=0)",
            "(None, 3) (None, 1)",
        ),
    ],
)
def test_a_sequence_knows_what_goes_in_as_soon_as_it_is_built(made: str, shown: str) -> None:
    assert printed(f"Q = tf.keras.Sequential\n{made}\nprint(m.input_shape, m.output_shape)") == [shown]


def test_a_length_that_is_not_known_yet_is_a_tensor() -> None:
    assert printed(
        """
from keras import ops
class Noisy(L.Layer):
    def call(self, x):
        n = ops.shape(x)[0]
        flat = ops.reshape(ops.reshape(x, (n, 2, -1)), (-1, ops.shape(x)[1]))
        return flat + tf.keras.random.normal(ops.shape(x), stddev=0.0) + ops.ones((n, 1))
i = tf.keras.Input((4,))
m = tf.keras.Model(i, Noisy()(i))
print(m.output_shape, m(np.arange(8.).reshape(2, 4)).numpy().tolist(), ops.shape(tf.ones((2, 3))))
"""
    ) == ["(None, 4) [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]] (2, 3)"]


def test_numbers_are_rounded_to_digits_behind_the_point() -> None:
    assert printed(
        "from keras import ops\nprint(ops.round(ops.array([1.2345, 2.5]), 2), ops.round([0.5, 1.5]).numpy())"
    ) == ["tf.Tensor([1.23 2.5 ], shape=(2,), dtype=float32) [0. 2.]"]
