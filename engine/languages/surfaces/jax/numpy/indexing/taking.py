"""What a subscript takes: `x[key]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import Constant, aval_of, known, typed
from engine.languages.surfaces.jax.lax.arithmetic import add, lt, select
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, convert, expand_dims, shape_of
from engine.languages.surfaces.jax.lax.dynamic_slices import dynamic_slice_p
from engine.languages.surfaces.jax.lax.gathering import FILL, IN_BOUNDS, Gathering, gather
from engine.languages.surfaces.jax.lax.shapes import concatenate, rev, slice_of, squeeze
from engine.languages.surfaces.jax.numpy.indexing.parts import Part, index_parts, outside_start


def getitem(x: Any, key: Any, mode: Any = None, fill: Any = None) -> Any:
    """`x[key]`."""
    shape = shape_of(x)
    parts = index_parts(shape, key)
    if mode is FILL:
        parts = [_outside(part, shape) for part in parts]
    arrays = [part for part in parts if part.kind == "array"]
    if not arrays:
        return _with_new_axes(_squeezed(_sliced(x, parts), parts), parts)
    if mode is None and all(not shape_of(part.start) for part in arrays) and _all_plain(parts, shape):
        return _with_new_axes(_dynamic(x, parts, shape), parts)
    return _gathered(x, parts, mode, fill)


def _outside(part: Part, shape: Sequence[int]) -> Part:
    """A single place that lies outside of the array as a place to look up: it is not there."""
    if part.kind != "one" or 0 <= outside_start(part, shape) < shape[part.axis]:
        return part
    place = Constant(np.asarray(outside_start(part, shape), default_int()))
    return Part("array", place, axis=part.axis)


def _all_plain(parts: Sequence[Part], shape: Sequence[int]) -> bool:
    return all(part.kind != "slice" or part.step == 1 for part in parts)


def _sliced(x: Any, parts: Sequence[Part]) -> Any:
    """The parts along slices and single places, as one slice."""
    starts, limits, strides, swapped_axes = [], [], [], []
    for part in parts:
        if part.kind == "one":
            starts.append(part.start)
            limits.append(part.start + 1)
            strides.append(1)
        elif part.kind == "slice":
            start, stop, step = _forward(part)
            starts.append(start)
            limits.append(stop)
            strides.append(step)
            if part.step < 0:
                swapped_axes.append(part.axis)
        elif part.kind == "array":
            starts.append(0)
            limits.append(shape_of(x)[part.axis])
            strides.append(1)
    one_by_one = all(step == 1 for step in strides)
    if not one_by_one or any(starts) or tuple(limits) != shape_of(x):
        x = slice_of(x, starts, limits, None if one_by_one else strides)
    return rev(x, swapped_axes) if swapped_axes else x


def _forward(part: Part) -> tuple[int, int, int]:
    """A slice as one that goes forward."""
    places = range(part.start, part.stop, part.step)
    if part.step > 0:
        return part.start, max(part.stop, part.start), part.step
    if not places:
        return 0, 0, -part.step
    return places[-1], places[0] + 1, -part.step


def _squeezed(x: Any, parts: Sequence[Part]) -> Any:
    axes = [part.axis for part in parts if part.kind == "one"]
    return squeeze(x, axes) if axes else x


def _with_new_axes(x: Any, parts: Sequence[Part]) -> Any:
    left = [part for part in parts if part.kind not in ("one",) and not _is_one_place(part)]
    places = [index for index, part in enumerate(left) if part.kind == "new"]
    return expand_dims(x, places) if places else x


def _is_one_place(part: Part) -> bool:
    return part.kind == "array" and not shape_of(part.start)


def normalized(index: Any, length: int) -> Any:
    """An index whose negative numbers count from the end."""
    array = known(index) if isinstance(index, Constant) else None
    if array is not None:
        return Constant(np.where(array < 0, array + length, array).astype(array.dtype))
    dtype = aval_of(index).dtype
    if dtype.startswith("uint"):
        return index
    below = lt(index, Constant(np.zeros((), dtype), aval_of(index).weak))
    return select(below, add(convert(index, dtype), typed(length, dtype)), index)


def _dynamic(x: Any, parts: Sequence[Part], shape: Sequence[int]) -> Any:
    """Single places, some of them computed: a slice that begins there."""
    starts, sizes, dropped = [], [], []
    for part in parts:
        if part.kind == "new":
            continue
        if part.kind == "slice":
            starts.append(Constant(np.asarray(part.start, default_int())))
            sizes.append(max(part.stop - part.start, 0))
            continue
        starts.append(
            normalized(part.start, shape[part.axis])
            if part.kind == "array"
            else Constant(np.asarray(part.start, default_int()))
        )
        sizes.append(1)
        dropped.append(part.axis)
    return squeeze(dynamic_slice_p(x, *starts, slice_sizes=tuple(sizes)), dropped)


def _gathered(x: Any, parts: Sequence[Part], mode: Any, fill: Any) -> Any:
    """Places that arrays give, those of several arrays together."""
    plain = [Part("slice", 0, shape_of(x)[p.axis], 1, p.axis) if p.kind == "array" else p for p in parts]
    ones = [part for part in parts if part.kind == "one"]
    x = _sliced(
        x,
        [
            p if p.kind == "slice" else Part("slice", 0, shape_of(x)[p.axis], 1, p.axis)
            for p in plain
            if p.kind != "new"
        ],
    )
    arrays = [part for part in parts if part.kind in ("array", "one")]
    indices, batch = index_array(arrays, shape_of(x))
    axes = tuple(part.axis for part in arrays)
    kept = [axis for axis in range(len(shape_of(x))) if axis not in axes]
    real = [index for index, part in enumerate(p for p in parts) if part.kind in ("array", "one")]
    together = real == list(range(real[0], real[-1] + 1))
    before = sum(part.kind == "slice" for part in parts[: real[0]]) if together else 0
    rank = len(batch)
    offset = tuple(i if i < before else i + rank for i in range(len(kept)))
    sizes = [1 if axis in axes else n for axis, n in enumerate(shape_of(x))]
    how = IN_BOUNDS if mode is None else mode
    out = gather(x, indices, Gathering(offset, axes, axes), sizes, how, fill)
    return _new_axes_behind(out, parts, real[0] if together else 0, rank, len(ones))


def _new_axes_behind(x: Any, parts: Sequence[Part], first: int, rank: int, _: int) -> Any:
    """New axes among arrays of places: where they stand in the result."""
    places, place, seen = [], 0, False
    for index, part in enumerate(parts):
        if part.kind in ("array", "one") and not seen and index >= first:
            place, seen = place + rank, True
        elif part.kind == "new":
            places.append(place)
            place += 1
        elif part.kind == "slice":
            place += 1
    return expand_dims(x, places) if places else x


def index_array(arrays: Sequence[Part], shape: Sequence[int]) -> tuple[Any, tuple[int, ...]]:
    """The places of several arrays as rows of one, and the shape that they have together."""
    values = []
    for part in arrays:
        if part.kind == "one":
            values.append(Constant(np.asarray(part.start, default_int())))
        else:
            values.append(normalized(part.start, shape[part.axis]))
    batch = np.broadcast_shapes(*(shape_of(value) for value in values))
    dtype = next((aval_of(v).dtype for v in values if not aval_of(v).weak), default_int())
    columns = []
    for value in values:
        have = shape_of(value)
        value = convert(value, dtype)
        if have != batch:
            places = tuple(range(len(batch) - len(have), len(batch)))
            value = broadcast_in_dim(value, batch, places)
        columns.append(broadcast_in_dim(value, (*batch, 1), tuple(range(len(batch)))))
    return (columns[0] if len(columns) == 1 else concatenate(columns, len(batch))), tuple(batch)
