"""Parts of arrays, at known and at computed places: `lax.slice`, `lax.dynamic_slice`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.api.lax_functions.table import named
from engine.languages.surfaces.jax.api.refusing import lax as check
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.lax import dynamic_slices as dy
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.numpy.indexing.taking import normalized
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.operators import rows


@named("slice")
def slice_(operand: Any, start_indices: Any, limit_indices: Any, strides: Any = None) -> Any:
    """A part of the array."""
    x, first, last = as_value(operand), tuple(start_indices), tuple(limit_indices)
    check.check_sizes(ba.shape_of(x), last)
    return sh.slice_of(x, first, last, strides)


@named("slice_in_dim")
def slice_in_dim(operand: Any, start_index: Any, limit_index: Any, stride: Any = 1, axis: Any = 0) -> Any:
    """A part along one axis."""
    x = as_value(operand)
    length = ba.shape_of(x)[int(axis)]
    start = 0 if start_index is None else int(start_index)
    stop = length if limit_index is None else int(limit_index)
    start, stop = (n + length if n < 0 else n for n in (start, stop))
    return sh.slice_in_dim(x, start, stop, int(axis), int(stride))


@named("index_in_dim")
def index_in_dim(operand: Any, index: Any, axis: Any = 0, keepdims: Any = True) -> Any:
    """One place along an axis."""
    x = slice_in_dim(operand, index, int(index) + 1, 1, axis)
    return x if keepdims else sh.squeeze(x, (int(axis),))


def _starts(x: Any, starts: Any) -> list[Any]:
    shape = ba.shape_of(x)
    if isinstance(starts, (int, float)):
        raise type_error(f"object of type '{type(starts).__name__}' has no len()", "起点必须写成元组。")
    items = list(starts) if isinstance(starts, (tuple, list)) else list(rows(starts))
    check.check_starts(x, items)
    return [normalized(_whole(as_value(one)), n) for one, n in zip(items, shape, strict=True)]


def _whole(value: Any) -> Any:
    return ba.convert(value, aval_of(value).dtype, aval_of(value).weak)


@named("dynamic_slice")
def dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Any, **_: Any) -> Any:
    """A part that begins at a computed place."""
    x, sizes = as_value(operand), lengths(slice_sizes)
    starts = _starts(x, start_indices)
    check.check_places("dynamic_slice", starts)
    check.check_sizes(ba.shape_of(x), sizes)
    return dy.dynamic_slice_p(x, *starts, slice_sizes=sizes)


@named("dynamic_slice_in_dim")
def dynamic_slice_in_dim(operand: Any, start_index: Any, slice_size: Any, axis: Any = 0, **_: Any) -> Any:
    """The same along one axis."""
    x = as_value(operand)
    shape = ba.shape_of(x)
    place = int(axis) % len(shape)
    starts: list[Any] = [0] * len(shape)
    starts[place] = start_index
    sizes = [*shape[:place], int(slice_size), *shape[place + 1 :]]
    return dynamic_slice(x, starts, sizes)


@named("dynamic_index_in_dim")
def dynamic_index_in_dim(operand: Any, index: Any, axis: Any = 0, keepdims: Any = True, **_: Any) -> Any:
    """One computed place along an axis."""
    place = int(axis) % len(ba.shape_of(as_value(operand)))
    return _dynamic_index(as_value(operand), as_value(index), axis=place, keepdims=bool(keepdims))


@library_jit(2, name="dynamic_index_in_dim")
def _dynamic_index(x: Any, index: Any, axis: int, keepdims: bool) -> Any:
    x = dynamic_slice_in_dim(x, index, 1, axis)
    return x if keepdims else sh.squeeze(x, (axis,))


@named("dynamic_update_slice")
def dynamic_update_slice(operand: Any, update: Any, start_indices: Any, **_: Any) -> Any:
    """The array with another part at a computed place."""
    x, new = as_value(operand), as_value(update)
    starts = _starts(x, start_indices)
    check.check_places("dynamic_update_slice", starts)
    check.check_update(x, new)
    return dy.dynamic_update_slice_p(x, new, *starts)


@named("dynamic_update_index_in_dim")
def dynamic_update_index_in_dim(operand: Any, update: Any, index: Any, axis: Any, **_: Any) -> Any:
    """The array with another one at a computed place along an axis."""
    return _dynamic_update_index(as_value(operand), as_value(update), as_value(index), axis=int(axis))


@library_jit(3, name="dynamic_update_index_in_dim")
def _dynamic_update_index(x: Any, update: Any, index: Any, axis: int) -> Any:
    return dynamic_update_slice_in_dim(x, update, index, axis)


@named("dynamic_update_slice_in_dim")
def dynamic_update_slice_in_dim(operand: Any, update: Any, start_index: Any, axis: Any, **_: Any) -> Any:
    """The same along one axis."""
    x, new = as_value(operand), as_value(update)
    shape = ba.shape_of(x)
    place = int(axis) % len(shape)
    if len(ba.shape_of(new)) < len(shape):
        new = ba.expand_dims(new, (place,))
    starts: list[Any] = [0] * len(shape)
    starts[place] = start_index
    return dynamic_update_slice(x, new, starts)
