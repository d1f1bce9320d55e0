"""Further activations of Keras 3.15, with their slopes, at corners too: what it printed."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed

EXPECTED = {
    "celu": "[-0.95, -0.632, 0.0, 1.0] [0.05, 0.368, 2.0, 1.0]",  # at 0 both parts have the slope 1
    "hard_shrink": "[-3.0, -1.0, 0.0, 1.0] [1.0, 1.0, 0.0, 1.0]",
    "hard_silu": "[-0.0, -0.333, 0.0, 0.667] [0.0, 0.167, 0.5, 0.833]",
    "hard_tanh": "[-1.0, -1.0, 0.0, 1.0] [0.0, 1.0, 1.0, 1.0]",
    "log_sigmoid": "[-3.049, -1.313, -0.693, -0.313] [0.953, 0.731, 0.5, 0.269]",
    "soft_shrink": "[-2.5, -0.5, 0.0, 0.5] [1.0, 1.0, 0.0, 1.0]",
    "sparse_plus": "[0.0, 0.0, 0.25, 1.0] [0.0, 0.0, 0.5, 1.0]",
    "sparse_sigmoid": "[0.0, 0.0, 0.5, 1.0] [0.0, 0.0, 0.5, 0.0]",
    "squareplus": "[0.303, 0.618, 1.0, 1.618] [0.084, 0.276, 0.5, 0.724]",
    "tanh_shrink": "[-2.005, -0.238, 0.0, 0.238] [0.99, 0.58, 0.0, 0.58]",
}


@pytest.mark.parametrize("name", EXPECTED)
def test_an_activation_and_its_slope_at_minus_three_minus_one_0_and_1(name: str) -> None:
    assert printed(
        f"""
x = tf.Variable([-3., -1., 0., 1.])
with tf.GradientTape() as t: y = tf.keras.activations.get("{name}")(x)
print(*[v.numpy().astype(float).round(3).tolist() for v in (y, t.gradient(y, x))])
"""
    ) == [EXPECTED[name]]


def test_glu_and_threshold() -> None:
    """3 sigmoid(-4) = 0.054; what is not above the threshold is the other value."""
    assert printed(
        """
a = tf.keras.activations
print(a.glu(tf.constant([[1., 3., 0., -4.]])).numpy().round(3))
print(a.threshold(tf.constant([0.1, 0.3]), 0.1, 0.7).numpy())
"""
    ) == ["[[0.5   0.054]]", "[0.7 0.3]"]
