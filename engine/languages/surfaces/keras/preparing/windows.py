"""`keras.utils.timeseries_dataset_from_array` and `normalize`: numbers made ready for a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.tf2.datasets.data import Dataset, batch
from engine.languages.surfaces.tf2.datasets.shuffling import shuffle as in_another_order
from engine.languages.surfaces.tf2.functions.signature import TensorSpec
from engine.ops.base.shapes import real_number, whole_number
from engine.ops.base.tensors import Array, name_of

WAITING = 8  # batches from which a shuffled window is drawn
UNBATCHED = 1024  # windows from which it is drawn without batches


def windows(
    interpreter: Interpreter,
    data: Any,
    targets: Any,
    sequence_length: Any,
    sequence_stride: Any = 1,
    sampling_rate: Any = 1,
    batch_size: Any = 128,
    shuffle: Any = False,
    seed: Any = None,
    start_index: Any = None,
    end_index: Any = None,
) -> Dataset:
    """A data set of windows over a series, each with the target of its first place.

    Shapes: data (n, *S), targets (n, *T) or None -> elements (batch, sequence_length, *S), (batch, *T).
    """
    series = to_array(interpreter, data)
    labels = None if targets is None else to_array(interpreter, targets)
    length = whole_number(sequence_length, "sequence_length")
    apart = whole_number(sampling_rate, "sampling_rate")
    first = 0 if start_index is None else whole_number(start_index, "start_index")
    end = len(series) if end_index is None else whole_number(end_index, "end_index")
    series = series[first:end]
    count = len(series) - length * apart + apart
    if labels is not None:
        labels = labels[first:end]
        count = min(count, len(labels))
    starts = np.arange(0, max(count, 0), whole_number(sequence_stride, "sequence_stride"))
    if shuffle:
        np.random.RandomState(whole_number(0 if seed is None else seed, "seed")).shuffle(starts)
    found = _windows(series, labels, starts, (length, apart))
    size = None if batch_size is None else whole_number(batch_size, "batch_size")
    if shuffle:
        found = in_another_order(interpreter, found, UNBATCHED if size is None else size * WAITING, seed)
    return found if size is None else batch(found, size)


def _windows(series: Array, labels: Array | None, starts: Array, span: tuple[int, int]) -> Dataset:
    """One element for each start. span: how many numbers a window has, and how far apart they are."""
    length, apart = span

    def elements() -> Iterator[Any]:
        for start in starts:
            window = series[start : start + length * apart : apart]
            yield window if labels is None else (window, np.asarray(labels[start]))

    spec: Any = TensorSpec((None, *series.shape[1:]), name_of(series.dtype))
    if labels is not None:
        spec = (spec, TensorSpec(labels.shape[1:], name_of(labels.dtype)))
    found = Dataset(elements, len(starts), spec)
    found.kind = "_PrefetchDataset"
    return found


def normalize(interpreter: Interpreter, x: Any, axis: Any = -1, order: Any = 2) -> Array:
    """An array with norms of 1 along an axis; what is 0 stays so. Shapes: x (*S) -> (*S), (n,) -> (1, n)."""
    array = np.atleast_2d(to_array(interpreter, x).astype(float))
    norm = np.atleast_1d(np.linalg.norm(array, real_number(order, "order"), whole_number(axis, "axis")))
    norm[norm == 0] = 1.0
    return np.asarray(array / np.expand_dims(norm, axis))


MEMBERS: Mapping[str, Callable[..., Any]] = {
    "keras.utils.timeseries_dataset_from_array": windows,
    "keras.preprocessing.timeseries_dataset_from_array": windows,
    "keras.utils.normalize": normalize,
}
