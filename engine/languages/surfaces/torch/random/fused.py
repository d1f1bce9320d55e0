"""a * b + c with one rounding, as processors compute it that PyTorch's kernels are compiled for.

numpy rounds twice, once after the product. Here the product and the sum are computed with their errors,
which are exact, and what is left is rounded to odd, so that the last rounding is the only one.

Source: Boldo & Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding
        to odd, IEEE Transactions on Computers 57 (2008); Dekker (1971) for the product's error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.tensors import Array

SPLITTER = 134217729.0  # 2**27 + 1: splits 53 bits into two halves


def fused_multiply_add(a: Any, b: Any, c: Any, dtype: Any) -> Array:
    """a * b + c, rounded once to float32 or float64. Shapes: broadcast together."""
    a, b, c = (np.asarray(one, dtype=dtype).astype(np.float64) for one in (a, b, c))
    if np.dtype(dtype) == np.float64:
        return _in_double(a, b, c)
    total, error = _sum_with_error(a * b, c)  # 24 bits times 24 bits: exact in 53
    return _to_odd(total, error).astype(dtype)


def _in_double(a: Array, b: Array, c: Array) -> Array:
    product = a * b
    lost = _product_error(a, b, product)
    high, low = _sum_with_error(c, lost)
    total, rest = _sum_with_error(product, high)
    return np.asarray(total + _to_odd(*_sum_with_error(rest, low)))


def _product_error(a: Array, b: Array, product: Array) -> Array:
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return np.asarray(a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low))


def _halves(a: Array) -> tuple[Array, Array]:
    scaled = a * SPLITTER
    high = scaled - (scaled - a)
    return high, a - high


def _sum_with_error(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum and what the rounding lost (Knuth's TwoSum)."""
    total = np.asarray(a + b)
    share = total - a
    return total, np.asarray((a - (total - share)) + (b - share))


def _to_odd(total: Array, error: Array) -> Array:
    """The neighbour of total + error whose last bit is 1; the sum itself where nothing was lost."""
    even = (total.view(np.int64) & 1) == 0
    toward = np.nextafter(total, np.where(error > 0, np.inf, -np.inf))
    return np.where((error != 0) & even, toward, total)
