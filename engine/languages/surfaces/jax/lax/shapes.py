"""Primitives that arrange elements anew: shapes, joins and parts."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval, Shape, held_as
from engine.languages.surfaces.jax.core.batching import at_axis_0, move_axis
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero, linear, without_tangent
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer, Zero, aval_of, typed
from engine.languages.surfaces.jax.lax.arithmetic import sub
from engine.languages.surfaces.jax.lax.basics import (
    broadcast,
    expand_dims,
    full_like,
    like,
    reduce_sum,
    reshape,
    reshape_p,
    shape_of,
)

# -- reshape -----------------------------------------------------------------------------------------


def _reshape_types(x: Aval, new_sizes: Shape, dimensions: Any, sharding: Any) -> Aval:
    if prod(new_sizes) != x.size:
        raise type_error(
            f"cannot reshape array of shape {x.shape} (size {x.size}) into shape {new_sizes} "
            f"(size {prod(new_sizes)})",
            f"不能把形状 {x.shape}（{x.size} 个元素）变为 {new_sizes}（{prod(new_sizes)} 个元素）。",
            code="shape_mismatch",
        )
    return x.with_shape(new_sizes)


reshape_p.compute = lambda x, new_sizes, dimensions, sharding: x.reshape(new_sizes)
reshape_p.types = _reshape_types
linear(
    reshape_p,
    lambda ct, x, **_: [Zero(x.aval) if is_zero(ct) else reshape(ct, x.aval.shape)],
)


def _reshape_batch(size: int, values: Any, axes: Any, new_sizes: Shape, **_: Any) -> tuple[Any, int]:
    return reshape(move_axis(values[0], axes[0], 0), (size, *new_sizes)), 0


reshape_p.batch = _reshape_batch

# -- squeeze -----------------------------------------------------------------------------------------

squeeze_p = Primitive("squeeze")


def _squeeze_types(x: Aval, dimensions: Sequence[int]) -> Aval:
    if any(x.shape[axis] != 1 for axis in dimensions):
        raise value_error(
            "cannot select an axis to squeeze out which has size not equal to one, got "
            f"shape={x.shape} and dimensions={tuple(dimensions)}",
            f"只能去掉长度为 1 的轴：形状是 {x.shape}，要去掉的轴是 {tuple(dimensions)}。",
        )
    return x.with_shape(tuple(n for i, n in enumerate(x.shape) if i not in dimensions))


def _squeeze(x: Any, dimensions: Sequence[int]) -> Any:
    return np.squeeze(x, tuple(dimensions))


def _squeeze_batch(size: int, values: Any, axes: Any, dimensions: Any) -> tuple[Any, int]:
    return squeeze(move_axis(values[0], axes[0], 0), [axis + 1 for axis in dimensions]), 0


squeeze_p.compute, squeeze_p.types, squeeze_p.batch = _squeeze, _squeeze_types, _squeeze_batch
linear(squeeze_p, lambda ct, x, dimensions: [Zero(x.aval) if is_zero(ct) else expand_dims(ct, dimensions)])


def squeeze(x: Any, axes: Sequence[int]) -> Any:
    """The array without some axes of length one."""
    axes = tuple(axes)
    if not axes and isinstance(x, (JaxArray, Tracer)):
        return x
    return squeeze_p(x, dimensions=axes)


# -- transpose and rev -------------------------------------------------------------------------------

transpose_p, rev_p = Primitive("transpose"), Primitive("rev")
transpose_p.compute = lambda x, permutation: np.asarray(np.transpose(x, permutation), order="C")
transpose_p.types = lambda x, permutation: x.with_shape(tuple(x.shape[axis] for axis in permutation))


def transpose(x: Any, permutation: Sequence[int]) -> Any:
    """The axes in another order."""
    order = tuple(int(axis) for axis in permutation)
    if order == tuple(range(len(order))) and isinstance(x, (JaxArray, Tracer)):
        return x
    return transpose_p(x, permutation=order)


linear(
    transpose_p,
    lambda ct, x, permutation: [
        Zero(x.aval) if is_zero(ct) else transpose(ct, np.argsort(permutation).tolist())
    ],
)


def _transpose_batch(size: int, values: Any, axes: Any, permutation: Any) -> tuple[Any, int]:
    axis = axes[0]
    return transpose(values[0], (axis, *(i if i < axis else i + 1 for i in permutation))), 0


transpose_p.batch = _transpose_batch

rev_p.compute = lambda x, dimensions: np.asarray(np.flip(x, dimensions), order="C")
rev_p.types = lambda x, dimensions: x
linear(rev_p, lambda ct, x, dimensions: [Zero(x.aval) if is_zero(ct) else rev_p(ct, dimensions=dimensions)])
rev_p.batch = lambda size, values, axes, dimensions: (
    rev_p(values[0], dimensions=tuple(i + 1 if i >= axes[0] else i for i in dimensions)),
    axes[0],
)


def rev(x: Any, axes: Sequence[int]) -> Any:
    """The elements in the opposite order along some axes."""
    return rev_p(x, dimensions=tuple(axes))


# -- concatenate, split ------------------------------------------------------------------------------

concatenate_p, split_p = Primitive("concatenate"), Primitive("split", several=True)


def _concatenate_types(*operands: Aval, dimension: int) -> Aval:
    if len({one.ndim for one in operands}) != 1:
        listed = ", ".join(str(one.shape) for one in operands)
        raise type_error(
            f"Cannot concatenate arrays with different numbers of dimensions: got {listed}.",
            f"不能连接维数不同的数组：{listed}。",
            code="shape_mismatch",
        )
    first = operands[0]
    rests = {one.shape[:dimension] + one.shape[dimension + 1 :] for one in operands}
    if len(rests) != 1:
        listed = ", ".join(str(one.shape) for one in operands)
        raise type_error(
            "Cannot concatenate arrays with shapes that differ in dimensions other than the one being "
            f"concatenated: concatenating along dimension {dimension} for shapes {listed}.",
            f"除连接的轴 {dimension} 之外形状必须相同，但得到 {listed}。",
            code="shape_mismatch",
        )
    length = sum(one.shape[dimension] for one in operands)
    shape = (*first.shape[:dimension], length, *first.shape[dimension + 1 :])
    return Aval(shape, first.dtype, all(one.weak for one in operands))


def _concatenate_transpose(ct: Any, *operands: Any, dimension: int) -> list[Any]:
    if is_zero(ct):
        return [Zero(one.aval) if is_undefined(one) else None for one in operands]
    return list(split(ct, tuple(aval_of(one).shape[dimension] for one in operands), dimension))


def _concatenate_batch(size: int, values: Any, axes: Any, dimension: int) -> tuple[Any, int]:
    moved = [
        move_axis(x, axis, 0) if axis is not None else broadcast(x, (size,))
        for x, axis in zip(values, axes, strict=True)
    ]
    return concatenate(moved, dimension + 1), 0


concatenate_p.compute = lambda *xs, dimension: np.concatenate(xs, dimension)
concatenate_p.types, concatenate_p.batch = _concatenate_types, _concatenate_batch
linear(concatenate_p, _concatenate_transpose)


def concatenate(xs: Sequence[Any], axis: int) -> Any:
    """Arrays one after the other."""
    if len(xs) == 1 and isinstance(xs[0], (JaxArray, Tracer)):
        return xs[0]
    return concatenate_p(*xs, dimension=axis)


def _split_types(x: Aval, sizes: Sequence[int], axis: int) -> list[Aval]:
    return [x.with_shape((*x.shape[:axis], int(n), *x.shape[axis + 1 :])) for n in sizes]


def _split_transpose(cts: Any, x: Any, sizes: Any, axis: int) -> list[Any]:
    if all(map(is_zero, cts)):
        return [Zero(x.aval)]
    return [concatenate(list(map(instantiated, cts)), axis)]


def _split_batch(size: int, values: Any, axes: Any, sizes: Any, axis: int) -> tuple[Any, Any]:
    place = axis + 1 if axis >= axes[0] else axis
    return split(values[0], sizes, place), [axes[0]] * len(sizes)


split_p.compute = lambda x, sizes, axis: np.split(x, np.cumsum(sizes)[:-1], axis)
split_p.types, split_p.batch = _split_types, _split_batch
linear(split_p, _split_transpose)


def split(x: Any, sizes: Sequence[Any], axis: int) -> Any:
    """Parts of these lengths along an axis."""
    return split_p(x, sizes=tuple(sizes), axis=axis)


# -- stack, unstack ----------------------------------------------------------------------------------

stack_p, unstack_p = Primitive("stack"), Primitive("unstack", several=True)


def _stack_types(*operands: Aval, axis: int) -> Aval:
    first = operands[0]
    if len({one.shape for one in operands}) != 1:
        listed = ", ".join(str(one.shape) for one in operands)
        raise value_error(
            f"All input arrays must have the same shape. Got {listed}.",
            f"所有数组的形状必须相同，但得到 {listed}。",
            code="shape_mismatch",
        )
    shape = (*first.shape[:axis], len(operands), *first.shape[axis:])
    return Aval(shape, first.dtype, all(one.weak for one in operands))


def _stack_transpose(ct: Any, *operands: Any, axis: int) -> Any:
    if is_zero(ct):
        return [Zero(one.aval) if is_undefined(one) else None for one in operands]
    return unstack_p(ct, axis=axis)


def _stack_batch(size: int, values: Any, axes: Any, axis: int) -> tuple[Any, int]:
    first = axes[0]
    if first is not None and all(one == first for one in axes):
        places = (axis, first + 1) if axis <= first else (axis + 1, first)
        return stack_p(*values, axis=places[0]), places[1]
    moved = [
        move_axis(x, one, 0) if one is not None else broadcast(x, (size,))
        for x, one in zip(values, axes, strict=True)
    ]
    return stack_p(*moved, axis=axis + 1), 0


def _unstack_types(x: Aval, axis: int) -> list[Aval]:
    return [x.with_shape(x.shape[:axis] + x.shape[axis + 1 :])] * x.shape[axis]


def _unstack_transpose(cts: Any, x: Any, axis: int) -> list[Any]:
    if all(map(is_zero, cts)):
        return [Zero(x.aval)]
    return [stack_p(*map(instantiated, cts), axis=axis)]


def _unstack_batch(size: int, values: Any, axes: Any, axis: int) -> tuple[Any, Any]:
    place, left = (axis, axes[0] - 1) if axis < axes[0] else (axis + 1, axes[0])
    outs = unstack_p(values[0], axis=place)
    return outs, [left] * len(outs)


stack_p.compute = lambda *xs, axis: np.stack(xs, axis)
stack_p.types, stack_p.batch = _stack_types, _stack_batch
linear(stack_p, _stack_transpose)
unstack_p.compute = lambda x, axis: [np.array(part) for part in np.moveaxis(x, axis, 0)]
unstack_p.types, unstack_p.batch = _unstack_types, _unstack_batch
linear(unstack_p, _unstack_transpose)

# -- pad ---------------------------------------------------------------------------------------------

pad_p = Primitive("pad")


def _pad_length(length: int, low: int, high: int, inside: int) -> int:
    return max(low + high + (length + inside * (length - 1) if length else 0), 0)


def _pad_types(x: Aval, value: Aval, padding_config: Any) -> Aval:
    shape = tuple(
        int(_pad_length(n, *map(int, config))) for n, config in zip(x.shape, padding_config, strict=True)
    )
    return Aval(shape, x.dtype, x.weak and value.weak)


def _pad(x: Any, value: Any, padding_config: Any) -> Any:
    for axis, (low, high, inside) in enumerate(padding_config):
        x = _pad_axis(x, value, axis, int(low), int(high), int(inside))
    return x


def _pad_axis(x: Any, value: Any, axis: int, low: int, high: int, inside: int) -> Any:
    length = x.shape[axis]
    shape = list(x.shape)
    wide = length + inside * (length - 1) if length else 0
    shape[axis] = wide
    spread = np.full(shape, value, x.dtype)
    spread[(slice(None),) * axis + (slice(None, None, inside + 1),)] = x
    parts = [np.take(spread, range(max(-low, 0), wide - max(-high, 0)), axis)]
    for count, in_front in ((low, True), (high, False)):
        if count > 0:
            shape[axis] = count
            parts.insert(0 if in_front else len(parts), np.full(shape, value, x.dtype))
    return np.concatenate(parts, axis)


def pad(x: Any, value: Any, config: Any) -> Any:
    """Elements before, after and between those of the array; negative counts take away."""
    return pad_p(x, value, padding_config=tuple(tuple(one) for one in config))


def _pad_transpose(ct: Any, x: Any, value: Any, padding_config: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(one.aval) if is_undefined(one) else None for one in (x, value)]
    low, high, inside = zip(*padding_config, strict=True) if padding_config else ((), (), ())
    back = list(zip(np.negative(low), np.negative(high), np.zeros_like(inside), strict=True))

    def of_array() -> Any:
        unpadded = pad(ct, typed(0, aval_of(ct).dtype), back)
        return slice_p(
            unpadded,
            start_indices=tuple(np.zeros_like(low)),
            limit_indices=shape_of(unpadded),
            strides=tuple(np.add(inside, 1)),
        )

    array_ct = of_array() if is_undefined(x) else None
    value_ct = None
    if is_undefined(value):
        rest = of_array() if array_ct is None else array_ct
        value_ct = sub(reduce_sum(ct, range(len(low))), reduce_sum(rest, range(len(low))))
    return [array_ct, value_ct]


def _pad_batch(size: int, values: Any, axes: Any, padding_config: Any) -> tuple[Any, int]:
    (x, value), (axis, value_axis) = values, axes
    if axis is None:
        x, axis = broadcast(x, (size,)), 0
    config = list(padding_config)
    config.insert(axis, (0, 0, 0))
    if value_axis is None:
        return pad(x, value, config), axis
    from engine.languages.surfaces.jax.lax.arithmetic import select
    from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim

    wide = pad(x, like(x, 0), config)
    mask = pad(full_like(x, True, "bool"), Constant(np.bool_(False)), config)
    return select(mask, wide, broadcast_in_dim(value, shape_of(wide), (axis,))), axis


pad_p.compute, pad_p.types, pad_p.batch = _pad, _pad_types, _pad_batch
linear(pad_p, _pad_transpose)

# -- slice -------------------------------------------------------------------------------------------

slice_p = Primitive("slice")


def _slice_types(x: Aval, start_indices: Any, limit_indices: Any, strides: Any) -> Aval:
    steps = strides or [1] * x.ndim
    lengths = (
        max(-(-(stop - start) // step), 0)
        for start, stop, step in zip(start_indices, limit_indices, steps, strict=True)
    )
    return x.with_shape(tuple(int(n) for n in lengths))


def _slice(x: Any, start_indices: Any, limit_indices: Any, strides: Any) -> Any:
    steps = strides or [1] * x.ndim
    parts = zip(start_indices, limit_indices, steps, strict=True)
    return x[tuple(slice(start, stop, step) for start, stop, step in parts)].copy()


def _slice_transpose(ct: Any, x: Any, start_indices: Any, limit_indices: Any, strides: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval)]
    shape = x.aval.shape
    if strides is None or all(step == 1 for step in strides):
        after = np.subtract(shape, limit_indices)
        config = zip(start_indices, after, (0,) * len(start_indices), strict=True)
    else:
        have = shape_of(ct)
        limits = np.add(start_indices, np.where(np.array(have) == 0, 0, (np.array(have) - 1) * strides + 1))
        after = np.subtract(shape, limits)
        config = zip(start_indices, after, np.subtract(strides, 1), strict=True)
    return [pad(ct, typed(0, aval_of(ct).dtype), list(config))]


def _slice_batch(
    size: int, values: Any, axes: Any, start_indices: Any, limit_indices: Any, strides: Any
) -> tuple[Any, int]:
    axis, starts, limits = axes[0], list(start_indices), list(limit_indices)
    starts.insert(axis, 0)
    limits.insert(axis, size)
    steps = None if strides is None else [*strides[:axis], 1, *strides[axis:]]
    return slice_of(values[0], starts, limits, steps), axis


slice_p.compute, slice_p.types, slice_p.batch = _slice, _slice_types, _slice_batch
linear(slice_p, _slice_transpose)


def slice_of(x: Any, starts: Sequence[int], limits: Sequence[int], strides: Any = None) -> Any:
    """A part of the array along each axis."""
    return slice_p(
        x,
        start_indices=tuple(starts),
        limit_indices=tuple(limits),
        strides=None if strides is None else tuple(strides),
    )


def slice_in_dim(x: Any, start: int, stop: int | None, axis: int = 0, stride: int = 1) -> Any:
    """A part along one axis."""
    shape = shape_of(x)
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[axis], limits[axis], strides[axis] = start, shape[axis] if stop is None else stop, stride
    return slice_of(x, starts, limits, strides)


# -- iota and tile -----------------------------------------------------------------------------------

iota_p = Primitive("iota")


def _iota(dtype: str, shape: Shape, dimension: int, sharding: Any) -> Any:
    lengths = [1] * len(shape)
    lengths[dimension] = shape[dimension]
    places = np.arange(shape[dimension]).astype(held_as(dtype))
    return np.broadcast_to(places.reshape(lengths), shape).copy()


iota_p.compute = _iota
iota_p.types = lambda dtype, shape, dimension, sharding: Aval(shape, dtype)
without_tangent(iota_p)


def iota(dtype: str, shape: Sequence[int], axis: int = 0) -> Any:
    """0, 1, 2, … along an axis."""
    return iota_p(dtype=dtype, shape=tuple(shape), dimension=axis, sharding=None)


tile_p = Primitive("tile")
tile_p.compute = lambda x, reps: np.tile(x, reps)
tile_p.types = lambda x, reps: x.with_shape(tuple(n * r for n, r in zip(x.shape, reps, strict=True)))


def _tile_transpose(ct: Any, x: Any, reps: Sequence[int]) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval)]
    lengths = [part for pair in zip(reps, x.aval.shape, strict=True) for part in pair]
    return [reduce_sum(reshape(ct, lengths), range(0, len(lengths), 2))]


linear(tile_p, _tile_transpose)
tile_p.batch = lambda size, values, axes, reps: (
    tile_p(at_axis_0(values[0], axes[0], size), reps=(1, *reps)),
    0,
)
