"""The numpy functions, beside ufuncs, that can be recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from engine.execution.tracing.operands import seen_as
from engine.execution.tracing.recorder import Recorder
from engine.execution.tracing.simplify import REDUCTIONS
from engine.execution.tracing.tracer import Lengths, NotLowered, Value
from engine.ops.base.tensors import Array

NEUTRAL = {np.maximum: -np.inf, np.minimum: np.inf, np.add: 0.0, np.multiply: 1.0}  # as a start


def new_recorder() -> Recorder:
    """A recorder that knows the functions below."""
    recorder = Recorder()
    recorder.functions = functions_for(recorder)
    return recorder


def functions_for(recorder: Recorder) -> Mapping[Any, Callable[..., Any]]:
    """What stands in for each numpy function when a kernel calls it with a value."""
    recording = Recording(recorder)
    reductions = {function: recording.reduction(ufunc) for function, ufunc in REDUCTIONS.items()}
    return {
        **reductions,
        np.mean: recording.mean,
        np.where: recorder.choose,
        np.clip: recording.clip,
        np.reshape: recording.reshape,
        np.expand_dims: recording.expand_dims,
        np.squeeze: recording.squeeze,
        np.transpose: recording.transpose,
        np.swapaxes: recording.swapaxes,
        np.broadcast_to: recording.broadcast_to,
        np.tile: recording.tile,
        np.shape: lambda x: x.shape,
        np.ndim: lambda x: x.ndim,
        np.size: lambda x: x.size,
        np.zeros_like: lambda x: np.zeros(x.shape, x.dtype),
        np.ones_like: lambda x: np.ones(x.shape, x.dtype),
        np.full_like: lambda x, fill: np.full(x.shape, fill, x.dtype),
        "getitem": recording.getitem,
        "matmul": recording.matmul,
    }


class Recording:
    """The functions, bound to a recorder."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    # -- reductions ------------------------------------------------------------------------------------

    def reduction(self, ufunc: Any) -> Callable[..., Any]:
        """Sum, product, largest, smallest, all, any: one ufunc along axes."""

        def reduce(
            x: Value, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None
        ) -> Value:
            axes = _axes(axis, x.ndim)
            if initial is not None and not (x.size and initial == NEUTRAL.get(ufunc)):
                raise NotLowered("a reduction from another start")
            if not axes and ufunc is not np.logical_and and ufunc is not np.logical_or:
                return x
            shape = tuple(
                1 if n in axes else length for n, length in enumerate(x.shape) if keepdims or n not in axes
            )
            whole = self.recorder.whole(x)
            kind = np.dtype(dtype) if dtype is not None else _reduced_type(ufunc, x.dtype)
            output = self.recorder.value(shape, kind)
            if ufunc is np.add and axes == (0,) and _is_matrix(whole, kind):
                return self._sum_of_rows(whole, output)
            options = {"axis": axes, "keepdims": bool(keepdims), "dtype": kind}
            return self.recorder.record("reduce", ufunc, [whole], output, **options)

        return reduce

    def _sum_of_rows(self, matrix: Value, output: Value) -> Value:
        """The product with a row of ones: BLAS walks through the rows faster than a reduction does."""
        ones = _ones((*output.shape[:-1], matrix.shape[0]), matrix.dtype)
        return self.recorder.record("matmul", np.matmul, [ones, matrix], output)

    def mean(self, x: Value, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        """The sum, divided by how many there are."""
        count = int(np.prod([x.shape[n] for n in _axes(axis, x.ndim)], dtype=np.int64))
        total = self.reduction(np.add)(x, axis, dtype, keepdims)
        return total / total.dtype.type(count)

    def clip(self, x: Any, low: Any, high: Any) -> Any:
        """The larger of x and low, then the smaller of that and high."""
        return np.minimum(np.maximum(x, low), high)

    # -- products --------------------------------------------------------------------------------------

    def matmul(self, a: Any, b: Any) -> Value:
        """Matrix product of two matrices, or of stacks of them."""
        if min(np.ndim(a), np.ndim(b)) < 2 or a.dtype != b.dtype or a.dtype.kind != "f":
            raise NotLowered("matmul of vectors or integers")
        stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        shape = (*stack, a.shape[-2], b.shape[-1])
        factors = [self.recorder.whole(item) for item in (a, b)]
        return self.recorder.record("matmul", np.matmul, factors, self.recorder.value(shape, a.dtype))

    # -- other shapes ----------------------------------------------------------------------------------

    def reshape(self, x: Value, shape: Any) -> Value:
        """The same elements in another shape."""
        new = np.broadcast_to(np.False_, x.shape).reshape(shape).shape
        if new == x.shape:
            return x
        if not x.core:
            return seen_as(x, new)
        return self.recorder.view(self.recorder.whole(x), new, "reshape", new)

    def expand_dims(self, x: Value, axis: Any) -> Value:
        return self.reshape(x, np.expand_dims(np.broadcast_to(np.False_, x.shape), axis).shape)

    def squeeze(self, x: Value, axis: Any = None) -> Value:
        return self.reshape(x, np.squeeze(np.broadcast_to(np.False_, x.shape), axis).shape)

    def transpose(self, x: Value, axes: Any = None) -> Value:
        """The axes in another order."""
        order = tuple(range(x.ndim))[::-1] if axes is None else _axes(tuple(axes), x.ndim, in_order=True)
        new = tuple(x.shape[n] for n in order)
        if order == tuple(range(x.ndim)):
            return x
        if not x.core:
            return seen_as(x, new)
        return self.recorder.view(self.recorder.whole(x), new, "transpose", order)

    def swapaxes(self, x: Value, first: int, second: int) -> Value:
        order = list(range(x.ndim))
        order[first], order[second] = order[second], order[first]
        return self.transpose(x, order)

    def broadcast_to(self, x: Value, shape: Any) -> Value:
        """Stretched: nothing is computed, the held array stays as it is."""
        return seen_as(x, tuple(int(n) for n in shape))

    def tile(self, x: Value, repeats: Any) -> Value:
        """Repeats along axes of length 1 are stretching; others stay with numpy."""
        times = tuple(int(n) for n in np.atleast_1d(repeats))
        rank = max(len(times), x.ndim)
        lengths, times = _padded(x.shape, rank), _padded(times, rank)
        if any(length != 1 and n != 1 for length, n in zip(lengths, times, strict=True)):
            raise NotLowered("tile of several elements")
        return seen_as(x, tuple(length * n for length, n in zip(lengths, times, strict=True)))

    def getitem(self, x: Value, key: Any) -> Value:
        """A slice with plain bounds."""
        keys = key if isinstance(key, tuple) else (key,)
        if not all(item is None or item is Ellipsis or isinstance(item, (int, slice)) for item in keys):
            raise NotLowered("an index that is an array")
        new = np.broadcast_to(np.False_, x.shape)[keys].shape
        if not x.core:
            return seen_as(x, new)
        return self.recorder.view(self.recorder.whole(x), new, "getitem", _Frozen(keys))


def _is_matrix(value: Value, dtype: np.dtype[Any]) -> bool:
    """Whether it is one matrix of this type, which is one that BLAS knows."""
    return value.ndim == 2 and value.dtype == dtype and dtype.char in "fd"


@lru_cache
def _ones(shape: Lengths, dtype: np.dtype[Any]) -> Array:
    """Of one length and type always the same array, so that a text names it once."""
    return np.ones(shape, dtype)


class _Frozen(tuple[Any, ...]):
    """An index that can be compared by what it says (slices have no hash before Python 3.12)."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(repr(self))


def _padded(lengths: tuple[int, ...], rank: int) -> tuple[int, ...]:
    return (1,) * (rank - len(lengths)) + lengths


def _axes(axis: Any, rank: int, *, in_order: bool = False) -> tuple[int, ...]:
    """Axes as a tuple of numbers from 0 up."""
    if axis is None:
        return tuple(range(rank))
    found = tuple(int(n) % rank for n in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    return found if in_order else tuple(sorted(found))


def _reduced_type(ufunc: Any, dtype: np.dtype[Any]) -> np.dtype[Any]:
    if ufunc in (np.logical_and, np.logical_or):
        return np.dtype(bool)
    if ufunc in (np.maximum, np.minimum):
        return dtype
    kind: np.dtype[Any] = ufunc.reduce(np.zeros(1, dtype)).dtype
    return kind
