"""Primitives that take and put elements at places that are computed: dynamic slices, gather and scatter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval, Shape
from engine.languages.surfaces.jax.core.batching import at_axis_0, broadcast_axis, move_axis
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Constant, Zero, aval_of, zero_tangent
from engine.languages.surfaces.jax.lax.arithmetic import add, eq, max_p, min_p, mul, select
from engine.languages.surfaces.jax.lax.basics import (
    broadcast,
    broadcast_in_dim,
    full,
    full_like,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.shapes import concatenate, iota


class Mode:
    """What happens at places outside of an array; written by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return f"GatherScatterMode.{self.name}"


CLIP, FILL, IN_BOUNDS = Mode("CLIP"), Mode("FILL_OR_DROP"), Mode("PROMISE_IN_BOUNDS")
Axes = tuple[Any, ...]


@dataclass(frozen=True)
class Gathering:
    """Which axes of the array, the indices and the result belong together.

    offset: axes of the result that are parts of the array; collapsed: axes of the array of which one place is
    taken; starts: axes of the array that the indices are about; batch, index_batch: axes that go together.
    """

    offset: Axes
    collapsed: Axes
    starts: Axes
    batch: Axes = ()
    index_batch: Axes = ()

    def __str__(self) -> str:
        return (
            f"GatherDimensionNumbers(offset_dims={self.offset}, collapsed_slice_dims={self.collapsed}, "
            f"start_index_map={self.starts}, operand_batching_dims={self.batch}, "
            f"start_indices_batching_dims={self.index_batch})"
        )


class Scattering(Gathering):
    """The same for elements that are put into an array."""

    def __str__(self) -> str:
        return (
            f"ScatterDimensionNumbers(update_window_dims={self.offset}, "
            f"inserted_window_dims={self.collapsed}, "
            f"scatter_dims_to_operand_dims={self.starts}, operand_batching_dims={self.batch}, "
            f"scatter_indices_batching_dims={self.index_batch})"
        )


def _places(
    shape: Shape, indices: Any, dims: Gathering, sizes: Sequence[int], clip: bool
) -> tuple[tuple[Any, ...], Any, int]:
    """For each axis of the array the places meant, which of them are inside, and the batch's rank."""
    batch_shape, ndim = indices.shape[:-1], len(shape)
    window = [axis for axis in range(ndim) if axis not in dims.collapsed and axis not in dims.batch]
    rank = len(batch_shape)
    inside: Any = np.ones(batch_shape, bool)
    places = []
    for axis in range(ndim):
        size = int(sizes[axis])
        if axis in dims.starts:
            start = indices[..., list(dims.starts).index(axis)].astype("int64")
            inside = inside & (start >= 0) & (start <= shape[axis] - size)
            start = np.clip(start, 0, max(shape[axis] - size, 0))
        else:
            start = np.zeros(batch_shape, "int64")
        if axis in dims.batch:
            along = dims.index_batch[list(dims.batch).index(axis)]
            lengths = [1] * rank
            lengths[along] = batch_shape[along]
            start = start + np.arange(batch_shape[along]).reshape(lengths)
        start = start.reshape((*batch_shape, *([1] * len(window))))
        if axis in window:
            lengths = [1] * (rank + len(window))
            lengths[rank + window.index(axis)] = size
            start = start + np.arange(size).reshape(lengths)
        places.append(start)
    return tuple(places), inside if not clip else np.ones(batch_shape, bool), rank


def _order(dims: Gathering, rank: int, count: int) -> list[int]:
    """Where the axes of batch and window lie in the result."""
    order, batch, window = [], iter(range(rank)), iter(range(rank, rank + count))
    for axis in range(rank + count):
        order.append(next(window) if axis in dims.offset else next(batch))
    return order


# -- gather ------------------------------------------------------------------------------------------

gather_p = Primitive("gather")


def _gather(
    x: Any,
    indices: Any,
    dimension_numbers: Gathering,
    slice_sizes: Sequence[int],
    mode: Mode,
    fill_value: Any,
    **_: Any,
) -> Any:
    dims = dimension_numbers
    places, inside, rank = _places(x.shape, indices, dims, slice_sizes, mode is not FILL)
    found = x[places] if x.ndim else np.broadcast_to(x, indices.shape[:-1])
    count = found.ndim - rank
    if mode is FILL and not inside.all():
        fill = _fill(x.dtype) if fill_value is None else fill_value
        found = np.where(inside.reshape((*inside.shape, *([1] * count))), found, np.asarray(fill, x.dtype))
    return np.transpose(found, _order(dims, rank, count)).copy()


