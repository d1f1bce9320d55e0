"""Data sets are printed, and know the form of their elements, as in TensorFlow 2.21."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed

NUMBER = "TensorSpec(shape=(), dtype=tf.int64, name=None)"
NUMBERS = "TensorSpec(shape=(None,), dtype=tf.int64, name=None)"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("ds", f"<_RangeDataset element_spec={NUMBER}>"),
        ("ds.batch(2)", f"<_BatchDataset element_spec={NUMBERS}>"),
        (
            "ds.batch(2, drop_remainder=True)",
            "<_BatchDataset element_spec=TensorSpec(shape=(2,), dtype=tf.int64, name=None)>",
        ),
        (
            "ds.map(lambda x: (x, tf.one_hot(x, 3)), num_parallel_calls=tf.data.AUTOTUNE)",
            f"<_ParallelMapDataset element_spec=({NUMBER}, "
            "TensorSpec(shape=(3,), dtype=tf.float32, name=None))>",
        ),
        ("ds.shuffle(3).prefetch(1)", f"<_PrefetchDataset element_spec={NUMBER}>"),
        ("ds.cache()", f"<CacheDataset element_spec={NUMBER}>"),
        ("ds.enumerate()", f"<_ZipDataset element_spec=({NUMBER}, {NUMBER})>"),
        ("ds.batch(2).unbatch()", f"<_UnbatchDataset element_spec={NUMBER}>"),
    ],
)
def test_a_data_set_is_printed(made: str, expected: str) -> None:
    assert printed(f"ds = tf.data.Dataset.range(6)\nprint({made})") == [expected]


def test_what_a_function_makes_of_a_batch_has_its_unknown_length() -> None:
    assert printed(
        """
ds = tf.data.Dataset.from_tensor_slices((np.zeros((6, 2), "float32"), np.arange(6))).batch(4)
print(ds.map(lambda x, y: x + tf.cast(y, tf.float32)[:, None]).element_spec)
"""
    ) == ["TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)"]
