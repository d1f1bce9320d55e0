"""Intersection over union, the cosine, and metrics by name, as Keras 3.15 has them."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed


def test_overlaps_of_classes_shares_and_one_hot_rows() -> None:
    assert printed(
        """
K = tf.keras.metrics
p = np.array([[.1, .7, .2], [.3, .3, .4], [.8, .1, .1]], "float32")
print(round(float(K.BinaryIoU([0, 1], threshold=0.3)([0, 1, 0, 1], [0.1, 0.2, 0.4, 0.7])), 6))
print(round(float(K.IoU(num_classes=2, target_class_ids=[0])([0, 0, 1, 1], [0, 1, 0, 1])), 6))
print(round(float(K.OneHotIoU(3, [0, 2])(np.eye(3)[[0, 1, 2]], np.eye(3)[[0, 2, 2]])), 6))
print(round(float(K.OneHotMeanIoU(num_classes=3)(np.eye(3)[[0, 1, 2]], p)), 6))
print(K.CosineSimilarity(axis=1)([[0., 1.], [1., 1.]], [[1., 0.], [1., 1.]]).numpy())
print(type(K.get("mae")).__name__, K.BinaryIoU())
"""
    ) == [
        "0.333333",
        "0.333333",
        "0.75",
        "0.0",
        "0.49999997",
        "MeanAbsoluteError <BinaryIoU name=binary_io_u>",
    ]


def test_a_class_that_is_ignored_counts_in_no_mean() -> None:
    assert printed(
        """
p = np.array([[.1, .7, .2], [.3, .3, .4], [.8, .1, .1]], "float32")
y = np.array([1, -1, 0])
print(round(float(tf.keras.losses.SparseCategoricalCrossentropy(ignore_class=-1)(y, p)), 6))
print(tf.keras.losses.sparse_categorical_crossentropy(y, p, ignore_class=-1).numpy().round(6).tolist())
"""
    ) == ["0.289909", "[0.35667499899864197, 0.0, 0.22314399480819702]"]