def _fill(dtype: Any) -> Any:
    if dtype.kind == "f":
        return np.nan
    if dtype.kind == "b":
        return True
    return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max


def _gather_types(
    x: Aval, indices: Aval, dimension_numbers: Gathering, slice_sizes: Sequence[int], **_: Any
) -> Aval:
    dims = dimension_numbers
    window = iter(
        int(size)
        for axis, size in enumerate(slice_sizes)
        if axis not in dims.collapsed and axis not in dims.batch
    )
    batch = iter(indices.shape[:-1])
    ndim = len(indices.shape) - 1 + len(dims.offset)
    shape = tuple(next(window) if axis in dims.offset else next(batch) for axis in range(ndim))
    return Aval(shape, x.dtype, x.weak)


def _gather_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    out = gather_p(*primals, **parameters)
    if is_zero(tangents[0]):
        return out, zero_tangent(out)
    return out, gather_p(tangents[0], primals[1], **parameters)


def _gather_transpose(
    ct: Any, x: Any, indices: Any, dimension_numbers: Gathering, mode: Mode, **parameters: Any
) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval), None]
    zeros = full(x.aval.shape, Constant(np.zeros((), aval_of(ct).dtype)))
    dims = dimension_numbers
    back = Scattering(dims.offset, dims.collapsed, dims.starts, dims.batch, dims.index_batch)
    unique, ordered = parameters["unique_indices"], parameters["indices_are_sorted"]
    return [scatter(scatter_add_p, zeros, indices, ct, back, ordered, unique, mode), None]


def _plus(axes: Any) -> Axes:
    return tuple(np.add(1, axes)) if len(axes) else ()


def _gather_batch(
    size: int, values: Any, axes: Any, dimension_numbers: Gathering, slice_sizes: Any, **parameters: Any
) -> tuple[Any, int]:
    (x, indices), (i, j) = values, axes
    dims = dimension_numbers
    if i is not None and j is None:
        x = move_axis(x, i, 0)
        dims = Gathering(
            (0, *_plus(dims.offset)),
            _plus(dims.collapsed),
            _plus(dims.starts),
            _plus(dims.batch),
            dims.index_batch,
        )
        return gather_p(x, indices, dimension_numbers=dims, slice_sizes=(size, *slice_sizes), **parameters), 0
    if i is None:
        indices = move_axis(indices, j, 0)
        dims = replace(
            dims, offset=tuple(1 + axis for axis in dims.offset), index_batch=_plus(dims.index_batch)
        )
        parameters |= {"unique_indices": False, "indices_are_sorted": False}
        return gather_p(x, indices, dimension_numbers=dims, slice_sizes=slice_sizes, **parameters), 0
    x, indices = move_axis(x, i, 0), move_axis(indices, j, 0)
    dims = Gathering(
        _plus(dims.offset),
        _plus(dims.collapsed),
        _plus(dims.starts),
        (0, *_plus(dims.batch)),
        (0, *_plus(dims.index_batch)),
    )
    return gather_p(x, indices, dimension_numbers=dims, slice_sizes=(1, *slice_sizes), **parameters), 0


gather_p.compute, gather_p.types = _gather, _gather_types
gather_p.tangent, gather_p.transpose, gather_p.batch = _gather_tangent, _gather_transpose, _gather_batch


def gather(
    x: Any,
    indices: Any,
    dims: Gathering,
    sizes: Sequence[int],
    mode: Mode,
    fill: Any = None,
    unique: bool = False,
    ordered: bool = False,
) -> Any:
    """Parts of an array at computed places."""
    return gather_p(
        x,
        indices,
        dimension_numbers=dims,
        fill_value=fill,
        indices_are_sorted=ordered,
        mode=mode,
        slice_sizes=tuple(sizes),
        unique_indices=unique,
    )


# -- scatter -----------------------------------------------------------------------------------------


