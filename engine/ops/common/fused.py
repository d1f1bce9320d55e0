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
        exact = _in_double(a, b, c)
        return np.where(np.isfinite(exact), exact, a * b + c)
    total, error = _sum_with_error(a * b, c)  # 24 bits times 24 bits: exact in 53
    return _to_odd(total, error).astype(dtype)


def fused(a: Any, b: Any, c: Any) -> Any:
    """The same in single precision, of arrays or of what stands for them; in double precision rounded twice.

    Shapes: (*S) or (), c (*S) -> (*S).
    """
    if c.dtype != np.float32:
        return a * b + c
    b, c = (in_type(one, np.float64) if one.ndim == 0 else one for one in (b, c))  # numbers sooner so
    return in_type(in_type(a, np.float64) * b + c, np.float32)  # the product of 24 and 24 bits is exact in 53


def rounded_once(a: Any, b: Any, c: Any) -> Any:
    """The same in the type of c, whatever its precision; of other numbers than floats, rounded twice.

    Shapes: (*S) or (), c (*S) -> (*S). Raises: NotImplementedError as `only_numbers`, in double precision.
    """
    if c.dtype != np.float64:
        return fused(a, b, c)
    only_numbers(a, b, c)
    return fused_multiply_add(a, b, c, c.dtype)


def only_numbers(*values: Any) -> None:
    """Nothing. Raises: NotImplementedError for what stands for arrays while a kernel is traced.

    What is asked of their bits cannot be traced: the kernel is then called as a whole.
    """
    if not all(isinstance(one, (np.ndarray, np.generic)) for one in values):
        raise NotImplementedError("the bits of a traced number")


def in_type(number: Any, dtype: Any) -> Any:
    """A number, an array or what stands for one in another type. Shapes: (*S) -> (*S)."""
    return number.astype(dtype) if hasattr(number, "astype") else np.asarray(number, dtype=dtype)


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
