"""The numpy functions, beside ufuncs, that can be recorded: one rule each, for one run and for a batch.

A rule sees the shape of one run. Where a batch has axes in front, what is written down counts axes so that
these do not move them. Some functions are recorded for a batch only: of one run, a call of the kernel is as
quick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.tracing.recorder import Recorder, Rules
from engine.execution.tracing.simplify import REDUCTIONS
from engine.execution.tracing.tracer import Lengths, NotLowered, Tracer
from engine.ops.base.tensors import Array

NEUTRAL = {np.maximum: -np.inf, np.minimum: np.inf, np.add: 0.0, np.multiply: 1.0}  # as a start


def new_recorder(batch_axes: int = 0) -> Recorder:
    """A recorder that knows the functions below."""
    return Recorder(RULES, batch_axes)


def _stand_in(x: Any) -> Array:
    """An array of the same shape, without memory, to ask numpy what a function makes of it."""
    return np.broadcast_to(np.False_, np.shape(x))


def _in_a_batch(x: Any, what: str) -> Tracer:
    """The tracer, if it stands for a batch. Raises: NotLowered."""
    if not isinstance(x, Tracer) or not x.batched:
        raise NotLowered(what)
    return x


# -- reductions ----------------------------------------------------------------------------------------


def reduction(ufunc: Any) -> Callable[..., Tracer]:
    """Sum, product, largest, smallest, all, any: one ufunc along axes."""

    def reduce(
        x: Tracer, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None
    ) -> Tracer:
        axes = _axes(axis, x.ndim)
        if initial is not None and not (x.size and initial == NEUTRAL.get(ufunc)):
            raise NotLowered("a reduction from another start")
        if not axes and ufunc is not np.logical_and and ufunc is not np.logical_or:
            same = x if dtype is None else x.astype(dtype)
            return np.add(same, 0) if ufunc is np.add and x.recorder.exact else same  # -0 becomes 0
        shape = tuple(
            1 if n in axes else length for n, length in enumerate(x.shape) if keepdims or n not in axes
        )
        whole = x.recorder.whole(x)
        kind = np.dtype(dtype) if dtype is not None else _reduced_type(ufunc, x.dtype)
        output = x.recorder.value(shape, kind)
        if ufunc is np.add and axes == (0,) and _is_matrix(whole, kind) and not x.recorder.exact:
            return _sum_of_rows(whole, output)
        options = {"axis": axes, "keepdims": bool(keepdims), "dtype": kind}
        return x.recorder.record("reduce", ufunc, [whole], output, **options)

    return reduce


def _sum_of_rows(matrix: Tracer, output: Tracer) -> Tracer:
    """The product with a row of ones: BLAS walks through the rows faster than a reduction does."""
    ones = _ones((*output.shape[:-1], matrix.shape[0]), matrix.dtype)
    return matrix.recorder.record("matmul", np.matmul, [ones, matrix], output)


def mean(x: Tracer, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The sum along axes, divided by how many elements were summed. Shapes: x (*S) -> (*S without the axes).

    Raises: NotLowered in half precision, which numpy adds up in single.
    """
    if dtype is None and x.dtype == np.float16:
        raise NotLowered("a mean in half precision, which numpy adds up in single")
    count = prod(x.shape[n] for n in _axes(axis, x.ndim))
    total = reduction(np.add)(x, axis, dtype, keepdims)
    return total / total.dtype.type(count)


def method(x: Tracer, function: Any, *arguments: Any, **options: Any) -> Any:
    """A reduction that is called as a method of the array."""
    return RULES[function](_in_a_batch(x, "a method"), *arguments, **options)


def clip(x: Any, low: Any, high: Any) -> Any:
    """The larger of x and low, then the smaller of that and high."""
    return np.minimum(np.maximum(x, low), high)


# -- products ------------------------------------------------------------------------------------------


def matmul(a: Any, b: Any) -> Tracer:
    """Matrix product of two matrices, or of stacks of them. Shapes: a (*B, n, k), b (*B, k, m) -> (*B, n, m).

    Raises: NotLowered for vectors, whole numbers, or operands of two types.
    """
    if min(np.ndim(a), np.ndim(b)) < 2 or a.dtype != b.dtype or a.dtype.kind != "f":
        raise NotLowered("matmul of vectors or integers")
    recorder = _recorder_of((a, b))
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    shape = (*stack, a.shape[-2], b.shape[-1])
    factors = [recorder.whole(item) for item in (a, b)]
    return recorder.record("matmul", np.matmul, factors, recorder.value(shape, a.dtype))


