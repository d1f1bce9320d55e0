"""Slices whose places are computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Shape
from engine.languages.surfaces.jax.core.batching import broadcast_axis
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Zero, aval_of, typed, zero_tangent
from engine.languages.surfaces.jax.lax.basics import (
    broadcast,
    broadcast_in_dim,
    full,
    full_like,
    shape_of,
)
from engine.languages.surfaces.jax.lax.gathering import (
    CLIP,
    Gathering,
    Scattering,
    gather_batch,
)
from engine.languages.surfaces.jax.lax.scattering import scatter_batch, scatter_p
from engine.languages.surfaces.jax.lax.shapes import concatenate

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
    zeros = full(x.aval.shape, typed(0, x.aval.dtype))
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
    return gather_batch(
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
    return scatter_batch(scatter_p, size, [x, indices, update], [i, index_axis, j], dims, **parameters)


dynamic_update_slice_p.compute = _update
dynamic_update_slice_p.types = lambda x, update, *starts: x
dynamic_update_slice_p.tangent = _update_tangent
dynamic_update_slice_p.transpose = _update_transpose
dynamic_update_slice_p.batch = _update_batch

UpdateJaxpr = Jaxpr | None
