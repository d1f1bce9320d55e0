"""What is put where a subscript points: `x.at[key].set(y)`, `x.at[key].add(y)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, convert, expand_dims, full, shape_of
from engine.languages.surfaces.jax.lax.gathering import FILL, Mode, Scattering
from engine.languages.surfaces.jax.lax.scattering import scatter
from engine.languages.surfaces.jax.lax.shapes import concatenate
from engine.languages.surfaces.jax.numpy.indexing.parts import Part, index_parts
from engine.languages.surfaces.jax.numpy.indexing.taking import index_array, index_type, is_stretch, places_of


def put(primitive: Primitive, x: Any, key: Any, new: Any, mode: Mode = FILL, unique: bool = False) -> Any:
    """`x.at[key].set(new)` and its kin."""
    shape = shape_of(x)
    parts = [part for part in index_parts(shape, key) if part.kind != "new"]
    plain = all(part.kind != "array" or not shape_of(part.start) for part in parts)
    new = _fitting(constant(new), aval_of(x).dtype)
    arrays = [p for p in parts if p.kind in ("array", "one") or (p.kind == "slice" and _is_part(p, shape))]
    if not arrays:
        indices: Any = full((0,), Constant(np.zeros((), default_int())))
        batch: tuple[int, ...] = ()
        axes: tuple[int, ...] = ()
        window = list(range(len(shape)))
        updates = _as_shape(new, shape)
        return scatter(primitive, x, indices, updates, Scattering(tuple(window), (), ()), True, True, mode)
    if plain and all(part.kind != "slice" or part.step == 1 for part in arrays):
        return _put_block(primitive, x, parts, new, mode)
    neighbours = [is_stretch(part, shape) for part in arrays]
    spread = [part for part, whole in zip(arrays, neighbours, strict=True) if not whole]
    placed = iter(_spread([_as_places(part) if part.kind == "slice" else part for part in spread], spread))
    chosen = [part if whole else next(placed) for part, whole in zip(arrays, neighbours, strict=True)]
    indices, batch = index_array(chosen, shape)
    axes = tuple(part.axis for part in spread)
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    first = next(i for i, part in enumerate(parts) if part.axis == axes[0])
    together = list(axes) == list(range(axes[0], axes[-1] + 1))
    before = first if together else 0
    offset = tuple(i if i < before else i + len(batch) for i in range(len(kept)))
    lengths = {p.axis: max(p.stop - p.start, 0) for p in arrays if is_stretch(p, shape)}
    result = [lengths.get(axis, shape[axis]) for axis in kept]
    wanted = [*result[:before], *batch, *result[before:]]
    updates = _as_shape(new, wanted)
    dims = Scattering(offset, axes, tuple(part.axis for part in arrays))
    return scatter(primitive, x, indices, updates, dims, False, unique, mode)


def _fitting(new: Any, dtype: str) -> Any:
    return convert(new, dtype, aval_of(new).weak if aval_of(new).dtype == dtype else False)


def _is_part(part: Part, shape: Sequence[int]) -> bool:
    return (part.start, part.stop, part.step) != (0, shape[part.axis], 1)


def _put_block(primitive: Primitive, x: Any, parts: Sequence[Part], new: Any, mode: Mode) -> Any:
    """Single places and stretches: one block, which begins at one place."""
    shape = shape_of(x)
    moved = [p for p in parts if p.kind != "slice" or _is_part(p, shape)]
    starts = [convert(place, index_type(shape)) for place in places_of(moved, shape)]
    columns = [broadcast_in_dim(start, (1,), ()) for start in starts]
    indices = columns[0] if len(columns) == 1 else concatenate(columns, 0)
    collapsed = tuple(part.axis for part in parts if part.kind != "slice")
    lengths = [max(p.stop - p.start, 0) for p in parts if p.kind == "slice"]
    dims = Scattering(tuple(range(len(lengths))), collapsed, tuple(p.axis for p in moved))
    return scatter(primitive, x, indices, _as_shape(new, lengths), dims, True, True, mode)


def _as_places(part: Part) -> Part:
    return Part(
        "array", Constant(np.arange(part.start, part.stop, part.step, dtype=default_int())), axis=part.axis
    )


def _spread(chosen: Sequence[Part], given: Sequence[Part]) -> list[Part]:
    """Slices among arrays of places: each on an axis of its own."""
    slices = [i for i, part in enumerate(given) if part.kind == "slice"]
    if not slices or len(chosen) == 1:
        return list(chosen)
    others = [shape_of(p.start) for i, p in enumerate(chosen) if i not in slices and p.kind == "array"]
    rank = max((len(shape) for shape in others), default=0)
    total = rank + len(slices)
    spread = []
    for i, part in enumerate(chosen):
        if i in slices:
            place = rank + slices.index(i)
            lengths = [1] * total
            lengths[place] = shape_of(part.start)[0]
            spread.append(Part("array", Constant(part.start.array.reshape(lengths)), axis=part.axis))
        elif part.kind == "array":
            have = len(shape_of(part.start))
            spread.append(
                Part("array", expand_dims(part.start, range(have, have + len(slices))), axis=part.axis)
            )
        else:
            spread.append(part)
    return spread


def _as_shape(new: Any, shape: Sequence[int]) -> Any:
    """The new elements in the shape of the places that take them."""
    have = shape_of(new)
    if have == tuple(shape):
        return new
    if len(have) > len(shape) and shape != have[len(have) - len(shape) :]:
        raise value_error(
            f"Cannot broadcast to shape with fewer dimensions: arr_shape={have} shape={tuple(shape)}",
            f"形状 {have} 的轴比 {tuple(shape)} 多，不能广播。",
            code="shape_mismatch",
        )
    try:
        fits = np.broadcast_shapes(have, tuple(shape)) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise value_error(
            f"Incompatible types for broadcasting: input type={aval_of(new).long()} and requested "
            f"type={Aval(tuple(shape), aval_of(new).dtype).long()}",
            f"形状 {have} 不能广播为 {tuple(shape)}。",
            code="shape_mismatch",
        )
    return broadcast_in_dim(new, shape, tuple(range(len(shape) - len(have), len(shape))))
