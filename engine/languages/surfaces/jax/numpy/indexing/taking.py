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
from engine.languages.surfaces.jax.lax.gathering import CLIP, FILL, IN_BOUNDS, Gathering, gather
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
    if mode in (None, CLIP) and all(not shape_of(part.start) for part in arrays) and _all_plain(parts, shape):
        return _with_new_axes(_dynamic(x, parts, shape), parts)
    return _gathered(x, parts, mode, fill)


def _outside(part: Part, shape: Sequence[int]) -> Part:
    """A single place that lies outside of the array as a place to look up: it is not there."""
    if part.kind != "one" or 0 <= outside_start(part, shape) < shape[part.axis]:
        return part
    start, length = outside_start(part, shape), shape[part.axis]
    place = start if start >= 0 else length  # a negative one would count from the end once more
    return Part("array", Constant(np.asarray(place, default_int())), axis=part.axis)


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
    """Single places, some of them computed: a slice that begins there.

    Several starts get one type, and the program's own numbers count from the end, too, as in JAX.
    """
    left = [part for part in parts if part.kind != "new"]
    sizes = [max(part.stop - part.start, 0) if part.kind == "slice" else 1 for part in left]
    dropped = [part.axis for part in left if part.kind != "slice"]
    starts = [_as_start(part) for part in left]
    if len(starts) > 1:
        starts = [convert(start, index_type(shape)) for start in starts]
    starts = [wrapped(start, shape[part.axis]) for start, part in zip(starts, left, strict=True)]
    return squeeze(dynamic_slice_p(x, *starts, slice_sizes=tuple(sizes)), dropped)


def _as_start(part: Part) -> Any:
    """Where a part begins, as the program gives it."""
    if part.kind == "array":
        return part.start
    return Constant(np.asarray(part.start if part.given is None else part.given, default_int()))


def index_type(shape: Sequence[int]) -> str:
    """The type in which JAX looks up places: 32 bits, where they suffice for the lengths."""
    return "int32" if max(shape, default=0) < 2**31 else "int64"


def wrapped(start: Any, length: int) -> Any:
    """The same as `normalized`; a known place is counted by the program's jaxpr, too."""
    if not isinstance(start, Constant):
        return normalized(start, length)
    dtype = aval_of(start).dtype
    return select(lt(start, typed(0, dtype)), add(start, typed(length, dtype)), start)


def _gathered(x: Any, parts: Sequence[Part], mode: Any, fill: Any) -> Any:
    """Places that arrays give, those of several arrays together, in stretches along the other axes."""
    x, parts = _without_steps(x, parts)
    chosen = [part for part in parts if part.kind in ("array", "one")]
    axes = tuple(part.axis for part in chosen)
    begun = [part for part in parts if part.kind in ("array", "one") or is_stretch(part, shape_of(x))]
    indices, batch = index_array(begun, shape_of(x))
    lengths = {part.axis: part.stop - part.start for part in parts if part.kind == "slice"}
    kept = [axis for axis in range(len(shape_of(x))) if axis not in axes]
    real = [index for index, part in enumerate(parts) if part.kind in ("array", "one")]
    together = real == list(range(real[0], real[-1] + 1))
    before = sum(part.kind == "slice" for part in parts[: real[0]]) if together else 0
    rank, single = len(batch), not batch
    offset = tuple(i if i < before else i + rank for i in range(len(kept)))
    sizes = [1 if axis in axes else lengths[axis] for axis in range(len(shape_of(x)))]
    how = IN_BOUNDS if mode is None else mode
    dims = Gathering(offset, axes, tuple(part.axis for part in begun))
    out = gather(x, indices, dims, sizes, how, fill, single, single)
    return _new_axes_behind(out, parts, real[0] if together else 0, rank)


def _without_steps(x: Any, parts: Sequence[Part]) -> tuple[Any, list[Part]]:
    """Slices that leave out places, or go backward, taken first; what is left of the subscript."""
    shape = shape_of(x)
    left = [
        Part("slice", 0, len(range(p.start, p.stop, p.step)), 1, p.axis)
        if p.kind == "slice" and (p.step != 1 or p.stop < p.start)
        else p
        for p in parts
    ]
    first = [
        old if new is not old else Part("slice", 0, shape[old.axis], 1, old.axis)
        for old, new in zip(parts, left, strict=True)
        if old.kind != "new"
    ]
    return _sliced(x, first), left


def is_stretch(part: Part, shape: Sequence[int]) -> bool:
    """Whether a slice takes neighbours, and not all of an axis."""
    return part.kind == "slice" and part.step == 1 and (part.start, part.stop) != (0, shape[part.axis])


def _new_axes_behind(x: Any, parts: Sequence[Part], first: int, rank: int) -> Any:
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


def index_array(parts: Sequence[Part], shape: Sequence[int]) -> tuple[Any, tuple[int, ...]]:
    """Where arrays of places and stretches begin, as rows of one; the shape of those arrays together."""
    places = places_of(parts, shape)
    pairs = list(zip(parts, places, strict=True))
    batch = tuple(np.broadcast_shapes(*(shape_of(place) for part, place in pairs if part.kind != "slice")))
    places = [place if part.kind == "slice" else _in_shape(place, batch) for part, place in pairs]
    places = [convert(place, index_type(shape)) for place in places]
    columns = [broadcast_in_dim(place, (*batch, 1), tuple(range(len(shape_of(place))))) for place in places]
    return (columns[0] if len(columns) == 1 else concatenate(columns, len(batch))), batch


def places_of(parts: Sequence[Part], shape: Sequence[int]) -> list[Any]:
    """The place of each part along its axis, counted from the beginning."""
    return [
        _from_the_front(part.start, shape[part.axis])
        if part.kind == "array"
        else typed(outside_start(part, shape), default_int(), weak=True)
        for part in parts
    ]


def _from_the_front(index: Any, length: int) -> Any:
    """The same as `normalized`, in the type of the index itself."""
    if isinstance(index, Constant) or aval_of(index).dtype.startswith("uint"):
        return normalized(index, length)
    zero, end = (typed(number, aval_of(index).dtype, aval_of(index).weak) for number in (0, length))
    return select(lt(index, zero), add(index, end), index)


def _in_shape(value: Any, batch: Sequence[int]) -> Any:
    have = shape_of(value)
    if have == batch:
        return value
    return broadcast_in_dim(value, batch, tuple(range(len(batch) - len(have), len(batch))))
