"""What an element-wise instruction takes: tracers, plain numbers and known arrays, in the simplest form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.execution.tracing.simplify import of_one
from engine.execution.tracing.tracer import Lengths, NotLowered, Tracer
from engine.ops.base.tensors import Array, array_dtype


def broadcast_shape(shapes: Iterable[Lengths]) -> Lengths:
    """The shape that all of these broadcast to."""
    different = set(shapes)
    return different.pop() if len(different) == 1 else np.broadcast_shapes(*different)


def as_operand(item: Any) -> Any:
    """A tracer as it is, a plain Python number as it is, an array: as one number where it is uniform."""
    if isinstance(item, (Tracer, bool, int, float)):
        return item
    array = np.asarray(item)
    if array.dtype == object:
        raise NotLowered("an object that is no number")
    if array.size and (array.ndim == 0 or is_uniform(array)):
        return array.flat[0]
    return array


def batch_operands(inputs: Sequence[Any]) -> list[Any]:
    """The same in a batch, where an array keeps its shape and a number has the type that it takes on."""
    kinds = [item.dtype for item in inputs if isinstance(item, (Tracer, np.ndarray, np.generic))]
    return [item if isinstance(item, Tracer) else _batch_operand(item, kinds) for item in inputs]


def _batch_operand(item: Any, kinds: Sequence[Any]) -> Any:
    if isinstance(item, (bool, int, float)):
        item = np.asarray(item, np.result_type(*kinds, item))
    array = np.asarray(item)
    if array.dtype == object:
        raise NotLowered("an object that is no number")
    return array.flat[0] if array.size == 1 else array


def is_uniform(array: Array) -> bool:
    """Whether all elements are the same, to the bit."""
    if array.dtype.kind not in "fiub":
        return False
    first = array.flat[0]
    if not (array == first).all():
        return False
    return bool(first != 0 or array.dtype.kind != "f" or not np.signbit(array).any())


def shape_of(item: Any) -> Lengths:
    """The shape that kernels see: that of one run, without the axes of a batch."""
    return item.shape if isinstance(item, Tracer) else np.shape(item)


def core_of(operand: Any) -> Lengths:
    """The shape that is held, and broadcasts to the one that kernels see."""
    return operand.core if isinstance(operand, Tracer) else np.shape(operand)


def type_of(operand: Any) -> Any:
    """The dtype; of a plain Python number its type, since it takes the other operand's dtype."""
    if isinstance(operand, np.generic):
        return operand.dtype
    return type(operand) if isinstance(operand, (bool, int, float)) else operand.dtype


@lru_cache(maxsize=4096)
def result_dtype(ufunc: Any, kinds: tuple[Any, ...]) -> np.dtype[Any]:
    """The dtype that a ufunc gives for operands of these types, by numpy's own rules."""
    kinds = tuple(np.dtype(bool) if kind is bool else kind for kind in kinds)
    found: np.dtype[Any] = ufunc.resolve_dtypes((*kinds, None))[-1]
    return found


def simplified(ufunc: Any, operands: Sequence[Any]) -> Any:
    """What is exactly the same and costs less (`simplify.py`); x · x is a square, too.

    Returns: a tracer, another ufunc with its operands, or None.
    """
    if len(operands) != 2:
        return None
    x, y = operands
    if ufunc is np.multiply and _are_one(x, y) and x.dtype.kind == "f":
        return np.square, [x]
    if ufunc is np.multiply and isinstance(y, Tracer):
        x, y = y, x
    if not isinstance(x, Tracer) or isinstance(y, Tracer) or np.ndim(y) or x.dtype.kind != "f":
        return None
    simple = of_one(ufunc, y)
    if simple is None or result_dtype(ufunc, (x.dtype, type_of(y))) != x.dtype:
        return None
    return x if simple is np.positive else (simple, [x])


def _are_one(x: Any, y: Any) -> bool:
    """Whether two operands are the same tracer."""
    return isinstance(x, Tracer) and isinstance(y, Tracer) and x.number == y.number


# -- values as generated functions have them --------------------------------------------------------------


def plain(value: Array) -> Any:
    """A float64 number () as a Python float, everything else as the array that it is."""
    return float(value) if value.ndim == 0 and value.dtype == np.float64 else value


def held(value: Any, dtype: str) -> Any:
    """A value as generated functions take it: a Python float, another number as a scalar, or an array."""
    if dtype == "float64" and type(value) is float:
        return value
    array = np.asarray(value, dtype=array_dtype(dtype))
    if array.ndim or array.dtype.kind == "O":
        return array
    return float(array) if dtype == "float64" else array[()]
