"""Layers that bring examples to one size: what Keras 3.15 printed."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

X = "x = tf.constant([[[1., 3., 10., 20.], [5., 7., 30., 60.]]])\n"


def test_groups_have_mean_0_and_variance_1() -> None:
    """1, 3, 5, 7 in one group, with mean 4 and variance 5; 10, 20, 30, 60 in the other, 30 and 350."""
    assert printed(
        X
        + """
g = L.GroupNormalization(2)
print(g(x).numpy().astype(float).round(2).tolist(), [(w.path, tuple(w.shape)) for w in g.weights])
print(L.GroupNormalization(-1)(x).numpy().astype(float).round(2).tolist())
"""
    ) == [
        "[[[-1.34, -0.45, -1.07, -0.53], [0.45, 1.34, 0.0, 1.6]]] "
        "[('group_normalization/gamma', (4,)), ('group_normalization/beta', (4,))]",
        "[[[-1.0, -1.0, -1.0, -1.0], [1.0, 1.0, 1.0, 1.0]]]",
    ]


def test_groups_have_to_divide_the_features() -> None:
    answer = run(X + "L.GroupNormalization(3)(x)")
    assert answer["diagnostics"][-1]["message"] == (
        "Number of groups (3) must be a divisor of the number of channels (4)."
    )


def test_rows_of_length_1_and_of_root_mean_square_1() -> None:
    assert printed(
        """
x = tf.constant([[3., 4.]])
print(L.UnitNormalization()(x).numpy(), L.RMSNormalization()(x).numpy().round(4))
"""
    ) == ["[[0.6 0.8]] [[0.8485 1.1314]]"]


def test_a_softmax_leaves_out_what_a_mask_leaves_out() -> None:
    assert printed(
        """
mask = tf.constant([[True, False, True], [False] * 3])
print(L.Softmax()(tf.constant([[1., 2., 3.], [1., 1., 1.]]), mask=mask).numpy().round(4).tolist())
"""
    ) == ["[[0.11919999867677689, 0.0, 0.8808000087738037], [0.0, 0.0, 0.0]]"]
