"""Sums and products of elements: `jnp.sum`, `jnp.prod`, and how many are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import BFLOAT16
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import convert, like, reduce_sum
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.axes import taken_together, with_axes
from engine.languages.surfaces.jax.numpy.ufuncs import named, where_jitted
from engine.languages.surfaces.left_out import takes_only


def wide_whole(dtype: str) -> str:
    """Small whole numbers are summed as wide ones."""
    if dtype == "bool":
        return default_int()
    if dtype.startswith("int") and np.dtype(dtype).itemsize < np.dtype(default_int()).itemsize:
        return default_int()
    if dtype.startswith("uint") and np.dtype(dtype).itemsize < np.dtype(default_int()).itemsize:
        return f"u{default_int()}"
    return dtype


def summed_in(dtype: str) -> str:
    """The type that sums of a type are taken in: numbers of 16 bits in float32."""
    return "float32" if dtype in ("float16", BFLOAT16) else dtype


def _summed(
    name: str,
    primitive: Any,
    identity: int,
    a: Any,
    axis: Any,
    dtype: Any,
    keepdims: Any,
    where: Any,
    initial: Any,
) -> Any:
    (x,) = check_arrays(name, [a])
    kind = dtype_of(dtype) or wide_whole(aval_of(x).dtype)
    wide = kind if dtype is not None else summed_in(kind)
    x = convert(x, wide)
    if where is not None:
        x = where_jitted(constant(where), x, like(x, identity))
    axes = taken_together(x, axis)
    out = reduce_sum(x, axes) if primitive is None else primitive(x, axes=axes)
    if initial is not None:
        out = (ar.add if primitive is None else ar.mul)(convert(constant(initial), wide), out)
    return convert(with_axes(out, axes, keepdims), kind)


@named("sum")
@takes_only(out=(None,), promote_integers=(True,))
def sum_(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = None,
    promote_integers: Any = True,
) -> Any:
    """The sum of the elements."""
    return _summed("sum", None, 0, a, axis, dtype, keepdims, where, initial)


@named("prod")
@takes_only(out=(None,), promote_integers=(True,))
def prod_(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = None,
    promote_integers: Any = True,
) -> Any:
    """The product of the elements."""
    return _summed("prod", re.reduce_prod_p, 1, a, axis, dtype, keepdims, where, initial)


@named("count_nonzero")
def count_nonzero(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """How many elements are not zero."""
    (x,) = check_arrays("count_nonzero", [a])
    return sum_(ar.ne(x, like(x, 0)), axis, dtype="int32", keepdims=keepdims)
