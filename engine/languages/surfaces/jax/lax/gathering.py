"""Primitives that take and put elements at places that are computed: gather."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval, Shape
from engine.languages.surfaces.jax.core.batching import move_axis
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import is_zero
from engine.languages.surfaces.jax.core.values import zero_tangent


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


def places_of(
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


def window_order(dims: Gathering, rank: int, count: int) -> list[int]:
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
    places, inside, rank = places_of(x.shape, indices, dims, slice_sizes, mode is not FILL)
    found = x[places] if x.ndim else np.broadcast_to(x, indices.shape[:-1])
    count = found.ndim - rank
    if mode is FILL and not inside.all():
        fill = _fill(x.dtype) if fill_value is None else fill_value
        found = np.where(inside.reshape((*inside.shape, *([1] * count))), found, np.asarray(fill, x.dtype))
    return np.transpose(found, window_order(dims, rank, count)).copy()


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


def moved_on(axes: Any) -> Axes:
    return tuple(np.add(1, axes)) if len(axes) else ()


def gather_batch(
    size: int, values: Any, axes: Any, dimension_numbers: Gathering, slice_sizes: Any, **parameters: Any
) -> tuple[Any, int]:
    (x, indices), (i, j) = values, axes
    dims = dimension_numbers
    if i is not None and j is None:
        x = move_axis(x, i, 0)
        dims = Gathering(
            (0, *moved_on(dims.offset)),
            moved_on(dims.collapsed),
            moved_on(dims.starts),
            moved_on(dims.batch),
            dims.index_batch,
        )
        return gather_p(x, indices, dimension_numbers=dims, slice_sizes=(size, *slice_sizes), **parameters), 0
    if i is None:
        indices = move_axis(indices, j, 0)
        dims = replace(
            dims, offset=tuple(1 + axis for axis in dims.offset), index_batch=moved_on(dims.index_batch)
        )
        parameters |= {"unique_indices": False, "indices_are_sorted": False}
        return gather_p(x, indices, dimension_numbers=dims, slice_sizes=slice_sizes, **parameters), 0
    x, indices = move_axis(x, i, 0), move_axis(indices, j, 0)
    dims = Gathering(
        moved_on(dims.offset),
        moved_on(dims.collapsed),
        moved_on(dims.starts),
        (0, *moved_on(dims.batch)),
        (0, *moved_on(dims.index_batch)),
    )
    return gather_p(x, indices, dimension_numbers=dims, slice_sizes=(1, *slice_sizes), **parameters), 0


gather_p.compute, gather_p.types = _gather, _gather_types
gather_p.tangent, gather_p.batch = _gather_tangent, gather_batch


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
