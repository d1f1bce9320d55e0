"""Sums as they grow along an axis, and differences of neighbours: `jnp.cumsum`, `jnp.diff`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import convert, reshape, shape_of
from engine.languages.surfaces.jax.lax.shapes import slice_of
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named
from engine.languages.surfaces.left_out import takes_only


def _running(name: str, primitive: Any) -> None:
    @library_jit(1, name=name)
    def along(x: Any, axis: int | None, dtype: str) -> Any:
        if axis is None:
            x, axis = reshape(x, (aval_of(x).size,)), 0
        return primitive(convert(x, dtype), axis=axis, reverse=False)

    @takes_only(out=(None,))
    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        (x,) = check_arrays(name, [a])
        place = None if axis is None else axes_of(x, axis)[0]
        kind = dtype_of(dtype) or (default_int() if aval_of(x).dtype == "bool" else aval_of(x).dtype)
        return along(x, axis=place, dtype=kind)

    FUNCTIONS[name] = call


_running("cumsum", re.cumsum_p)
_running("cumprod", re.cumprod_p)


@named("diff")
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours; prepend, append: what stands before and behind the array."""
    (x,) = check_arrays("diff", [a])
    if prepend is not None or append is not None:
        place = axes_of(x, axis)[0]
        ends = [_end(one, x, place) for one in (prepend, append)]
        parts = [ends[0], x, ends[1]]
        x = FUNCTIONS["concatenate"]([one for one in parts if one is not None], place)
    return _diff(x, n=int(n), axis=axes_of(x, axis)[0])


def _end(value: Any, x: Any, axis: int) -> Any:
    """What stands at an end of an array: a number stands there once in each row."""
    if value is None:
        return None
    (end,) = check_arrays("diff", [value])
    if shape_of(end):
        return end
    return FUNCTIONS["broadcast_to"](end, [1 if i == axis else n for i, n in enumerate(shape_of(x))])


@library_jit(1, name="diff")
def _diff(x: Any, n: int, axis: int) -> Any:
    for _ in range(n):
        shape = shape_of(x)
        starts, ends = np.eye(1, len(shape), axis, dtype=int)[0].tolist(), list(shape)
        ends[axis] -= 1
        right, left = slice_of(x, starts, shape), slice_of(x, [0] * len(shape), ends)
        x = ar.ne(right, left) if aval_of(x).dtype == "bool" else ar.sub(right, left)
    return x
