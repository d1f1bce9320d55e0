"""Whether two values are numerically equal, and by how much they differ at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Numbers a and b are equal where |a − b| ≤ absolute + relative · max(|a|, |b|).

    NaN is equal to NaN, and an infinity to itself. Anything but floats has to be the very same.
    """

    relative: float = 1e-5
    absolute: float = 1e-7


@dataclass(frozen=True, slots=True)
class Gap:
    """How far two values are apart.

    equal:    None where one of them or both are not known.
    absolute: the largest |a − b|; relative: the largest |a − b| / max(|a|, |b|), 0 for two zeros. None where
              there is no such number: of other shapes, of texts.
    """

    equal: bool | None
    absolute: float | None = None
    relative: float | None = None


UNKNOWN = Gap(None)
OTHER = Gap(equal=False)


def gap_between(before: Array | None, after: Array | None, tolerance: Tolerance) -> Gap:
    """How far a value after is from the one before."""
    if before is None or after is None:
        return UNKNOWN
    one, other = np.asarray(before), np.asarray(after)
    if one.shape != other.shape:
        return OTHER
    if one.dtype.kind not in "biuf" or other.dtype.kind not in "biuf":
        return Gap(equal=bool(np.array_equal(one, other)))
    is_exact = "f" not in one.dtype.kind + other.dtype.kind
    return _of_numbers(one, other, Tolerance(0.0, 0.0) if is_exact else tolerance)


def _of_numbers(before: Array, after: Array, tolerance: Tolerance) -> Gap:
    a, b = before.astype(np.float64), after.astype(np.float64)
    if a.size == 0:
        return Gap(equal=True, absolute=0.0, relative=0.0)
    with np.errstate(all="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        apart = np.where(same, 0.0, np.abs(a - b))
        apart[np.isnan(apart)] = np.inf  # a number and no number
        largest = np.maximum(np.abs(a), np.abs(b))
        share = np.where(same, 0.0, np.where(np.isfinite(largest), apart / largest, np.inf))
        allowed = tolerance.absolute + tolerance.relative * largest
        close = same | (np.isfinite(apart) & (apart <= allowed))
    return Gap(bool(close.all()), float(apart.max()), float(share.max()))


def dense(values: Array | None, indices: Array | None, shape: Any) -> Array | None:
    """The whole tensor whose rows these are, those of one index added up; None where a part is not known."""
    if values is None or indices is None or shape is None:
        return None
    whole = np.zeros(tuple(int(length) for length in np.asarray(shape).reshape(-1)), values.dtype)
    np.add.at(whole, np.asarray(indices).reshape(-1), values)
    return whole