def _scatter(
    put: Callable[..., Any],
    x: Any,
    indices: Any,
    updates: Any,
    dimension_numbers: Scattering,
    mode: Mode,
    **_: Any,
) -> Any:
    dims = dimension_numbers
    window = [axis for axis in range(x.ndim) if axis not in dims.collapsed and axis not in dims.batch]
    sizes = [1] * x.ndim
    for axis, along in zip(window, sorted(dims.offset), strict=True):
        sizes[axis] = updates.shape[along]
    places, inside, rank = _places(x.shape, indices, dims, sizes, mode is CLIP)
    order = _order(dims, rank, len(window))
    moved = np.transpose(updates, np.argsort(order))
    shape = np.broadcast_shapes(*(place.shape for place in places), moved.shape) if places else moved.shape
    kept = np.broadcast_to(inside.reshape((*inside.shape, *([1] * len(window)))), shape)
    out = x.copy()
    chosen = tuple(np.broadcast_to(place, shape)[kept] for place in places)
    if x.ndim:
        put(out, chosen, np.broadcast_to(moved, shape)[kept])
        return out
    for value in moved[kept].ravel():
        put(out, (), value)
    return out


def _put(out: Any, places: Any, values: Any) -> None:
    out[places] = values


def _scatter_types(x: Aval, indices: Aval, updates: Aval, **_: Any) -> Aval:
    return x


def _scatter_batch(
    primitive: Primitive, size: int, values: Any, axes: Any, dimension_numbers: Scattering, **parameters: Any
) -> tuple[Any, int]:
    (x, indices, updates), (i, j, k) = values, axes
    x, updates, dims = at_axis_0(x, i, size), at_axis_0(updates, k, size), dimension_numbers
    if j is None:
        moved = Scattering(
            (0, *_plus(dims.offset)),
            _plus(dims.collapsed),
            _plus(dims.starts),
            _plus(dims.batch),
            dims.index_batch,
        )
    else:
        indices = move_axis(indices, j, 0)
        moved = Scattering(
            _plus(dims.offset),
            _plus(dims.collapsed),
            _plus(dims.starts),
            (0, *_plus(dims.batch)),
            (0, *_plus(dims.index_batch)),
        )
    return primitive(x, indices, updates, dimension_numbers=moved, **parameters), 0


def scattering(name: str, put: Callable[..., Any], combine: Any) -> Primitive:
    """A primitive that puts elements into an array. combine: of an element there and the new one."""
    primitive = Primitive(name)
    primitive.compute, primitive.types = partial(_scatter, put), _scatter_types
    primitive.batch = partial(_scatter_batch, primitive)
    COMBINES[name] = combine
    return primitive


COMBINES: dict[str, Any] = {}
scatter_p = scattering("scatter", _put, None)
scatter_add_p = scattering("scatter-add", np.add.at, add)
scatter_mul_p = scattering("scatter-mul", np.multiply.at, mul)
scatter_min_p = scattering("scatter-min", np.minimum.at, min_p)
scatter_max_p = scattering("scatter-max", np.maximum.at, max_p)


def scatter(
    primitive: Primitive,
    x: Any,
    indices: Any,
    updates: Any,
    dims: Scattering,
    ordered: bool,
    unique: bool,
    mode: Mode,
) -> Any:
    """The array with other elements at computed places."""
    combine, update_jaxpr = COMBINES[primitive.name], None
    if combine is not None:
        number = Aval((), aval_of(x).dtype)
        update_jaxpr = trace_to_jaxpr(lambda a, b: [combine(a, b)], [number, number])
    return primitive(
        x,
        indices,
        updates,
        dimension_numbers=dims,
        indices_are_sorted=ordered,
        mode=mode,
        unique_indices=unique,
        update_consts=(),
        update_jaxpr=update_jaxpr,
    )


def _add_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    _, indices, _ = primals
    out = scatter_add_p(*primals, **parameters)
    if is_zero(tangents[0]) and is_zero(tangents[2]):
        return out, zero_tangent(out)
    return out, scatter_add_p(instantiated(tangents[0]), indices, instantiated(tangents[2]), **parameters)


def _window_sizes(x: Aval, updates: Aval, dims: Scattering) -> list[int]:
    lengths = iter(updates.shape[axis] for axis in sorted(dims.offset))
    return [1 if axis in dims.collapsed or axis in dims.batch else next(lengths) for axis in range(x.ndim)]


def _taken(ct: Any, x: Aval, indices: Any, updates: Aval, parameters: Any) -> Any:
    """The cotangent of what was put in."""
    dims = parameters["dimension_numbers"]
    back = Gathering(dims.offset, dims.collapsed, dims.starts, dims.batch, dims.index_batch)
    sizes = _window_sizes(x, updates, dims)
    mode, unique = parameters["mode"], parameters["unique_indices"]
    return gather(ct, indices, back, sizes, mode, 0, unique, parameters["indices_are_sorted"])


