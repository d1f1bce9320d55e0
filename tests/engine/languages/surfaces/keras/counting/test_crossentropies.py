"""Crossentropies as metrics, of logits and of smoothed labels: what Keras 3.15 printed."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed

EXPECTED = {
    "BinaryCrossentropy(from_logits=True)": "0.652011",
    "BinaryCrossentropy(label_smoothing=0.1)": "0.465069",
    "CategoricalCrossentropy(from_logits=True, label_smoothing=0.2)": "0.585577",
    "CategoricalCrossentropy()": "0.43375",
}
PAIR = "t, p = np.array([[0., 1.], [1., 0.]]), np.array([[.3, .7], [.6, .4]])\n"


@pytest.mark.parametrize("made", EXPECTED)
def test_a_crossentropy_of_two_rows(made: str) -> None:
    update = f"m = tf.keras.metrics.{made}\nm.update_state(t, p)\nprint(round(float(m.result()), 6))"
    assert printed(PAIR + update) == [EXPECTED[made]]


def test_a_crossentropy_of_logits_by_the_number_of_the_class() -> None:
    assert printed(
        PAIR
        + """
m = tf.keras.metrics.SparseCategoricalCrossentropy(from_logits=True, name="s")
m.update_state(np.array([1, 0]), p)
print(m.name, round(float(m.result()), 6))
"""
    ) == ["s 0.555577"]
