"""What numpy's functions mean for many members at once, for those that kernels use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.execution.batching.many import (
    FUNCTIONS,
    Many,
    Unbatchable,
    aligned,
    from_the_end,
    reduce,
    tape_of,
)
from engine.execution.tracing.simplify import REDUCTIONS
from engine.ops.base.tensors import Array

Rule = Callable[..., Any]


def means(*functions: Any) -> Callable[[Rule], Rule]:
    """Decorator: the rule for these functions of numpy."""

    def note(rule: Rule) -> Rule:
        FUNCTIONS.update(dict.fromkeys(functions, rule))
        return rule

    return note


def _by_ufunc(ufunc: np.ufunc) -> Rule:
    def rule(value: Many, axis: Any = None, **keywords: Any) -> Any:
        return reduce(ufunc, value, axis, **keywords)

    return rule


for _function, _ufunc in REDUCTIONS.items():
    FUNCTIONS[_function] = _by_ufunc(_ufunc)


@means(np.mean)
def mean(value: Many, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    axes = from_the_end(axis, value.ndim)
    if not axes:
        return value if dtype is None else value.astype(dtype)
    return value.tape.call(lambda data: np.mean(data, axis=axes, dtype=dtype, keepdims=keepdims), value)


@means(np.shape)
def shape(value: Many) -> tuple[int, ...]:
    return value.shape


@means(np.ndim)
def ndim(value: Many) -> int:
    return value.ndim


@means(np.size)
def size(value: Many) -> int:
    return value.size


@means(np.zeros_like)
def zeros_like(value: Many, dtype: Any = None) -> Array:
    return np.zeros(value.shape, dtype or value.dtype)


@means(np.ones_like)
def ones_like(value: Many, dtype: Any = None) -> Array:
    return np.ones(value.shape, dtype or value.dtype)


@means(np.full_like)
def full_like(value: Many | Array, fill: Any, dtype: Any = None) -> Any:
    kind = dtype or value.dtype
    if isinstance(fill, Many):
        return np.broadcast_to(fill.astype(kind), value.shape)
    return np.full(value.shape, fill, kind)


@means(np.reshape)
def reshape(value: Many, shape: Any) -> Many:
    return value.reshape(shape)


@means(np.ravel)
def ravel(value: Many) -> Many:
    return value.reshape(-1)


@means(np.transpose)
def transpose(value: Many, axes: Any = None) -> Many:
    return value.transpose() if axes is None else value.transpose(tuple(int(axis) for axis in axes))


@means(np.swapaxes)
def swapaxes(value: Many, first: int, second: int) -> Many:
    order = list(range(value.ndim))
    order[first], order[second] = order[second], order[first]
    return value.transpose(order)


@means(np.moveaxis)
def moveaxis(value: Many, source: Any, target: Any) -> Many:
    places = from_the_end(source, value.ndim), from_the_end(target, value.ndim)
    return value.tape.view(value, lambda data: np.moveaxis(data, *places))


@means(np.expand_dims)
def expand_dims(value: Many, axis: Any) -> Many:
    shape = np.expand_dims(np.empty(value.shape, np.int8), axis).shape
    return value.reshape(shape)


@means(np.squeeze)
def squeeze(value: Many, axis: Any = None) -> Many:
    shape = np.squeeze(np.empty(value.shape, np.int8), axis).shape
    return value.reshape(shape)


@means(np.broadcast_to)
def broadcast_to(value: Many, shape: Any) -> Many:
    wanted = tuple(int(n) for n in np.atleast_1d(shape))
    if wanted == value.shape:
        return value
    (wide,) = aligned([value]) if len(wanted) == value.ndim else aligned([value, np.empty(wanted, bool)])[:1]
    axes = value.tape.axes
    return value.tape.view(wide, lambda data: np.broadcast_to(data, (*data.shape[:axes], *wanted)))


@means(np.where)
def where(condition: Any, x: Any, y: Any) -> Many:
    operands = aligned([condition, x, y])
    return tape_of(operands).call(np.where, *operands, into=choose)


def choose(condition: Array, x: Array, y: Array, out: Array) -> None:
    """`np.where` that is told where to write."""
    np.copyto(out, y)
    np.copyto(out, x, where=condition)


@means(np.clip)
def clip(value: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(value, low), high)


@means(np.concatenate)
def concatenate(values: Sequence[Any], axis: int = 0) -> Many:
    (place,) = from_the_end(axis, _rank(values[0]))
    return _joined(values, lambda arrays: np.concatenate(arrays, axis=place))


@means(np.stack)
def stack(values: Sequence[Any], axis: int = 0) -> Many:
    (place,) = from_the_end(axis, _rank(values[0]) + 1)
    return _joined(values, lambda arrays: np.stack(arrays, axis=place))


def _rank(value: Any) -> int:
    return value.ndim if isinstance(value, Many) else np.ndim(value)


def _joined(values: Sequence[Any], join: Callable[[list[Array]], Array]) -> Many:
    """Members side by side; what all share is repeated for each."""
    tape = tape_of(values)
    many = [isinstance(value, Many) for value in values]

    def rule(*arrays: Array) -> Array:
        batches = [array.shape[: tape.axes] for array, is_many in zip(arrays, many, strict=True) if is_many]
        batch = np.broadcast_shapes(*batches)
        own = [
            np.broadcast_to(array, (*batch, *np.shape(value)))
            for array, value in zip(arrays, values, strict=True)
        ]
        return join(own)

    return tape.call(rule, *values)


@means(np.flip)
def flip(value: Many, axis: Any = None) -> Many:
    axes = from_the_end(axis, value.ndim)
    return value.tape.view(value, lambda data: np.flip(data, axes))


@means(np.take)
def take(value: Any, indices: Any, axis: int | None = None) -> Many:
    if isinstance(indices, Many) or axis is None:
        raise Unbatchable("places that differ from member to member")
    (place,) = from_the_end(axis, value.ndim)
    taken: Many = value.tape.call(lambda data: np.take(data, indices, axis=place), value)
    return taken


@means(np.pad)
def pad(value: Many, widths: Any, *arguments: Any, **keywords: Any) -> Many:
    kept = [(0, 0)] * value.tape.axes
    own = np.broadcast_to(np.asarray(widths), (value.ndim, 2)).tolist()
    return value.tape.call(lambda data: np.pad(data, [*kept, *own], *arguments, **keywords), value)


@means(np.tile)
def tile(value: Many, repeats: Any) -> Many:
    counts = tuple(int(n) for n in np.atleast_1d(repeats))
    if len(counts) != value.ndim:
        raise Unbatchable("a tiling of another rank")
    if all(n == 1 for n in counts):
        return value
    return value.tape.call(lambda data: np.tile(data, (1,) * value.tape.axes + counts), value)
