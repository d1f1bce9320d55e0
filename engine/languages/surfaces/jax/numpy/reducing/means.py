"""Means and how far elements lie from them: `jnp.mean`, `jnp.average`, `jnp.var`, `jnp.std`."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.surfaces.jax.core.avals import is_complex, is_floating
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    convert,
    full_like,
    like,
    reduce_sum,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.numerics.complex_numbers import conj, real_p
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import (
    axes_of,
    check_counted,
    taken_together,
    with_axes,
)
from engine.languages.surfaces.jax.numpy.reducing.sums import sum_, summed_in
from engine.languages.surfaces.jax.numpy.ufuncs import named, where_jitted
from engine.languages.surfaces.left_out import takes_only


def _inexact(x: Any) -> Any:
    return x if aval_of(x).is_float or is_complex(aval_of(x).dtype) else convert(x, default_float())


@named("mean")
@takes_only(out=(None,))
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, where: Any = None
) -> Any:
    """The mean of the elements."""
    (x,) = check_arrays("mean", [a])
    check_counted(x, axis)
    kind = dtype_of(dtype)
    x = convert(x, kind) if kind else _inexact(x)
    given = aval_of(x)
    wide = summed_in(given.dtype)
    x = convert(x, wide)
    if where is not None:
        count = sum_(where_jitted(constant(where), full_like(x, 1), full_like(x, 0)), axis)
        total = sum_(x, axis, keepdims=keepdims, where=where)
        found = ar.div(total, reshape(count, shape_of(total)))
    else:
        axes = taken_together(x, axis)
        count = prod(shape_of(x)[i] for i in axes)
        found = ar.divide_by_number(with_axes(reduce_sum(x, axes), axes, keepdims), count)
    return convert(found, given.dtype)


@named("average")
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, keepdims: Any = False
) -> Any:
    """The mean of the elements, some of which may count more."""
    if weights is None:
        found = mean(a, axis, keepdims=keepdims)
        if not returned:
            return found
        (x,) = check_arrays("average", [a])
        size = prod(shape_of(x)[i] for i in axes_of(x, axis))
        return found, full_like(found, size)
    x, w = promote_types(check_arrays("average", [a, weights]), inexact=True)
    if shape_of(w) != shape_of(x):
        place = axes_of(x, axis)[0]
        w = broadcast_in_dim(w, shape_of(x), (place,))
    total = sum_(w, axis, keepdims=keepdims)
    found = ar.div(sum_(ar.mul(x, w), axis, keepdims=keepdims), total)
    return (found, total) if returned else found


def _squared_sizes(x: Any) -> Any:
    return real_p(ar.mul(x, conj(x))) if is_complex(aval_of(x).dtype) else ar.square(x)


@library_jit(2, name="_var")
def _variance(x: Any, ddof: Any, axes: tuple[int, ...], keepdims: bool, dtype: str | None = None) -> Any:
    x = x if dtype else _inexact(x)
    kind = dtype or aval_of(x).dtype
    x = convert(x, summed_in(kind))
    center = ar.sub(x, mean(x, axes, keepdims=True))
    squares = _squared_sizes(center)
    count = typed(prod(shape_of(x)[i] for i in axes), aval_of(squares).dtype)
    left = ar.sub(count, convert(ddof, aval_of(squares).dtype))
    total = with_axes(reduce_sum(squares, axes), axes, keepdims)
    found = ar.div(total, left)
    found = found if is_complex(kind) else convert(found, kind, aval_of(found).weak)
    return where_jitted(
        ar.gt(left, like(left, 0)), found, Constant(np.asarray(np.nan, default_float()), True)
    )


@library_jit(2, name="_std")
def _deviation(x: Any, ddof: Any, axes: tuple[int, ...], keepdims: bool, dtype: str | None = None) -> Any:
    return el.sqrt(_variance(x, ddof, axes=axes, keepdims=keepdims, dtype=dtype))


def _float_or_none(name: str, dtype: Any) -> str | None:
    """The type of floats that an argument names. Raises: ProgramError for another type."""
    kind = dtype_of(dtype)
    if kind is not None and not is_floating(kind):
        raise ProgramError(
            f"{name}(dtype={kind}) is not supported.",
            message_zh=f"不支持 {name}(dtype={kind})。",
            code="unsupported",
            hint="Name a type of floats, such as jnp.float32.",
            hint_zh="请使用浮点类型，例如 jnp.float32。",
        )
    return kind


def _variance_where(x: Any, ddof: Any, axis: Any, keepdims: Any, where: Any) -> Any:
    """The mean square of the distance from the mean, of the elements where a mask holds."""
    x = _inexact(x)
    center = ar.sub(x, mean(x, axis, keepdims=True, where=where))
    count = sum_(where_jitted(constant(where), full_like(x, 1), full_like(x, 0)), axis, keepdims=keepdims)
    left = ar.sub(count, like(count, ddof))
    found = ar.div(sum_(_squared_sizes(center), axis, keepdims=keepdims, where=where), left)
    return where_jitted(ar.gt(left, like(left, 0)), found, like(found, np.nan))


def _freedom(ddof: Any, correction: Any) -> Any:
    """How many the count of elements is less by: `ddof`, or `correction` under its newer name."""
    if correction is None:
        return ddof
    if not isinstance(ddof, int) or ddof != 0:
        raise value_error(
            "ddof and correction can't be provided simultaneously.", "ddof 和 correction 不能同时给出。"
        )
    return correction


def _spread(
    name: str, a: Any, axis: Any, dtype: Any, ddof: Any, correction: Any, keepdims: Any, where: Any
) -> Any:
    """The variance or, under the name "std", the standard deviation."""
    (x,) = check_arrays(name, [a])
    check_counted(x, axis)
    ddof = _freedom(ddof, correction)
    kind = _float_or_none(name, dtype)
    if where is not None:
        variance = _variance_where(convert(x, kind) if kind else x, ddof, axis, keepdims, where)
        return el.sqrt(variance) if name == "std" else variance
    compute = _deviation if name == "std" else _variance
    return compute(x, constant(ddof), axes=taken_together(x, axis), keepdims=bool(keepdims), dtype=kind)


@named("var")
@takes_only(out=(None,), mean=(None,))
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The mean square of the distance from the mean."""
    return _spread("var", a, axis, dtype, ddof, correction, keepdims, where)


@named("std")
@takes_only(out=(None,), mean=(None,))
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The square root of the variance."""
    return _spread("std", a, axis, dtype, ddof, correction, keepdims, where)
