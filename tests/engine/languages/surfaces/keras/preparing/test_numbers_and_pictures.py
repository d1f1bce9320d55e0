"""Numbers and pictures before a network: the numbers of Keras 3.15."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_normalization_takes_mean_and_variance_from_the_data() -> None:
    """1 and 3: mean 2, deviation 1; 10 and 30: mean 20, deviation 10."""
    assert printed(
        """
n = L.Normalization()
n.adapt(np.array([[1., 10.], [3., 30.]]))
print(n(np.array([[4., 20.]])).numpy(), n.mean.numpy(), n.variance.numpy())
print(L.Normalization(mean=2.0, variance=4.0)(np.array([[6.0]])).numpy())
one = L.Normalization(axis=None)
one.adapt(np.array([[1., 3.], [1., 3.]]))
print(one(np.array([[3.]])).numpy(), L.Normalization(mean=2.0, variance=4.0, invert=True)([[1.0]]).numpy())
"""
    ) == ["[[2. 0.]] [[ 2. 20.]] [[  1. 100.]]", "[[2.]]", "[[1.]] [[4.]]"]


def test_pictures_are_resized_and_cut() -> None:
    assert printed(
        """
x = np.arange(16.).reshape(1, 4, 4, 1)
print(L.Resizing(2, 2)(x).numpy()[0, :, :, 0].tolist())
print(L.Resizing(2, 1, interpolation="nearest")(x).numpy()[0, :, :, 0].tolist())
print(L.CenterCrop(2, 2)(x).numpy()[0, :, :, 0].tolist())
"""
    ) == ["[[2.5, 4.5], [10.5, 12.5]]", "[[6.0], [14.0]]", "[[5.0, 6.0], [9.0, 10.0]]"]


def test_pictures_are_changed_at_random_in_training_alone() -> None:
    assert printed(
        """
x = np.arange(8.).reshape(1, 2, 4, 1)
flip = L.RandomFlip("horizontal", seed=1)
rows = [tuple(flip(x, training=True).numpy()[0, 0, :, 0]) for _ in range(20)]
print(sorted(set(rows))[0] == (0, 1, 2, 3), sorted(set(rows))[-1] == (3, 2, 1, 0), len(set(rows)))
print((flip(x).numpy() == x).all(), (L.RandomContrast(0.5)(x).numpy() == x).all())
"""
    ) == ["True True 2", "True True"]


def test_a_cut_larger_than_the_picture_is_refused() -> None:
    answer = run("L.CenterCrop(5, 5)(np.ones((1, 4, 4, 1)))")
    assert answer["diagnostics"][-1]["message"] == (
        "Layer center_crop cuts 5 by 5 out, but its input is (1, 4, 4, 1)."
    )
