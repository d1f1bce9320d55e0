"""`jnp.take` and `jnp.take_along_axis`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.api.calling import whole
from engine.languages.surfaces.jax.core.avals import held_as
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import gathering as ga
from engine.languages.surfaces.jax.lax.basics import (
    expand_dims,
    like,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.gathering import FILL, Gathering, gather
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.arrays import on_device
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of, place_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named, where_jitted
from engine.languages.surfaces.left_out import takes_only


@named("take")
@takes_only(out=(None,))
def take(
    a: Any,
    indices: Any,
    axis: Any = None,
    out: Any = None,
    mode: Any = None,
    unique_indices: Any = False,
    indices_are_sorted: Any = False,
    fill_value: Any = None,
) -> Any:
    """Elements at some places along an axis."""
    x, places = check_arrays("take", [a, indices])
    if not aval_of(places).dtype.startswith(("int", "uint", "bool")):
        raise value_error("indices must have an integer type", "take 的下标必须是整数。")
    if axis is None:
        x, place = reshape(x, (aval_of(x).size,)), 0
    else:
        place = axes_of(x, axis)[0]
    how = _taking(mode)
    if how is ga.IN_BOUNDS:
        places = FUNCTIONS["remainder"](places, shape_of(x)[place])
    fill = None if fill_value is None else float(fill_value) if aval_of(x).is_float else int(fill_value)
    return _take(x, places, axis=place, mode=how, fill=fill)


def _taking(mode: Any) -> Any:
    """What happens at places outside: "wrap" goes round, "clip" takes the last one."""
    known = {None: ga.FILL, "fill": ga.FILL, "clip": ga.CLIP, "wrap": ga.IN_BOUNDS}
    if not (mode is None or isinstance(mode, str)) or mode not in known:
        raise value_error(f"Invalid mode '{mode}' for np.take", f"take 的 mode 不能是 {mode!r}。")
    return known[mode]


def _usual_fill(dtype: str) -> Any:
    """What stands for an element outside of an array: no number, or the end of the range of a type."""
    kind = np.dtype(held_as(dtype)).kind
    if kind == "b":
        return True
    if kind in "iu":
        info = np.iinfo(held_as(dtype))
        return info.min if kind == "i" else info.max
    return np.nan


@library_jit(2, name="_take")
def _take(x: Any, places: Any, axis: int, mode: Any, fill: Any) -> Any:
    shape, have = shape_of(x), shape_of(places)
    length = shape[axis]
    index = places
    if mode is FILL:
        below = ar.lt(places, like(places, 0))
        index = where_jitted(below, ar.add(places, like(places, length)), places)
    rank = len(have)
    offset = tuple(i if i < axis else i + rank - 1 for i in range(len(shape)) if i != axis)
    sizes = tuple(1 if i == axis else n for i, n in enumerate(shape))
    wide = expand_dims(index, (rank,))
    if mode is FILL and fill is None:
        fill = _usual_fill(aval_of(x).dtype)
    return gather(x, wide, Gathering(offset, (axis,), (axis,)), sizes, mode, fill)


@named("take_along_axis")
@takes_only(mode=(None, "fill", "clip"), fill_value=(None,), wrap_negative_indices=(True,))
def take_along_axis(
    arr: Any,
    indices: Any,
    axis: Any = -1,
    mode: Any = None,
    fill_value: Any = None,
    *,
    wrap_negative_indices: Any = True,
) -> Any:
    """For each place of the result an element along an axis."""
    x, places = check_arrays("take_along_axis", [arr, indices])
    ranks = len(shape_of(places)), len(shape_of(x))
    if ranks[0] != ranks[1]:
        raise value_error(
            f"indices and arr must have the same number of dimensions; {ranks[0]} vs. {ranks[1]}",
            f"indices 有 {ranks[0]} 个轴，而数组有 {ranks[1]} 个。",
        )
    place = place_of(whole(axis, "axis"), ranks[1])
    grid = [
        places
        if i == place
        else reshape(
            on_device(np.arange(n, dtype="int32")), [n if j == i else 1 for j in range(len(shape_of(x)))]
        )
        for i, n in enumerate(shape_of(x))
    ]
    return getitem(x, tuple(grid), ga.CLIP if mode == "clip" else FILL)
