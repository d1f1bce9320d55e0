"""Elements of one array or another, and in another type: `jnp.where`, `jnp.astype`, `jnp.copy`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import convert, like
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, common_shape
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, as_array, named, where_jitted


@named("where")
def where(
    condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None
) -> Any:
    """Elements of x where the condition holds, of y elsewhere."""
    if x is None and y is None:
        return FUNCTIONS["nonzero"](condition, size=size, fill_value=fill_value)
    condition, x, y = check_arrays("where", [condition, x, y])
    common_shape([condition, x, y])
    return where_jitted(condition, x, y)


@named("broadcast_arrays")
def broadcast_arrays(*args: Any) -> list[Any]:
    """Arrays in the shape that they have together."""
    xs = check_arrays("broadcast_arrays", args)
    shape = common_shape(xs)
    return [FUNCTIONS["broadcast_to"](x, shape) for x in xs]


@named("astype")
def astype(x: Any, dtype: Any, /, **_: Any) -> Any:
    """The array in another element type."""
    (x,) = check_arrays("astype", [x])
    kind = dtype_of(dtype)
    if aval_of(x).is_inexact and kind is not None and kind == "bool":
        from engine.languages.surfaces.jax.lax.arithmetic import ne

        return ne(x, like(x, 0))
    return as_array(convert(x, kind))


@named("copy")
def copy(a: Any, **_: Any) -> Any:
    """A copy: another array of the same elements."""
    from engine.languages.surfaces.jax.lax.elementwise import copy_p

    (x,) = check_arrays("copy", [a])
    return copy_p(x)
