"""The largest and smallest elements, and whether all hold: `jnp.max`, `jnp.ptp`, `jnp.all`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.lax.numerics.complex_numbers import real_p
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.axes import taken_together, with_axes
from engine.languages.surfaces.jax.numpy.ufuncs import named, where_jitted
from engine.languages.surfaces.left_out import takes_only


def _extreme(name: str, a: Any, axis: Any, keepdims: Any, initial: Any, where: Any) -> Any:
    (x,) = check_arrays(name, [a])
    primitive = re.reduce_max_p if name == "max" else re.reduce_min_p
    axes = taken_together(x, axis)
    if aval_of(x).dtype == "bool":
        out = (re.reduce_or_p if name == "max" else re.reduce_and_p)(x, axes=axes)
        return with_axes(out, axes, keepdims)
    if initial is None and any(shape_of(x)[i] == 0 for i in axes):
        raise value_error(
            f"zero-size array to reduction operation {name} which has no identity",
            "空数组没有最大值或最小值。",
        )
    x = convert(x, aval_of(x).dtype)
    if where is not None:
        if initial is None:
            raise value_error(
                f"reduction operation {name} does not have an identity, so to use a where mask one has to "
                "specify 'initial'",
                f"{name} 使用 where 时必须给出 initial。",
            )
        x = where_jitted(constant(where), x, convert(constant(initial), aval_of(x).dtype))
    out = primitive(x, axes=axes)
    if initial is not None:
        out = (ar.max_p if name == "max" else ar.min_p)(convert(constant(initial), aval_of(x).dtype), out)
    return with_axes(out, axes, keepdims)


@named("max", "amax")
@takes_only(out=(None,))
def max_(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None
) -> Any:
    """The largest element."""
    return _extreme("max", a, axis, keepdims, initial, where)


@named("min", "amin")
@takes_only(out=(None,))
def min_(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None
) -> Any:
    """The smallest element."""
    return _extreme("min", a, axis, keepdims, initial, where)


@named("all")
@takes_only(out=(None,))
def all_(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = None) -> Any:
    """Whether all elements hold."""
    (x,) = check_arrays("all", [a])
    x = x if where is None else where_jitted(constant(where), _truths(x), constant(True))
    axes = taken_together(x, axis)
    return with_axes(re.reduce_and_p(_truths(x), axes=axes), axes, keepdims)


@named("any")
@takes_only(out=(None,))
def any_(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = None) -> Any:
    """Whether an element holds."""
    (x,) = check_arrays("any", [a])
    x = x if where is None else where_jitted(constant(where), _truths(x), constant(False))
    axes = taken_together(x, axis)
    return with_axes(re.reduce_or_p(_truths(x), axes=axes), axes, keepdims)


def _truths(x: Any) -> Any:
    """Whether each element holds; JAX looks at the real part of a complex number alone."""
    return convert(real_p(x) if is_complex(aval_of(x).dtype) else x, "bool")


@named("ptp")
@takes_only(out=(None,))
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """The distance from the smallest to the largest element."""
    (x,) = check_arrays("ptp", [a])
    return _ptp(x, axis=axis, keepdims=bool(keepdims))


@library_jit(1)
def _ptp(x: Any, axis: Any, keepdims: bool) -> Any:
    return ar.sub(max_(x, axis, keepdims=keepdims), min_(x, axis, keepdims=keepdims))
