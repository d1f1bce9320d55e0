"""Which axes an argument names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.surfaces.jax.api.calling import many
from engine.languages.surfaces.jax.core.errors import concretization, index_error, value_error
from engine.languages.surfaces.jax.core.values import Tracer
from engine.languages.surfaces.jax.lax.basics import expand_dims, shape_of


def axes_of(x: Any, axis: Any) -> tuple[int, ...]:
    """The axes that an argument names. Raises: ValueError for one that there is not."""
    ndim = len(shape_of(x))
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, Tracer):
        raise concretization(axis, "The axis argument must be known statically.")
    return tuple(place_of(one, ndim) for one in many(axis, "axis"))


def taken_together(x: Any, axis: Any) -> tuple[int, ...]:
    """The axes that are taken together. Raises: ValueError where one is named twice."""
    found = axes_of(x, axis)
    if len(set(found)) < len(found):
        raise value_error(f"duplicate value in 'axis': {found}", f"轴重复：{found}。")
    return found


def check_counted(x: Any, axis: Any) -> None:
    """Raises: IndexError as JAX does where it asks how long an axis is that there is not."""
    ndim = len(shape_of(x))
    if axis is not None and not all(-ndim <= one < ndim for one in many(axis, "axis")):
        raise index_error("tuple index out of range", f"轴 {axis} 超出了 {ndim} 维数组的范围。")


def place_of(axis: int, ndim: int) -> int:
    """An axis, counted from the front. Raises: ValueError where there is none."""
    if not -ndim <= axis < ndim:
        raise value_error(
            f"axis {axis} is out of bounds for array of dimension {ndim}",
            f"轴 {axis} 超出了 {ndim} 维数组的范围。",
        )
    return axis % ndim


def with_axes(x: Any, axes: Sequence[int], keepdims: Any) -> Any:
    return expand_dims(x, axes) if keepdims and axes else x
