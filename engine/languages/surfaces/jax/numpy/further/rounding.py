"""Functions of `jnp` that round and cut, and those that compare numbers that are nearly equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import (
    convert,
    like,
    shape_of,
    strong,
)
from engine.languages.surfaces.jax.lax.numerics.complex_numbers import complex_p, imag_p, real_p
from engine.languages.surfaces.jax.numpy.making.arrays import array, on_device
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, as_array, named, where_jitted
from engine.languages.surfaces.left_out import takes_only

# -- rounding and cutting ----------------------------------------------------------------------------


@named("round", "around")
@takes_only(out=(None,))
def round_(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """The nearest number of so many decimals, halves to the even one."""
    (x,) = check_arrays("round", [a])
    if aval_of(x).dtype == "bool":
        raise value_error("data type <class 'numpy.bool'> not inexact", "round 不能用于 bool 数组。")
    return _round(x, decimals=int(decimals))


@library_jit(1, name="round")
def _round(x: Any, decimals: int) -> Any:
    if is_complex(aval_of(x).dtype):
        return complex_p(_round(real_p(x), decimals=decimals), _round(imag_p(x), decimals=decimals))
    if not aval_of(x).is_float:
        if decimals >= 0:
            return as_array(x)
        factor = like(x, 10**-decimals)
        return ar.mul(FUNCTIONS["rint"](ar.div(convert(x, "float32"), convert(factor, "float32"))), factor)
    if decimals == 0:
        return el.round_p(x, rounding_method=el.TO_NEAREST_EVEN)
    factor = 10**decimals
    whole = el.round_p(ar.mul(x, like(x, factor)), rounding_method=el.TO_NEAREST_EVEN)
    return ar.divide_by_number(whole, factor)


def _of_fractions(name: str, primitive: Any) -> Any:
    """Of numbers that have a fraction; whole ones stay what they are."""

    def call(x: Any, /) -> Any:
        (value,) = promote(name, x)
        return primitive(value) if aval_of(value).is_inexact else as_array(value)

    return call


FUNCTIONS |= {"floor": _of_fractions("floor", el.floor), "ceil": _of_fractions("ceil", el.ceil)}


@named("trunc", "fix")
def trunc(x: Any, /) -> Any:
    """The next whole number towards 0."""
    (x,) = promote("trunc", x)
    if not aval_of(x).is_float:
        return as_array(x)
    return where_jitted(ar.lt(x, like(x, 0)), el.ceil(x), el.floor(x))


@named("clip")
def clip(
    arr: Any = None,
    min: Any = None,
    max: Any = None,
    *,
    a: Any = None,
    a_min: Any = None,
    a_max: Any = None,
) -> Any:
    """The array, cut to a range."""
    arr = a if arr is None else arr
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    values = [x for x in (arr, low, high) if x is not None]
    if any(is_complex(aval_of(constant(x)).dtype) for x in values):
        raise value_error(
            "Clip received a complex value either through the input or the min/max keywords. Complex values "
            "have no ordering and cannot be clipped. Please convert to a real value or array by taking the "
            "real or imaginary components via jax.numpy.real/imag respectively.",
            "clip 不接受复数：复数没有大小顺序。",
        )
    return _clip(*check_arrays("clip", values), has_low=low is not None, has_high=high is not None)


@library_jit(name="clip")
def _clip(x: Any, *bounds: Any, has_low: bool, has_high: bool) -> Any:
    given = list(bounds)
    if has_low:
        x = FUNCTIONS["maximum"](given.pop(0), x)
    if has_high:
        x = FUNCTIONS["minimum"](given.pop(0), x)
    return as_array(x)


@named("nan_to_num")
@library_jit(1, name="nan_to_num")
def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Numbers in place of what is none, and of infinities."""
    x = constant(x)
    info = np.finfo(aval_of(x).dtype) if aval_of(x).is_float else None
    if info is None:
        return as_array(x)
    nan, most, least = (
        strong(like(x, number))
        for number in (nan, info.max if posinf is None else posinf, info.min if neginf is None else neginf)
    )
    x = where_jitted(ar.ne(x, x), nan, x)
    x = where_jitted(ar.eq(x, like(x, np.inf)), most, x)
    return where_jitted(ar.eq(x, like(x, -np.inf)), least, x)


# -- comparing ---------------------------------------------------------------------------------------


@library_jit(name="isclose")
def _is_close(a: Any, b: Any, rtol: Any, atol: Any) -> Any:
    a, b = promote("isclose", a, b, inexact=True)
    rtol, atol = convert(rtol, aval_of(a).dtype), convert(atol, aval_of(a).dtype)
    near = ar.le(el.abs_p(ar.sub(a, b)), ar.add(atol, ar.mul(rtol, el.abs_p(b))))
    return ar.or_p(ar.eq(a, b), ar.and_p(el.is_finite(b), near))


@named("isclose")
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether two arrays are nearly the same, element by element."""
    values = check_arrays("isclose", [a, b, rtol, atol])
    if any(is_complex(aval_of(x).dtype) for x in values):
        room = FUNCTIONS["add"](atol, FUNCTIONS["multiply"](rtol, FUNCTIONS["abs"](b)))
        return FUNCTIONS["less_equal"](FUNCTIONS["abs"](FUNCTIONS["subtract"](a, b)), room)
    found = _is_close(*values)
    if equal_nan:
        x, y = promote("isclose", a, b, inexact=True)
        found = ar.or_p(found, ar.and_p(ar.ne(x, x), ar.ne(y, y)))
    return found


@named("allclose")
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether two arrays are nearly the same."""
    return FUNCTIONS["all"](isclose(a, b, rtol, atol, equal_nan))


@named("array_equal")
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    """Whether two arrays have the same shape and elements; equal_nan: no number is the same as none."""
    x, y = (constant(v) if not isinstance(v, (list, tuple)) else array(v) for v in (a1, a2))
    if shape_of(x) != shape_of(y):
        return on_device(np.bool_(False))
    same = FUNCTIONS["equal"](x, y)
    if equal_nan:
        same = FUNCTIONS["logical_or"](same, ar.and_p(ar.ne(x, x), ar.ne(y, y)))
    return FUNCTIONS["all"](same)
