"""`x[…]` and `x.at[…]`: which primitives take elements, and which put them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import boolean_index, index_error, type_error, value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    Tracer,
    aval_of,
    constant,
    known,
    typed,
)
from engine.languages.surfaces.jax.lax.arithmetic import add, lt, select
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, convert, expand_dims, full, shape_of
from engine.languages.surfaces.jax.lax.dynamic_slices import dynamic_slice_p
from engine.languages.surfaces.jax.lax.gathering import (
    FILL,
    IN_BOUNDS,
    Gathering,
    Mode,
    Scattering,
    gather,
)
from engine.languages.surfaces.jax.lax.scattering import scatter
from engine.languages.surfaces.jax.lax.shapes import concatenate, rev, slice_of, squeeze

NEW = "new"  # a new axis of length one


@dataclass
class Part:
    """What happens along one axis. kind: "one" place, a "slice", "array" places, or a "new" axis."""

    kind: str
    start: Any = 0
    stop: int = 0
    step: int = 1
    axis: int = 0
    given: Any = None


def index_parts(shape: Sequence[int], key: Any) -> list[Part]:
    """The parts of a key, one for each axis and each new one. Raises: as JAX does."""
    items = list(key) if isinstance(key, tuple) else [key]
    items = [part for item, axis in _with_axes(items, len(shape)) for part in _expanded(item, shape, axis)]
    if sum(item is Ellipsis for item in items) > 1:
        raise index_error("an index can only have a single ellipsis ('...')", "下标中只能有一个省略号。")
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > len(shape):
        raise index_error(
            f"Too many indices: array is {len(shape)}-dimensional, but {used} were indexed",
            f"下标太多：数组有 {len(shape)} 维，但给了 {used} 个下标。",
        )
    if Ellipsis not in [item for item in items if item is None or item is Ellipsis]:
        items.append(Ellipsis)
    place = next(i for i, item in enumerate(items) if item is Ellipsis)
    items[place : place + 1] = [slice(None)] * (len(shape) - used)
    parts, axis = [], 0
    for item in items:
        if item is None:
            parts.append(Part("new"))
            continue
        parts.append(_part(item, axis, shape[axis]))
        axis += 1
    return parts


def _is_mask(item: Any) -> bool:
    return isinstance(item, (JaxArray, Tracer, Constant, np.ndarray)) and aval_of(item).dtype == "bool"


def _with_axes(items: Sequence[Any], ndim: int) -> list[tuple[Any, int]]:
    """Each part of a key with the first axis that it is about."""
    widths = [
        max(aval_of(item).ndim, 1) if _is_mask(item) else int(item is not None and item is not Ellipsis)
        for item in items
    ]
    pairs, axis = [], 0
    for item, width in zip(items, widths, strict=True):
        pairs.append((item, axis))
        axis += ndim - sum(widths) if item is Ellipsis else width
    return pairs


def _check_mask(shape: Sequence[int], item: Any, axis: int) -> None:
    """Raises: IndexError where a mask has another shape than the axes that it stands for."""
    have = aval_of(item).shape
    want = list(shape[axis : axis + len(have)])
    if len(want) == len(have) and list(have) != want:
        raise index_error(
            f"boolean index did not match shape of indexed array in index {axis}: got {have}, "
            f"expected {want}",
            f"布尔下标的形状 {have} 与数组的形状 {tuple(want)} 不同。",
        )


def _expanded(item: Any, shape: Sequence[int], axis: int) -> list[Any]:
    """A mask of these axes as the places that it marks."""
    if isinstance(item, (list, tuple)):
        raise type_error(
            "Using a non-tuple sequence for multidimensional indexing is not allowed; use "
            "`arr[array(seq)]` instead of `arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more "
            "information.",
            "不能用列表作下标。",
            "Make an array of it: x[jnp.array([...])].",
            "请先转换为数组：x[jnp.array([...])]。",
        )
    if isinstance(item, bool):
        raise ProgramError(
            "A truth value is no index here.", message_zh="这里不能用真假值作下标。", code="bad_index"
        )
    if _is_mask(item):
        _check_mask(shape, item, axis)
        mask = known(constant(item))
        if mask is None or (isinstance(item, Tracer) and not _is_plain(item)):
            raise boolean_index(item)
        return [constant(np.asarray(one).astype(default_int())) for one in np.nonzero(mask)]
    return [item]


def _is_plain(item: Tracer) -> bool:
    return known(item) is not None


def _part(item: Any, axis: int, length: int) -> Part:
    if isinstance(item, slice):
        return _slice_part(item, axis, length)
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        start = int(item) + length if item < 0 else int(item)
        return Part("one", min(max(start, 0), max(length - 1, 0)), axis=axis, given=int(item))
    if isinstance(item, (JaxArray, Tracer, Constant, np.ndarray)):
        value = constant(item)
        if aval_of(value).dtype.startswith(("int", "uint")):
            return Part("array", value, axis=axis)
    if isinstance(item, str):
        raise type_error(f"JAX does not support string indexing; got idx={item!r}", "不能用文本作下标。")
    if not isinstance(item, (float, JaxArray, Tracer, Constant, np.ndarray)):
        raise index_error(
            "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or boolean "
            "arrays are "
            f"valid indices. Got {to_repr(item)}",
            "这不是有效的下标。",
        )
    kind = aval_of(item).dtype if isinstance(item, (float, JaxArray, Tracer, np.ndarray)) else to_repr(item)
    kind = "float64" if isinstance(item, float) else kind
    raise type_error(
        f"Indexer must have integer or boolean type, got indexer with type {kind}",
        f"下标必须是整数或真假值，不能是 {kind}。",
    )


def _slice_part(item: slice, axis: int, length: int) -> Part:
    bounds = [_bound(one, item, axis) for one in (item.start, item.stop, item.step)]
    start, stop, step = slice(*bounds).indices(length)
    return Part("slice", start, stop, step, axis)


def _bound(value: Any, of: slice, axis: int) -> int | None:
    if value is None or isinstance(value, (int, np.integer)):
        return None if value is None else int(value)
    if not isinstance(value, (JaxArray, Tracer, Constant, np.ndarray)):
        raise type_error(
            f"'{python_name(value)}' object cannot be interpreted as an integer", "切片的起止必须是整数。"
        )
    array = known(constant(value))
    if array is None:
        bounds = ", ".join(map(to_repr, (of.start, of.stop, of.step)))
        raise index_error(
            f"Slice entries must be static integers. Got slice({bounds}) at position {axis}",
            "切片的起止必须是静态的整数。",
            hint="Take a part of a fixed length: jax.lax.dynamic_slice(x, (start,), (length,)).",
            hint_zh="请取长度固定的一段：jax.lax.dynamic_slice(x, (start,), (length,))。",
        )
    if array.ndim or array.dtype.kind not in "iu":
        raise type_error(
            "Only integer scalar arrays can be converted to a scalar index.", "切片的起止必须是整数标量。"
        )
    return int(array)


# -- taking ------------------------------------------------------------------------------------------


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
    if part.kind != "one" or 0 <= _outside_start(part, shape) < shape[part.axis]:
        return part
    place = Constant(np.asarray(_outside_start(part, shape), default_int()))
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
    indices, batch = _index_array(arrays, shape_of(x))
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


def _index_array(arrays: Sequence[Part], shape: Sequence[int]) -> tuple[Any, tuple[int, ...]]:
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


# -- putting -----------------------------------------------------------------------------------------


def put(primitive: Primitive, x: Any, key: Any, new: Any, mode: Mode = FILL, unique: bool = False) -> Any:
    """`x.at[key].set(new)` and its kin."""
    shape = shape_of(x)
    parts = [part for part in index_parts(shape, key) if part.kind != "new"]
    plain = all(part.kind != "array" for part in parts)
    new = _fitting(constant(new), aval_of(x).dtype)
    arrays = [p for p in parts if p.kind in ("array", "one") or (p.kind == "slice" and _is_part(p, shape))]
    if not arrays:
        indices: Any = full((0,), Constant(np.zeros((), default_int())))
        batch: tuple[int, ...] = ()
        axes: tuple[int, ...] = ()
        window = list(range(len(shape)))
        updates = _as_shape(new, shape)
        return scatter(primitive, x, indices, updates, Scattering(tuple(window), (), ()), True, True, mode)
    if plain and all(part.kind == "one" or part.step == 1 for part in arrays):
        return _put_block(primitive, x, parts, new, mode)
    chosen = [part if part.kind != "slice" else _as_places(part) for part in arrays]
    chosen = _spread(chosen, arrays)
    indices, batch = _index_array(chosen, shape)
    axes = tuple(part.axis for part in arrays)
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    first = next(i for i, part in enumerate(parts) if part.axis == axes[0])
    together = list(axes) == list(range(axes[0], axes[-1] + 1))
    before = first if together else 0
    offset = tuple(i if i < before else i + len(batch) for i in range(len(kept)))
    result = [shape[axis] for axis in kept]
    wanted = [*result[:before], *batch, *result[before:]]
    updates = _as_shape(new, wanted)
    return scatter(primitive, x, indices, updates, Scattering(offset, axes, axes), False, unique, mode)


def _fitting(new: Any, dtype: str) -> Any:
    return convert(new, dtype, aval_of(new).weak if aval_of(new).dtype == dtype else False)


def _is_part(part: Part, shape: Sequence[int]) -> bool:
    return (part.start, part.stop, part.step) != (0, shape[part.axis], 1)


def _put_block(primitive: Primitive, x: Any, parts: Sequence[Part], new: Any, mode: Mode) -> Any:
    """Single places and stretches: one block, which begins at a known place."""
    shape = shape_of(x)
    moved = [p for p in parts if p.kind == "one" or _is_part(p, shape)]
    columns = [
        broadcast_in_dim(Constant(np.asarray(_outside_start(p, shape), default_int())), (1,), ())
        for p in moved
    ]
    indices = columns[0] if len(columns) == 1 else concatenate(columns, 0)
    collapsed = tuple(part.axis for part in parts if part.kind == "one")
    lengths = [max(p.stop - p.start, 0) for p in parts if p.kind == "slice"]
    dims = Scattering(tuple(range(len(lengths))), collapsed, tuple(p.axis for p in moved))
    return scatter(primitive, x, indices, _as_shape(new, lengths), dims, True, True, mode)


def _outside_start(part: Part, shape: Sequence[int]) -> int:
    """Where a part begins; a single place outside of the array stays there, and is left out."""
    if part.kind == "one" and part.given is not None:
        length = shape[part.axis]
        return int(part.given + length if part.given < 0 else part.given)
    return int(part.start)


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
