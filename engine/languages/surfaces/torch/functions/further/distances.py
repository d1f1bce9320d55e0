"""Numbers at even distances, to the last bit as PyTorch's kernels make them: `arange`, `linspace`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.tensors import Array
from engine.ops.common.fused import fused_multiply_add

SIDE_BY_SIDE = {"float32": 8, "float64": 4}  # so many numbers are one vector; vectors come in pairs


def between(start: float, end: float, count: int, dtype: Any) -> Array:
    """So many numbers from start to end: the first half counted from the start, the other from the end.

    Shapes: () -> (count,).
    """
    kind = np.dtype(dtype).type
    a, b = kind(start), kind(end)
    if count == 1:
        return np.full(1, a, dtype=dtype)
    step = kind((b - a) / kind(max(count - 1, 1)))
    places = np.arange(count)
    from_start = fused_multiply_add(step, places.astype(dtype), a, dtype)
    from_end = fused_multiply_add(-step, (count - 1 - places).astype(dtype), b, dtype)
    return np.where(places < count // 2, from_start, from_end).astype(dtype)


def stepped(start: float, step: float, count: int, dtype: Any) -> Array:
    """start, start + step, …, in pairs of vectors that each count from their own first number.

    Shapes: () -> (count,).
    """
    places = np.arange(count)
    width = SIDE_BY_SIDE.get(np.dtype(dtype).name)
    if width is None or not isinstance(step, float):
        return start + step * places
    in_pairs = places < count - count % (2 * width)
    first = np.where(in_pairs, places - places % width, places)
    begins = _counted(start, step, first, dtype)
    return np.where(in_pairs, _counted(begins, step, places - first, dtype), begins)


def _counted(start: Any, step: float, places: Array, dtype: Any) -> Array:
    """start + step * places in float64, rounded once to its type; to float32 after the sum."""
    if np.dtype(dtype) == np.float64:
        return fused_multiply_add(step, places.astype(np.float64), start, np.float64)
    return (np.asarray(start, dtype=np.float64) + step * places).astype(dtype)
