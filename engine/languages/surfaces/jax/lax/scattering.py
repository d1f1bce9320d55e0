"""Primitives that put elements at places that are computed: scatter, and the transpose of gather."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import at_axis_0, move_axis
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Constant, Zero, aval_of, typed, zero_tangent
from engine.languages.surfaces.jax.lax.arithmetic import add, div, eq, max_p, min_p, mul, select
from engine.languages.surfaces.jax.lax.basics import (
    convert,
    full,
    full_like,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.gathering import (
    CLIP,
    FILL,
    IN_BOUNDS,
    Gathering,
    Mode,
    Scattering,
    gather,
    gather_p,
    moved_on,
    places_of,
    window_order,
)
from engine.languages.surfaces.jax.lax.shapes import iota


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
    places, inside, rank = places_of(x.shape, indices, dims, sizes, mode is CLIP)
    order = window_order(dims, rank, len(window))
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


def scatter_batch(
    primitive: Primitive, size: int, values: Any, axes: Any, dimension_numbers: Scattering, **parameters: Any
) -> tuple[Any, int]:
    (x, indices, updates), (i, j, k) = values, axes
    x, updates, dims = at_axis_0(x, i, size), at_axis_0(updates, k, size), dimension_numbers
    if j is None:
        moved = Scattering(
            (0, *moved_on(dims.offset)),
            moved_on(dims.collapsed),
            moved_on(dims.starts),
            moved_on(dims.batch),
            dims.index_batch,
        )
    else:
        indices = move_axis(indices, j, 0)
        moved = Scattering(
            moved_on(dims.offset),
            moved_on(dims.collapsed),
            moved_on(dims.starts),
            (0, *moved_on(dims.batch)),
            (0, *moved_on(dims.index_batch)),
        )
    return primitive(x, indices, updates, dimension_numbers=moved, **parameters), 0


def scattering(name: str, put: Callable[..., Any], combine: Any) -> Primitive:
    """A primitive that puts elements into an array. combine: of an element there and the new one."""
    primitive = Primitive(name)
    primitive.compute, primitive.types = partial(_scatter, put), _scatter_types
    primitive.batch = partial(scatter_batch, primitive)
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
        zeros = full(aval_of(updates).shape, typed(0, aval_of(ct).dtype))
        old = scatter_p(ct, indices, zeros, **parameters)
    if is_undefined(updates):
        new = _taken(ct, aval_of(x), indices, aval_of(updates), parameters)
    return [old, None, new]


scatter_add_p.tangent, scatter_add_p.transpose = _add_tangent, _add_transpose
scatter_p.tangent, scatter_p.transpose = _set_tangent, _set_transpose


def _not_unique() -> ProgramError:
    said = "scatter_mul gradients are only implemented if `unique_indices=True`"
    return ProgramError(
        said,
        message_zh="at[...].multiply 的梯度只在 unique_indices=True（每个位置只乘一次）时有定义。",
        hint="Write x.at[places].multiply(values, unique_indices=True) where no place comes twice.",
        hint_zh="如果没有重复的位置，请写 x.at[places].multiply(values, unique_indices=True)。",
        code="no_gradient",
        kind="NotImplementedError",
        said=said,
    )


def _mul_tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    x, indices, updates = primals
    out = scatter_mul_p(*primals, **parameters)
    parts = []
    if not is_zero(tangents[0]):
        parts.append(scatter_mul_p(tangents[0], indices, updates, **parameters))
    if not is_zero(tangents[2]):
        if not parameters["unique_indices"]:
            raise _not_unique()
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


def _extremal_tangent(
    primitive: Primitive, primals: Any, tangents: Any, **parameters: Any
) -> tuple[Any, Any]:
    """The tangents of those that are the largest (or least) at their place, in equal shares."""
    x, indices, updates = primals
    out = primitive(*primals, **parameters)
    if is_zero(tangents[0]) and is_zero(tangents[2]):
        return out, zero_tangent(out)
    dims, settings = parameters["dimension_numbers"], ("indices_are_sorted", "unique_indices", "mode")
    rest = [parameters[key] for key in settings]
    dtype = aval_of(x).dtype
    stays = convert(eq(x, out), dtype)
    put = convert(eq(updates, _taken(out, aval_of(x), indices, aval_of(updates), parameters)), dtype)

    def summed(old: Any, new: Any) -> Any:
        return scatter(scatter_add_p, mul(stays, old), indices, mul(put, new), dims, *rest)

    count = summed(full_like(x, 1), full_like(updates, 1))
    return out, div(summed(instantiated(tangents[0]), instantiated(tangents[2])), count)


scatter_max_p.tangent = partial(_extremal_tangent, scatter_max_p)
scatter_min_p.tangent = partial(_extremal_tangent, scatter_min_p)


def _gather_transpose(
    ct: Any, x: Any, indices: Any, dimension_numbers: Gathering, mode: Mode, **parameters: Any
) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval), None]
    zeros = full(x.aval.shape, typed(0, aval_of(ct).dtype))
    dims = dimension_numbers
    back = Scattering(dims.offset, dims.collapsed, dims.starts, dims.batch, dims.index_batch)
    unique, ordered = parameters["unique_indices"], parameters["indices_are_sorted"]
    return [scatter(scatter_add_p, zeros, indices, ct, back, ordered, unique, mode), None]


gather_p.transpose = _gather_transpose