def _add_transpose(ct: Any, x: Any, indices: Any, updates: Any, **parameters: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(one.aval) if is_undefined(one) else None for one in (x, indices, updates)]
    new = _taken(ct, aval_of(x), indices, aval_of(updates), parameters) if is_undefined(updates) else None
    return [ct if is_undefined(x) else None, None, new]


def _set_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    x, indices, updates = primals
    if is_zero(tangents[0]) and is_zero(tangents[2]):
        out = scatter_p(*primals, **parameters)
        return out, zero_tangent(out)
    moved = [instantiated(tangents[0]), instantiated(tangents[2])]
    if parameters["unique_indices"]:
        out = scatter_p(*primals, **parameters)
        return out, scatter_p(moved[0], indices, moved[1], **parameters)
    return _set_overlapping(x, indices, updates, moved, parameters)


def _set_overlapping(x: Any, indices: Any, updates: Any, moved: Any, parameters: Any) -> tuple[Any, Any]:
    """Where elements may be put at one place twice: each has a number, and the one that stays counts."""
    dims = parameters["dimension_numbers"]
    shape = [1 if axis in dims.offset else n for axis, n in enumerate(shape_of(updates))]
    numbers = add(reshape(iota("uint32", (prod(shape),)), shape), full_like(updates, 1, "uint32"))
    zeros = full(shape_of(x), Constant(np.uint32(0)))
    there = scatter_p(zeros, indices, numbers, **parameters)
    sizes = _window_sizes(aval_of(x), aval_of(updates), dims)
    back = Gathering(dims.offset, dims.collapsed, dims.starts, dims.batch, dims.index_batch)
    gathered = gather(there, indices, back, sizes, IN_BOUNDS if parameters["mode"] is IN_BOUNDS else FILL)
    free, stays = eq(there, full_like(there, 0)), eq(numbers, gathered)
    settings = [parameters[key] for key in ("indices_are_sorted", "unique_indices", "mode")]
    results = []
    for array, new in ((x, updates), (moved[0], moved[1])):
        kept = select(free, array, full_like(array, 0))
        put = select(stays, new, full_like(new, 0))
        results.append(scatter(scatter_add_p, kept, indices, put, dims, *settings))
    return results[0], results[1]


def _set_transpose(ct: Any, x: Any, indices: Any, updates: Any, **parameters: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(one.aval) if is_undefined(one) else None for one in (x, indices, updates)]
    old = new = None
    if is_undefined(x):
        zeros = full(aval_of(updates).shape, Constant(np.zeros((), aval_of(ct).dtype)))
        old = scatter_p(ct, indices, zeros, **parameters)
    if is_undefined(updates):
        new = _taken(ct, aval_of(x), indices, aval_of(updates), parameters)
    return [old, None, new]


scatter_add_p.tangent, scatter_add_p.transpose = _add_tangent, _add_transpose
scatter_p.tangent, scatter_p.transpose = _set_tangent, _set_transpose


def _mul_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    x, indices, updates = primals
    out = scatter_mul_p(*primals, **parameters)
    parts = []
    if not is_zero(tangents[0]):
        parts.append(scatter_mul_p(tangents[0], indices, updates, **parameters))
    if not is_zero(tangents[2]):
        dims, settings = parameters["dimension_numbers"], ("indices_are_sorted", "unique_indices", "mode")
        rest = [parameters[key] for key in settings]
        zeros = full_like(x, 0)
        parts.append(mul(x, scatter(scatter_add_p, zeros, indices, tangents[2], dims, *rest)))
    if not parts:
        return out, zero_tangent(out)
    return out, parts[0] if len(parts) == 1 else add(*parts)


scatter_mul_p.tangent = _mul_tangent
scatter_mul_p.transpose = lambda ct, x, indices, updates, **parameters: [
    scatter_mul_p(ct, indices, updates, **parameters) if is_undefined(x) else None,
    None,
    None,
]

# -- dynamic slices ----------------------------------------------------------------------------------

dynamic_slice_p, dynamic_update_slice_p = Primitive("dynamic_slice"), Primitive("dynamic_update_slice")


