"""Division with whole quotients, what it leaves, and powers."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.values import Tracer, aval_of, known
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import powers as pw
from engine.languages.surfaces.jax.lax.basics import convert, full_like, like
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named, where_jitted


@named("floor_divide")
@library_jit()
def floor_divide(x: Any, y: Any, /) -> Any:
    """The largest whole number that is not above x / y."""
    x, y = promote("floor_divide", x, y, numeric=True)
    dtype = aval_of(x).dtype
    if is_complex(dtype):
        raise type_error("floor_divide does not support complex-valued inputs", "floor_divide 不支持复数。")
    if dtype.startswith("uint"):
        return ar.div(x, y)
    if dtype.startswith("int"):
        quotient = ar.div(x, y)
        mixed = ar.ne(el.sign(x), el.sign(y))
        rest = ar.ne(pw.rem(x, y), like(x, 0))
        too_large = FUNCTIONS["logical_and"](mixed, rest)
        return where_jitted(too_large, ar.sub(quotient, like(quotient, 1)), quotient)
    return _float_quotient(x, y)


def _float_quotient(x: Any, y: Any) -> Any:
    rest = pw.rem(x, y)
    by_zero = ar.eq(y, like(y, 0))
    numerator = where_jitted(by_zero, x, ar.sub(x, rest))
    quotient = ar.div(numerator, y)
    wrong = ar.and_p(ar.ne(rest, like(rest, 0)), ar.ne(el.sign(y), el.sign(rest)))
    rest = ar.select(wrong, ar.add(rest, y), rest)
    return el.round_p(
        ar.select(wrong, ar.sub(quotient, like(quotient, 1)), quotient), rounding_method=el.AWAY_FROM_ZERO
    )


@named("remainder", "mod")
@library_jit(name="remainder")
def remainder(x: Any, y: Any, /) -> Any:
    """What is left of a division, with the sign of the divisor."""
    x, y = promote("remainder", x, y, numeric=True)
    zero = like(x, 0)
    if aval_of(x).dtype.startswith(("int", "uint")):
        y = where_jitted(ar.eq(y, like(y, 0)), full_like(y, 1), y)
    rest = pw.rem(x, y)
    not_zero = ar.ne(rest, zero)
    differs = ar.ne(ar.lt(rest, zero), ar.lt(y, like(y, 0)))
    return ar.select(ar.and_p(differs, not_zero), ar.add(rest, y), rest)


@named("fmod")
@library_jit()
def fmod(x: Any, y: Any, /) -> Any:
    """What is left of a division, with the sign of the dividend."""
    return pw.rem(*promote("fmod", x, y, numeric=True))


@named("divmod")
@library_jit(name="divmod")
def divmod_(x: Any, y: Any, /) -> Any:
    """The whole quotient, and what is left."""
    return floor_divide(x, y), remainder(x, y)


@named("power", "pow")
def power(x: Any, y: Any, /) -> Any:
    """x to the power of y; a whole number of the program as an exponent multiplies."""
    exponent = y if isinstance(y, int) and not isinstance(y, bool) else None
    x, y = check_arrays("power", [x, y])
    if exponent is None and not isinstance(y, Tracer) and aval_of(y).weak and aval_of(y).shape == ():
        array = known(y)
        exponent = int(array) if array is not None and array.dtype.kind == "i" else None
    if exponent is not None:
        (x,) = promote_types([x], numeric=True)
        if aval_of(x).is_inexact or exponent >= 0:
            return ar.integer_pow(x, exponent)
    if aval_of(y).is_inexact or not aval_of(x).is_inexact:
        x, y = promote("power", x, y, numeric=True)
    else:
        x, _ = promote("power", x, convert(y, aval_of(y).dtype, aval_of(y).weak), numeric=True)
    if not aval_of(x).is_inexact:
        return _whole_power(x, y)
    return pw.pow_p(x, y)


def _whole_power(x: Any, y: Any) -> Any:
    """A whole number to a whole power, by squaring: six times, as a power of 2⁶ is beyond any."""
    zero, one = like(y, 0), like(y, 1)
    result = where_jitted(ar.and_p(ar.eq(x, like(x, 0)), ar.ne(y, zero)), like(x, 0), like(x, 1))
    for _ in range(6):
        result = where_jitted(ar.and_p(y, one), ar.mul(result, x), result)
        x, y = ar.mul(x, x), ar.shift_right_logical(y, one)
    return result


@named("float_power")
def float_power(x: Any, y: Any, /) -> Any:
    """x to the power of y, as floats."""
    return pw.pow_p(*promote("float_power", x, y, inexact=True))
