"""Windows over a series, and rows of norm 1, as Keras 3.15 makes them."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            "sequence_length=2, sequence_stride=2, batch_size=3",
            "[([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [0, 4, 8]), ([[6.0, 7.0], [8.0, 9.0]], [12, 16])]",
        ),
        (
            "sequence_length=2, sampling_rate=4, batch_size=None",
            "[([0.0, 4.0], 0), ([1.0, 5.0], 2), ([2.0, 6.0], 4), ([3.0, 7.0], 6), ([4.0, 8.0], 8), "
            "([5.0, 9.0], 10)]",
        ),
        (
            "sequence_length=3, start_index=2, end_index=8, batch_size=5",
            "[([[2.0, 3.0, 4.0], [3.0, 4.0, 5.0], [4.0, 5.0, 6.0], [5.0, 6.0, 7.0]], [4, 6, 8, 10])]",
        ),
        (
            "sequence_length=3, shuffle=True, seed=1, batch_size=2",
            "[([[7.0, 8.0, 9.0], [2.0, 3.0, 4.0]], [14, 4]), ([[6.0, 7.0, 8.0], [3.0, 4.0, 5.0]], [12, 6]), "
            "([[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]], [8, 2]), ([[5.0, 6.0, 7.0], [0.0, 1.0, 2.0]], [10, 0])]",
        ),
    ],
)
def test_windows_over_a_series(settings: str, expected: str) -> None:
    assert printed(
        f"""
ds = tf.keras.utils.timeseries_dataset_from_array(np.arange(10.), np.arange(10) * 2, {settings})
print([(a.numpy().tolist(), b.numpy().tolist()) for a, b in ds])
"""
    ) == [expected]


def test_rows_of_norm_one() -> None:
    assert printed(
        """
n = tf.keras.utils.normalize
print(n(np.array([[3., 4.], [0., 0.]])).tolist(), n(np.array([3., 4.])).tolist())
"""
    ) == ["[[0.6, 0.8], [0.0, 0.0]] [[0.6, 0.8]]"]