def _recorder_of(items: Sequence[Any]) -> Recorder:
    return next(item.recorder for item in items if isinstance(item, Tracer))


def where(condition: Any, x: Any, y: Any) -> Any:
    """Of x where the condition holds, else of y."""
    return _recorder_of((condition, x, y)).choose(condition, x, y)


# -- other shapes of the same elements -----------------------------------------------------------------


def reshape(x: Tracer, shape: Any) -> Tracer:
    """The same elements in another shape, as a view. Shapes: x (*S) -> the shape; one length may be -1."""
    new = _stand_in(x).reshape(shape).shape
    return x if new == x.shape else x.recorder.view(x, new, "reshape", new)


def expand_dims(x: Tracer, axis: Any) -> Tracer:
    """A new axis of length 1, as a view. Shapes: x (*S) -> (*S[:axis], 1, *S[axis:])."""
    return reshape(x, np.expand_dims(_stand_in(x), axis).shape)


def squeeze(x: Tracer, axis: Any = None) -> Tracer:
    """Without axes of length 1, as a view. Shapes: x (*S) -> (*S without those)."""
    return reshape(x, np.squeeze(_stand_in(x), axis).shape)


def transpose(x: Tracer, axes: Any = None) -> Tracer:
    """The axes in another order, reversed where none is given; a view. Shapes: y.shape[i] = S[axes[i]]."""
    order = tuple(range(x.ndim))[::-1] if axes is None else _axes(tuple(axes), x.ndim, in_order=True)
    if order == tuple(range(x.ndim)):
        return x
    return x.recorder.view(x, tuple(x.shape[n] for n in order), "transpose", order)


def swapaxes(x: Tracer, first: int, second: int) -> Tracer:
    """Two axes in each other's place, as a view."""
    order = list(range(x.ndim))
    order[first], order[second] = order[second], order[first]
    return transpose(x, order)


def moveaxis(x: Tracer, source: int, target: int) -> Tracer:
    """One axis in another place."""
    order = list(range(_in_a_batch(x, "moveaxis").ndim))
    order.insert(target % x.ndim, order.pop(source % x.ndim))
    return transpose(x, order)


def flip(x: Tracer, axis: Any = None) -> Tracer:
    """The elements along some axes from the last to the first."""
    axes = _axes(axis, x.ndim)
    return x.recorder.view(_in_a_batch(x, "flip"), x.shape, "flip", axes)


def broadcast_to(x: Tracer, shape: Any) -> Tracer:
    """Along further axes: nothing is computed, the held array stays as it is."""
    return x.recorder.seen_as(x, tuple(int(n) for n in np.atleast_1d(shape)))


def getitem(x: Tracer, key: Any) -> Tracer:
    """A slice with plain bounds, as a view; in a batch also one list of places, the same for every run.

    Raises: NotLowered for places that differ from run to run, or several lists of them.
    """
    keys = key if isinstance(key, tuple) else (key,)
    if all(item is None or item is Ellipsis or isinstance(item, (int, slice)) for item in keys):
        return x.recorder.view(x, _stand_in(x)[keys].shape, "getitem", _Frozen(keys))
    _in_a_batch(x, "an index that is an array")
    if (
        any(isinstance(item, Tracer) for item in keys)
        or sum(not isinstance(item, slice) for item in keys) > 1
    ):
        raise NotLowered("places that differ from run to run, or several lists of them")
    full = (*(slice(None),) * x.recorder.batch_axes, *keys)
    return _applied(lambda array: array[full], x, _stand_in(x)[keys])


# -- new arrays ------------------------------------------------------------------------------------------


def full_like(x: Tracer, fill: Any) -> Any:
    """Everywhere the same number. Shapes: x (*S) -> (*S), of the dtype of x."""
    if isinstance(fill, Tracer):
        return broadcast_to(_in_a_batch(fill, "full_like").astype(x.dtype), x.shape)
    return np.full(x.shape, fill, x.dtype)


