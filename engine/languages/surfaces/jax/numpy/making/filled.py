"""Arrays of one number: `jnp.zeros`, `jnp.ones`, `jnp.full` and those like another array."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import aval_of, constant, typed
from engine.languages.surfaces.jax.lax.basics import broadcast, convert, full, full_like, shape_of
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.broadcasting import broadcast_to
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import named


@named("zeros", "empty")
def zeros(shape: Any, dtype: Any = None, **_: Any) -> Any:
    """An array of zeros."""
    return _filled(shape, 0, dtype)


@named("ones")
def ones(shape: Any, dtype: Any = None, **_: Any) -> Any:
    """An array of ones."""
    return _filled(shape, 1, dtype)


def _filled(shape: Any, value: int, dtype: Any) -> Any:
    return full(lengths(shape), value, dtype_of(dtype) or default_float())


@named("full")
def full_(shape: Any, fill_value: Any, dtype: Any = None, **_: Any) -> Any:
    """An array of one number."""
    kind = dtype_of(dtype)
    if kind is not None and isinstance(fill_value, int):
        value = typed(fill_value, kind)
    else:
        value = array(fill_value) if isinstance(fill_value, (list, tuple)) else constant(fill_value)
    kind, weak = kind or aval_of(value).dtype, dtype is None and aval_of(value).weak
    if shape_of(value):
        return broadcast_to(convert(value, kind, weak), shape)
    return broadcast(convert(value, kind, weak), lengths(shape))


@named("zeros_like", "empty_like")
def zeros_like(a: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """Zeros in the shape and type of an array."""
    return _like("zeros_like", a, 0, dtype, shape)


@named("ones_like")
def ones_like(a: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """Ones in the shape and type of an array."""
    return _like("ones_like", a, 1, dtype, shape)


@named("full_like")
def full_like_(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """One number, or what broadcasts, in the shape and type of an array."""
    fill_value = array(fill_value) if isinstance(fill_value, (list, tuple)) else fill_value
    if shape_of(constant(fill_value)):
        (like_it,) = check_arrays("full_like", [a])
        kind = dtype_of(dtype) or aval_of(like_it).dtype
        return full_(shape_of(like_it) if shape is None else shape, fill_value, kind)
    return _like("full_like", a, constant(fill_value), dtype, shape)


def _like(name: str, a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    (a,) = check_arrays(name, [a])
    return full_like(a, value, dtype_of(dtype), None if shape is None else lengths(shape))
