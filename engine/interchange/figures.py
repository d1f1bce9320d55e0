"""What sums up a large array: its bounds, mean, spread and histogram, computed a block at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from engine.ops.base.tensors import Array

BLOCK = 8192  # elements in double precision at a time, which stay in the processor's cache
LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True)
class Figures:
    """Bounds, mean, standard deviation and histogram of the finite elements; how many others there are.

    Where none is finite, they are those of a single zero.
    """

    low: float
    high: float
    mean: float
    std: float
    nan_count: int
    inf_count: int
    counts: Array
    edges: Array


def figures_of(array: Array, bins: int) -> Figures:
    """The figures of an array of numbers. Shapes: array (*S); counts (bins,), edges (bins + 1,)."""
    low, high, total, finite = inf, -inf, 0.0, 0
    nan_count = inf_count = 0
    for block, known in _blocks(array):
        nan_count += int(np.isnan(block).sum()) if known is not block else 0
        inf_count += int(np.isinf(block).sum()) if known is not block else 0
        if known.size:
            low, high = min(low, float(known.min())), max(high, float(known.max()))
            total, finite = total + float(known.sum()), finite + known.size
    if not finite:
        return Figures(0.0, 0.0, 0.0, 0.0, nan_count, inf_count, *np.histogram(np.zeros(1), bins=bins))
    mean = total / finite
    squares, counts, edges = _about(array, mean, low, high, bins)
    return Figures(low, high, mean, sqrt(squares / finite), nan_count, inf_count, counts, edges)


def _about(array: Array, mean: float, low: float, high: float, bins: int) -> tuple[float, Array, Array]:
    """The sum of the squared distances from the mean, and the histogram between these bounds."""
    scale, first, last = _bounds(low, high, bins)
    squares, counts, edges = 0.0, np.zeros(bins, dtype=np.int64), np.zeros(bins + 1)
    for _, known in _blocks(array):
        found, edges = np.histogram(known / scale, bins=bins, range=(first, last))
        squares += float(np.square(known - mean).sum())
        counts += found
    return squares, counts, edges * scale


def _bounds(low: float, high: float, bins: int) -> tuple[float, float, float]:
    """By what numbers are divided, and the bounds of their histogram, wide enough for so many bins."""
    if high - low > LARGEST / 4 or max(abs(low), abs(high)) > LARGEST / 4:
        return 16.0, *_bounds(low / 16, high / 16, bins)[1:]
    nearest = bins * float(np.spacing(max(abs(low), abs(high))))
    if (high - low or 1.0) < 2 * nearest:
        return 1.0, low - nearest, high + nearest
    return 1.0, low, high


def _blocks(array: Array) -> Iterator[tuple[Array, Array]]:
    """A block of elements at a time in double precision, and its finite ones: itself where all are."""
    flat = array.reshape(-1)
    for start in range(0, flat.size, BLOCK):
        block = flat[start : start + BLOCK].astype(np.float64)
        is_finite = np.isfinite(block)
        yield block, block if is_finite.all() else block[is_finite]