def tile(x: Tracer, repeats: Any) -> Tracer:
    """Several times along each axis; of one run only where the length is 1, so that nothing is computed."""
    times = tuple(int(n) for n in np.atleast_1d(repeats))
    rank = max(len(times), x.ndim)
    lengths, times = _padded(x.shape, rank), _padded(times, rank)
    if x.batched and rank == x.ndim:
        ahead = (1,) * x.recorder.batch_axes
        return _applied(lambda array: np.tile(array, ahead + times), x, np.tile(_stand_in(x), times))
    if x.batched or any(length != 1 and n != 1 for length, n in zip(lengths, times, strict=True)):
        raise NotLowered("tile of several elements")
    return x.recorder.seen_as(x, tuple(length * n for length, n in zip(lengths, times, strict=True)))


def take(x: Any, indices: Any, axis: int | None = None) -> Tracer:
    """The elements at known places along an axis.

    Shapes: x (*S), indices (*I) -> (*S[:axis], *I, *S[axis + 1:]).
    Raises: NotLowered where the places differ from run to run.
    """
    if isinstance(indices, Tracer) or axis is None:
        raise NotLowered("places that differ from run to run")
    (place,) = _axes(axis, _in_a_batch(x, "take").ndim)
    return _applied(
        partial(np.take, indices=indices, axis=place - x.ndim), x, np.take(_stand_in(x), indices, axis=place)
    )


def pad(x: Tracer, widths: Any, *arguments: Any, **options: Any) -> Tracer:
    """More elements at both ends of each axis."""
    own = np.broadcast_to(np.asarray(widths), (_in_a_batch(x, "pad").ndim, 2)).tolist()
    every = [*[(0, 0)] * x.recorder.batch_axes, *own]
    return _applied(lambda array: np.pad(array, every, *arguments, **options), x, np.pad(_stand_in(x), own))


def _applied(function: Callable[[Array], Array], x: Tracer, like: Array) -> Tracer:
    """A function of the array with its batch axes; `like` has the shape that a run's result has."""
    return x.recorder.record("numpy", function, [x], x.recorder.value(like.shape, x.dtype))


def concatenate(values: Sequence[Any], axis: int = 0) -> Tracer:
    """Arrays side by side along an axis, whose lengths add up."""
    return _joined(np.concatenate, values, axis)


def stack(values: Sequence[Any], axis: int = 0) -> Tracer:
    """Arrays side by side along a new axis. Shapes: n times (*S) -> (*S[:axis], n, *S[axis:])."""
    return _joined(np.stack, values, axis)


def _joined(function: Any, values: Sequence[Any], axis: int) -> Tracer:
    recorder = _in_a_batch(next(value for value in values if isinstance(value, Tracer)), "joined").recorder
    like = function([_stand_in(value) for value in values], axis=axis)
    kind = np.result_type(
        *(value.dtype if isinstance(value, Tracer) else np.asarray(value) for value in values)
    )
    (place,) = _axes(axis, like.ndim)
    return recorder.record("join", function, values, recorder.value(like.shape, kind), axis=place - like.ndim)


RULES: Rules = MappingProxyType(
    {
        **{function: reduction(ufunc) for function, ufunc in REDUCTIONS.items()},
        np.mean: mean,
        np.where: where,
        np.clip: clip,
        np.reshape: reshape,
        np.ravel: lambda x: reshape(_in_a_batch(x, "ravel"), -1),
        np.expand_dims: expand_dims,
        np.squeeze: squeeze,
        np.transpose: transpose,
        np.swapaxes: swapaxes,
        np.moveaxis: moveaxis,
        np.flip: flip,
        np.broadcast_to: broadcast_to,
        np.tile: tile,
        np.take: take,
        np.pad: pad,
        np.concatenate: concatenate,
        np.stack: stack,
        np.shape: lambda x: x.shape,
        np.ndim: lambda x: x.ndim,
        np.size: lambda x: x.size,
        np.zeros_like: lambda x: np.zeros(x.shape, x.dtype),
        np.ones_like: lambda x: np.ones(x.shape, x.dtype),
        np.full_like: full_like,
        "getitem": getitem,
        "matmul": matmul,
        "method": method,
    }
)


def _is_matrix(value: Tracer, dtype: np.dtype[Any]) -> bool:
    """Whether it is one matrix of this type, which is one that BLAS knows."""
    return value.ndim == 2 and value.dtype == dtype and dtype.char in "fd" and not value.batched


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
