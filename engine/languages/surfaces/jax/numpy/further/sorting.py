"""Functions of `jnp` that sort, and find places in an order."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.surfaces.jax.api.calling import whole
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import move_axis
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.tangents import is_zero
from engine.languages.surfaces.jax.core.values import Zero, aval_of, known
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    expand_dims,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.gathering import IN_BOUNDS, Gathering, gather
from engine.languages.surfaces.jax.lax.shapes import iota, rev
from engine.languages.surfaces.jax.numpy.making.arrays import on_device
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of, place_of
from engine.languages.surfaces.jax.numpy.reducing.sums import sum_
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only

sort_p = Primitive("sort", several=True)


def _sorted(*operands: Any, dimension: int, is_stable: bool, num_keys: int) -> list[Any]:
    keys = [np.where(x == 0, 0, x) if x.dtype.kind == "f" else x for x in operands[:num_keys]]
    order = (
        np.lexsort(keys[::-1], axis=dimension)
        if num_keys > 1
        else np.argsort(keys[0], axis=dimension, kind="stable")
    )
    return [np.take_along_axis(x, order, dimension) for x in operands]


def _sort_tangent(
    primals: Any, tangents: Any, dimension: int, is_stable: bool, num_keys: int
) -> tuple[Any, Any]:
    shape = shape_of(primals[0])
    places = iota("uint32", shape, dimension)
    *outs, order = sort_p(*primals, places, dimension=dimension, is_stable=is_stable, num_keys=num_keys)
    indices = expand_dims(order, (len(shape),))
    return outs, [t if is_zero(t) else _at_places(t, indices, dimension) for t in tangents]


def _at_places(x: Any, places: Any, dimension: int) -> Any:
    """The elements at these places along an axis. Shapes: (*S), (*S with n there, 1) -> (*S with n)."""
    rank = len(shape_of(x))
    batch = tuple(np.delete(np.arange(rank), dimension))
    dims = Gathering((), (dimension,), (dimension,), batch, batch)
    return gather(x, places, dims, (1,) * rank, IN_BOUNDS)


def _sort_batch(
    size: int, values: Any, axes: Any, dimension: int, is_stable: bool, num_keys: int
) -> tuple[Any, Any]:
    wide, place = next((x, axis) for x, axis in zip(values, axes, strict=True) if axis is not None)
    shape = shape_of(wide)
    moved = [
        broadcast_in_dim(x, shape, [i for i in range(len(shape)) if i != place])
        if axis is None
        else move_axis(x, axis, place)
        for x, axis in zip(values, axes, strict=True)
    ]
    along = dimension + (place <= dimension)
    outs = sort_p(*moved, dimension=along, is_stable=is_stable, num_keys=num_keys)
    return outs, [place] * len(outs)


sort_p.compute, sort_p.types = _sorted, lambda *avals, **_: list(avals)
sort_p.tangent, sort_p.batch = _sort_tangent, _sort_batch


def sorted_with(operands: Any, axis: int, keys: int = 1) -> list[Any]:
    """Arrays in the order of the first."""
    found: list[Any] = sort_p(*operands, dimension=axis, is_stable=True, num_keys=keys)
    return found


@named("sort")
def sort(a: Any, axis: Any = -1, *, descending: Any = False, **_: Any) -> Any:
    """The elements in order."""
    (x,) = check_arrays("sort", [a])
    if axis is None:
        x, axis = reshape(x, (aval_of(x).size,)), 0
    return _sort(x, axis=place_of(int(axis), len(shape_of(x))), descending=bool(descending))


@library_jit(1, name="sort")
def _sort(x: Any, axis: int, descending: bool) -> Any:
    out = sorted_with([x], axis)[0]
    return rev(out, (axis,)) if descending else out


@named("argsort")
def argsort(a: Any, axis: Any = -1, *, descending: Any = False, **_: Any) -> Any:
    """The places of the elements in order."""
    (x,) = check_arrays("argsort", [a])
    if axis is None:
        x, axis = reshape(x, (aval_of(x).size,)), 0
    return _argsort(x, axis=place_of(int(axis), len(shape_of(x))), descending=bool(descending))


@library_jit(1, name="argsort")
def _argsort(x: Any, axis: int, descending: bool) -> Any:
    places = iota(default_int(), shape_of(x), axis)
    if descending:
        x = ar.neg(x)
    return sorted_with([x, places], axis)[1]


top_k_p = Primitive("top_k", several=True)


def _top(x: Any, k: int, axis: int) -> list[Any]:
    order = np.argsort(-x if x.dtype.kind == "f" else -x.astype("int64"), axis=axis, kind="stable")[..., :k]
    return [np.take_along_axis(x, order, axis), order.astype("int32")]


def _top_tangent(primals: Any, tangents: Any, k: int, axis: int) -> tuple[Any, Any]:
    largest, places = top_k_p(*primals, k=k, axis=axis)
    (t,) = tangents
    if not is_zero(t):
        t = _at_places(t, reshape(places, (*shape_of(places), 1)), axis)
    else:
        t = Zero(aval_of(largest).tangent())
    return [largest, places], [t, Zero(aval_of(places).tangent())]


def _top_batch(size: int, values: Any, axes: Any, k: int, axis: int) -> tuple[Any, Any]:
    return top_k_p(move_axis(values[0], axes[0], 0), k=k, axis=axis + 1), [0, 0]


def top_k(x: Any, k: int) -> list[Any]:
    """The largest elements along the last axis, and their places."""
    found: list[Any] = top_k_p(x, k=k, axis=len(shape_of(x)) - 1)
    return found


top_k_p.compute, top_k_p.tangent, top_k_p.batch = _top, _top_tangent, _top_batch
top_k_p.types = lambda x, k, axis: [x.with_shape((*x.shape[:-1], k)), Aval((*x.shape[:-1], k), "int32")]


@named("searchsorted")
@takes_only(sorter=(None,))
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None, **_: Any) -> Any:
    """Where values would stand in a sorted array."""
    x, y = promote_types(check_arrays("searchsorted", [a, v]))
    smaller = ar.lt if side == "left" else ar.le
    wide = expand_dims(y, (len(shape_of(y)),))
    here = smaller(broadcast_in_dim(x, (*shape_of(y), *shape_of(x)), (len(shape_of(y)),)), wide)
    return sum_(here, -1, dtype="int32")


@named("unique")
@takes_only(equal_nan=(True,))
def unique(
    ar_: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    size: Any = None,
    fill_value: Any = None,
    sorted: Any = True,
) -> Any:
    """The different elements, in order."""
    from engine.languages.surfaces.jax.core.errors import concretization

    (x,) = check_arrays("unique", [ar_])
    if axis is not None and return_inverse:
        raise ProgramError(
            "unique(axis=…, return_inverse=True) is not supported.",
            message_zh="不支持 unique(axis=…, return_inverse=True)。",
            code="unsupported",
        )
    held = known(x)
    if held is None:
        raise concretization(
            x,
            "The error arose for the first argument of jnp.unique(). To make jnp.unique() compatible "
            "with JIT "
            "and other transforms, you can specify a concrete value for the size argument, which "
            "will determine "
            "the output size.",
        )
    found: Any = np.unique(  # type: ignore[call-overload]  # flags that are not literal
        held,
        return_index=bool(return_index),
        return_inverse=bool(return_inverse),
        return_counts=bool(return_counts),
        axis=None if axis is None else axes_of(x, axis)[0],
    )
    kind = aval_of(x).dtype
    if size is not None:
        found = _of_size(found, whole(size, "size"), fill_value, (return_index, return_inverse))
    if not isinstance(found, tuple):
        return on_device(found, dtype=kind)
    values, *places = found
    return (on_device(values, dtype=kind), *(on_device(one.astype(default_int())) for one in places))


def _of_size(found: Any, size: int, fill_value: Any, asked: tuple[Any, Any]) -> Any:
    """Different elements, the first so many, filled up with another or with the first; their counts with 0.

    asked: whether their places, and the place of each element among them, are among what was found.
    """
    values, *rest = found if isinstance(found, tuple) else (found,)
    fill = values[0] if fill_value is None else fill_value
    filled = [_filled(values, size, fill)]
    for place, one in enumerate(rest):
        is_index, is_inverse = bool(asked[0]) and place == 0, bool(asked[1]) and place == int(bool(asked[0]))
        filled.append(one if is_inverse else _filled(one, size, one[0] if is_index else 0))
    return tuple(filled) if isinstance(found, tuple) else filled[0]


def _filled(values: Any, size: int, fill: Any) -> Any:
    """The first elements, with another one after them. Shapes: (n, *S) -> (size, *S)."""
    missing = np.full((max(size - len(values), 0), *values.shape[1:]), fill, values.dtype)
    return np.concatenate([values[:size], missing])
