"""`tf.keras.metrics` of overlap: intersection over union, from how often each class was taken for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.keras.counting.class_metrics import other_shapes
from engine.languages.surfaces.keras.losses import check_float32
from engine.languages.surfaces.keras.metrics import Pairs, use_as_metric, weights_of
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Array

Read = Callable[[Array], Array]  # class numbers from what a program gives


class Overlap(Pairs):
    """Of each class both / (either), the mean over those asked for that there are.

    wanted:   the classes asked for; None is all.
    ignored:  a label whose examples do not count.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        classes: int,
        reads: tuple[Read, Read],
        *,
        wanted: Sequence[int] | None = None,
        ignored: int | None = None,
    ) -> None:
        super().__init__(kind, name, lambda *arrays: np.zeros(1))
        self.classes, self.reads, self.wanted, self.ignored = classes, reads, wanted, ignored
        self.reset()

    def reset(self) -> None:
        """Count anew."""
        self.counts = np.zeros((self.classes, self.classes))

    def update(self, arrays: list[Array], sample_weight: Any) -> None:
        """Take in a batch. Raises: ValueRefused for a number that is no class."""
        read = [read(array) for read, array in zip(self.reads, arrays, strict=True)]
        y_true, y_pred = (array.reshape(-1).astype(int) for array in read)
        if y_true.shape != y_pred.shape:
            raise other_shapes(arrays)
        weights = np.ones(len(y_true)) if sample_weight is None else weights_of(read[0], sample_weight)
        weights = np.asarray(weights, float).reshape(-1)
        if self.ignored is not None:
            counts = y_true != self.ignored
            y_true, y_pred, weights = y_true[counts], y_pred[counts], weights[counts]
        both = np.concatenate([y_true, y_pred])
        if both.size and not (both.min() >= 0 and both.max() < self.classes):
            raise ValueRefused(
                f"{self.kind} has the classes 0 to {self.classes - 1}, but was given others.",
                message_zh=f"{self.kind} 的类别是 0 到 {self.classes - 1}，但给出了其他类别。",
            )
        np.add.at(self.counts, (y_true, y_pred), weights)

    def figure(self) -> np.floating[Any]:
        """The figure so far, over the classes that there are."""
        wanted = list(range(self.classes)) if self.wanted is None else list(self.wanted)
        both = np.diag(self.counts)[wanted]
        either = (self.counts.sum(axis=0) + self.counts.sum(axis=1))[wanted] - both
        there = either > 0
        return self.number((both[there] / either[there]).mean() if there.any() else 0)


def _largest(axis: int) -> Read:
    """The class with the largest share along an axis. Shapes: shares (*S, classes) -> (*S)."""
    return lambda shares: np.asarray(shares.argmax(axis))


def _as_given(labels: Array) -> Array:
    return labels


def _reads(labels: Any, shares: Any, axis: Any) -> tuple[Read, Read]:
    """How labels and predictions are read: class numbers, or a share for each class."""
    largest = _largest(whole_number(axis, "axis"))
    return (_as_given if labels else largest, _as_given if shares else largest)


def _classes(given: Any) -> list[int]:
    return [whole_number(one, "target_class_ids") for one in given]


def mean_of_all(
    num_classes: Any,
    name: Any = "mean_io_u",
    dtype: Any = None,
    ignore_class: Any = None,
    sparse_y_true: Any = True,
    sparse_y_pred: Any = True,
    axis: Any = -1,
) -> Pairs:
    """`MeanIoU`: the mean over all classes."""
    check_float32("tf.keras.metrics.MeanIoU", dtype)
    count = max(whole_number(num_classes, "num_classes"), 1)
    reads = _reads(sparse_y_true, sparse_y_pred, axis)
    return Overlap("MeanIoU", name or "mean_io_u", count, reads, ignored=ignore_class)


def of_some(
    num_classes: Any,
    target_class_ids: Any,
    name: Any = "io_u",
    dtype: Any = None,
    ignore_class: Any = None,
    sparse_y_true: Any = True,
    sparse_y_pred: Any = True,
    axis: Any = -1,
) -> Pairs:
    """`IoU`: the mean over the classes asked for."""
    check_float32("tf.keras.metrics.IoU", dtype)
    count, reads = whole_number(num_classes, "num_classes"), _reads(sparse_y_true, sparse_y_pred, axis)
    wanted = _classes(target_class_ids)
    return Overlap("IoU", name or "io_u", count, reads, wanted=wanted, ignored=ignore_class)


def of_two(
    target_class_ids: Any = (0, 1), threshold: Any = 0.5, name: Any = "binary_io_u", dtype: Any = None
) -> Pairs:
    """`BinaryIoU`: of the classes 0 and 1, which predictions have from the threshold on."""
    check_float32("tf.keras.metrics.BinaryIoU", dtype)
    reads = (_as_given, lambda shares: shares >= np.float32(threshold))
    return Overlap("BinaryIoU", name or "binary_io_u", 2, reads, wanted=_classes(target_class_ids))


def of_rows(
    num_classes: Any,
    target_class_ids: Any,
    name: Any = "one_hot_io_u",
    dtype: Any = None,
    ignore_class: Any = None,
    sparse_y_pred: Any = False,
    axis: Any = -1,
) -> Pairs:
    """`OneHotIoU`: `IoU` of one-hot labels."""
    check_float32("tf.keras.metrics.OneHotIoU", dtype)
    count, reads = whole_number(num_classes, "num_classes"), _reads(False, sparse_y_pred, axis)
    wanted = _classes(target_class_ids)
    return Overlap("OneHotIoU", name or "one_hot_io_u", count, reads, wanted=wanted, ignored=ignore_class)


def mean_of_rows(
    num_classes: Any,
    name: Any = "one_hot_mean_io_u",
    dtype: Any = None,
    ignore_class: Any = None,
    sparse_y_pred: Any = False,
    axis: Any = -1,
) -> Pairs:
    """`OneHotMeanIoU`: `MeanIoU` of one-hot labels."""
    check_float32("tf.keras.metrics.OneHotMeanIoU", dtype)
    count, reads = whole_number(num_classes, "num_classes"), _reads(False, sparse_y_pred, axis)
    return Overlap("OneHotMeanIoU", name or "one_hot_mean_io_u", count, reads, ignored=ignore_class)


MAKERS: Mapping[str, Callable[..., Pairs]] = {
    "MeanIoU": mean_of_all,
    "IoU": of_some,
    "BinaryIoU": of_two,
    "OneHotIoU": of_rows,
    "OneHotMeanIoU": mean_of_rows,
}
use_as_metric(Overlap)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    return {
        f"keras.metrics.{kind}": Native(f"tf.keras.metrics.{kind}", make) for kind, make in MAKERS.items()
    }