def _starts(shape: Shape, starts: Sequence[Any], sizes: Sequence[int]) -> tuple[slice, ...]:
    parts = []
    for length, start, size in zip(shape, starts, sizes, strict=True):
        first = int(np.clip(int(start), 0, length - size))
        parts.append(slice(first, first + size))
    return tuple(parts)


def _slice_tangent(primals: Any, tangents: Any, slice_sizes: Any) -> tuple[Any, Any]:
    out, moved = dynamic_slice_p(*primals, slice_sizes=slice_sizes), tangents[0]
    if is_zero(moved):
        return out, zero_tangent(out)
    return out, dynamic_slice_p(moved, *primals[1:], slice_sizes=slice_sizes)


def _slice_transpose(ct: Any, x: Any, *starts: Any, slice_sizes: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval), *([None] * len(starts))]
    zeros = full(x.aval.shape, Constant(np.zeros((), x.aval.dtype)))
    return [dynamic_update_slice_p(zeros, ct, *starts), *([None] * len(starts))]


def _index_rows(size: int, starts: Sequence[Any], axes: Sequence[Any]) -> tuple[Any, Any]:
    if all(axis is None for axis in axes):
        return concatenate([broadcast(start, (1,)) for start in starts], 0), None
    rows = [
        broadcast_in_dim(start, (size, 1), (0,) if axis is not None else ())
        for start, axis in zip(starts, axes, strict=True)
    ]
    return concatenate(rows, 1), 0


def _slice_batch(size: int, values: Any, axes: Any, slice_sizes: Any) -> tuple[Any, int]:
    (x, *starts), (axis, *start_axes) = values, axes
    every = tuple(range(len(slice_sizes)))
    indices, index_axis = _index_rows(size, starts, start_axes)
    return _gather_batch(
        size,
        [x, indices],
        [axis, index_axis],
        Gathering(every, (), every),
        tuple(slice_sizes),
        unique_indices=True,
        indices_are_sorted=True,
        mode=CLIP,
        fill_value=None,
    )


dynamic_slice_p.compute = lambda x, *starts, slice_sizes: x[_starts(x.shape, starts, slice_sizes)].copy()
dynamic_slice_p.types = lambda x, *starts, slice_sizes: x.with_shape(tuple(slice_sizes))
dynamic_slice_p.tangent, dynamic_slice_p.transpose = _slice_tangent, _slice_transpose
dynamic_slice_p.batch = _slice_batch


def _update(x: Any, update: Any, *starts: Any) -> Any:
    out = x.copy()
    out[_starts(x.shape, starts, update.shape)] = update
    return out


def _update_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    out = dynamic_update_slice_p(*primals)
    if is_zero(tangents[0]) and is_zero(tangents[1]):
        return out, zero_tangent(out)
    return out, dynamic_update_slice_p(instantiated(tangents[0]), instantiated(tangents[1]), *primals[2:])


def _update_transpose(ct: Any, x: Any, update: Any, *starts: Any) -> list[Any]:
    rest = [None] * len(starts)
    if is_zero(ct):
        return [*(Zero(one.aval) if is_undefined(one) else None for one in (x, update)), *rest]
    zeros = full_like(ct, 0, shape=aval_of(update).shape)
    old = dynamic_update_slice_p(ct, zeros, *starts) if is_undefined(x) else None
    new = dynamic_slice_p(ct, *starts, slice_sizes=aval_of(update).shape) if is_undefined(update) else None
    return [old, new, *rest]


def _update_batch(size: int, values: Any, axes: Any) -> tuple[Any, int]:
    (x, update, *starts), (i, j, *start_axes) = values, axes
    shape = shape_of(update)
    every = tuple(range(len(shape) - (j is not None)))
    indices, index_axis = _index_rows(size, starts, start_axes)
    parameters = {
        "indices_are_sorted": True,
        "mode": CLIP,
        "unique_indices": True,
        "update_consts": (),
        "update_jaxpr": None,
    }
    if i is None and j is not None:
        x, i = broadcast_axis(x, size, 0), 0
    dims = Scattering(every, (), every)
    return _scatter_batch(scatter_p, size, [x, indices, update], [i, index_axis, j], dims, **parameters)


dynamic_update_slice_p.compute = _update
dynamic_update_slice_p.types = lambda x, update, *starts: x
dynamic_update_slice_p.tangent = _update_tangent
dynamic_update_slice_p.transpose = _update_transpose
dynamic_update_slice_p.batch = _update_batch

UpdateJaxpr = Jaxpr | None
