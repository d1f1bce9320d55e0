"""What an element-wise instruction takes: values, plain numbers and known arrays, in the simplest form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.execution.tracing.simplify import of_one
from engine.execution.tracing.tracer import Lengths, NotLowered, Value
from engine.ops.base.tensors import Array


def stretched(shapes: Iterable[Lengths]) -> Lengths:
    """The shape that all of these broadcast to."""
    different = set(shapes)
    return different.pop() if len(different) == 1 else np.broadcast_shapes(*different)


def seen_as(value: Value, shape: Lengths) -> Value:
    """The same value, seen in a shape that it broadcasts to."""
    if value.shape == shape:
        return value
    return Value(value.recorder, value.number, shape, value.core, value.dtype)


def as_operand(item: Any) -> Any:
    """A value as it is, a plain Python number as it is, an array: as one number where it is uniform."""
    if isinstance(item, (Value, bool, int, float)):
        return item
    array = np.asarray(item)
    if array.dtype == object:
        raise NotLowered("an object that is no number")
    if array.size and (array.ndim == 0 or is_uniform(array)):
        return array.flat[0]
    return array


def is_uniform(array: Array) -> bool:
    """Whether all elements are the same, to the bit."""
    if array.dtype.kind not in "fiub":
        return False
    first = array.flat[0]
    if not (array == first).all():
        return False
    return bool(first != 0 or array.dtype.kind != "f" or not np.signbit(array).any())


def shape_of(item: Any) -> Lengths:
    """The shape that kernels see."""
    return item.shape if isinstance(item, Value) else np.shape(item)


def core_of(operand: Any) -> Lengths:
    """The shape that is held."""
    return operand.core if isinstance(operand, Value) else np.shape(operand)


def type_of(operand: Any) -> Any:
    """The dtype; of a plain Python number its type, since it takes the other operand's dtype."""
    if isinstance(operand, np.generic):
        return operand.dtype
    return type(operand) if isinstance(operand, (bool, int, float)) else operand.dtype


@lru_cache(maxsize=4096)
def result_dtype(ufunc: Any, kinds: tuple[Any, ...]) -> np.dtype[Any]:
    """What the ufunc makes of these types."""
    kinds = tuple(np.dtype(bool) if kind is bool else kind for kind in kinds)
    found: np.dtype[Any] = ufunc.resolve_dtypes((*kinds, None))[-1]
    return found


def simplified(ufunc: Any, operands: Sequence[Any]) -> Any:
    """What is exactly the same and costs less (`shortcuts.py`); x · x is a square, too.

    Returns: a value, another ufunc with its operands, or None.
    """
    if len(operands) != 2:
        return None
    x, y = operands
    if ufunc is np.multiply and _are_one(x, y) and x.dtype.kind == "f":
        return np.square, [x]
    if ufunc is np.multiply and isinstance(y, Value):
        x, y = y, x
    if not isinstance(x, Value) or isinstance(y, Value) or np.ndim(y) or x.dtype.kind != "f":
        return None
    simple = of_one(ufunc, y)
    if simple is None or result_dtype(ufunc, (x.dtype, type_of(y))) != x.dtype:
        return None
    return x if simple is np.positive else (simple, [x])


def _are_one(x: Any, y: Any) -> bool:
    """Whether two operands are the same value."""
    return isinstance(x, Value) and isinstance(y, Value) and x.number == y.number
