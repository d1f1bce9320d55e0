"""Functions of jnp that work element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer, aval_of, constant
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    convert,
    full_like,
    like,
    shape_of,
    strong,
)
from engine.languages.surfaces.jax.numpy.promotion import (
    check_arrays,
    is_key,
    promote,
    promote_shapes,
    promote_types,
)

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jnp under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(names, function))
        return function

    return enter


def _of_one(name: str, primitive: Any, inexact: bool) -> Callable[..., Any]:
    def call(x: Any, /) -> Any:
        return primitive(*promote(name, x, inexact=inexact))

    return call


def _of_two(name: str, primitive: Any, inexact: bool = False, numeric: bool = False) -> Callable[..., Any]:
    def call(x: Any, y: Any, /) -> Any:
        return primitive(*promote(name, x, y, inexact=inexact, numeric=numeric))

    return call


ONE_FLOAT = {
    "exp": el.exp,
    "log": el.log,
    "expm1": el.expm1,
    "log1p": el.log1p,
    "exp2": el.exp2,
    "sin": el.sin,
    "cos": el.cos,
    "tan": el.tan,
    "sinh": el.sinh,
    "cosh": el.cosh,
    "tanh": el.tanh,
    "arcsin": el.asin,
    "arccos": el.acos,
    "arctan": el.atan,
    "asin": el.asin,
    "acos": el.acos,
    "arcsinh": el.asinh,
    "asinh": el.asinh,
    "arctanh": el.atanh,
    "atanh": el.atanh,
    "atan": el.atan,
    "sqrt": el.sqrt,
    "cbrt": el.cbrt,
}
ONE_ANY = {"negative": ar.neg, "sign": el.sign, "bitwise_not": el.not_p, "invert": el.not_p}
ONE_ANY |= {"bitwise_invert": el.not_p}
TWO_ANY = {
    "minimum": ar.min_p,
    "maximum": ar.max_p,
    "greater": ar.gt,
    "greater_equal": ar.ge,
    "less": ar.lt,
    "less_equal": ar.le,
    "bitwise_and": ar.and_p,
    "bitwise_or": ar.or_p,
    "bitwise_xor": ar.xor,
}
TWO_NUMERIC = {"left_shift": ar.shift_left, "bitwise_left_shift": ar.shift_left}
TWO_FLOAT = {"arctan2": ar.atan2, "atan2": ar.atan2, "nextafter": ar.nextafter}

for _name, _primitive in ONE_FLOAT.items():
    FUNCTIONS[_name] = _of_one(_name, _primitive, True)
for _name, _primitive in ONE_ANY.items():
    FUNCTIONS[_name] = _of_one(_name, _primitive, False)
for _name, _primitive in TWO_ANY.items():
    FUNCTIONS[_name] = _of_two(_name, _primitive)
for _name, _primitive in TWO_NUMERIC.items():
    FUNCTIONS[_name] = _of_two(_name, _primitive, numeric=True)
for _name, _primitive in TWO_FLOAT.items():
    FUNCTIONS[_name] = _of_two(_name, _primitive, inexact=True)


def _compared(name: str, primitive: Any) -> Callable[..., Any]:
    """Random keys, too, can be equal or not."""

    def call(x: Any, y: Any, /) -> Any:
        if is_key(x) and is_key(y):
            return primitive(*promote_shapes([x, y]))
        return primitive(*promote(name, x, y))

    return call


FUNCTIONS |= {"equal": _compared("equal", ar.eq), "not_equal": _compared("not_equal", ar.ne)}


def _to_bool(x: Any) -> Any:
    return x if aval_of(x).dtype == "bool" else ar.ne(x, like(x, 0))


@named("logical_and")
def logical_and(x: Any, y: Any, /) -> Any:
    """Both hold."""
    return ar.and_p(*map(_to_bool, promote("logical_and", x, y)))


@named("logical_or")
def logical_or(x: Any, y: Any, /) -> Any:
    """At least one holds."""
    return ar.or_p(*map(_to_bool, promote("logical_or", x, y)))


@named("logical_xor")
def logical_xor(x: Any, y: Any, /) -> Any:
    """One of the two holds."""
    return ar.xor(*map(_to_bool, promote("logical_xor", x, y)))


@named("logical_not")
def logical_not(x: Any, /) -> Any:
    """It does not hold."""
    return el.not_p(*map(_to_bool, promote("logical_not", x)))


@named("positive")
def positive(x: Any, /) -> Any:
    """The array itself."""
    return as_array(promote("positive", x)[0])


def as_array(x: Any) -> Any:
    """A number of the program as an array."""
    x = constant(x)
    return (
        x if isinstance(x, (JaxArray, Tracer)) else broadcast_in_dim(x, shape_of(x), range(len(shape_of(x))))
    )


@named("add")
def add(x: Any, y: Any, /) -> Any:
    """x + y."""
    x, y = promote("add", x, y)
    return ar.or_p(x, y) if aval_of(x).dtype == "bool" else ar.add(x, y)


@named("subtract")
def subtract(x: Any, y: Any, /) -> Any:
    """x - y."""
    x, y = promote("subtract", x, y)
    if aval_of(x).dtype == "bool":
        raise type_error(
            "sub does not accept dtype bool at position 0. Accepted dtypes at position 0 are subtypes of "
            "integer, floating, complexfloating.",
            "布尔数组不能相减。",
        )
    return ar.sub(x, y)


@named("multiply")
def multiply(x: Any, y: Any, /) -> Any:
    """x · y."""
    x, y = promote("multiply", x, y)
    return ar.and_p(x, y) if aval_of(x).dtype == "bool" else ar.mul(x, y)


@named("true_divide", "divide")
def true_divide(x: Any, y: Any, /) -> Any:
    """x / y."""
    return ar.div(*promote("true_divide", x, y, inexact=True))


@named("absolute", "abs")
def absolute(x: Any, /) -> Any:
    """The distance from zero."""
    (x,) = check_arrays("absolute", [x])
    dtype = aval_of(x).dtype
    return as_array(x) if dtype == "bool" or dtype.startswith("uint") else el.abs_p(x)


@named("fabs")
def fabs(x: Any, /) -> Any:
    """The distance from zero, as a float."""
    (x,) = promote("fabs", x, inexact=True)
    if is_complex(aval_of(x).dtype):
        raise type_error("ufunc 'fabs' does not support complex dtypes", "fabs 不支持复数。")
    return el.abs_p(x)


@named("square")
def square(x: Any, /) -> Any:
    """x²."""
    (x,) = check_arrays("square", [x])
    return ar.square(convert(x, default_int()) if aval_of(x).dtype == "bool" else x)


@named("reciprocal")
def reciprocal(x: Any, /) -> Any:
    """1 / x."""
    return ar.integer_pow(promote("reciprocal", x, inexact=True)[0], -1)


@named("log2")
def log2(x: Any, /) -> Any:
    """The logarithm to base 2."""
    (x,) = promote("log2", x, inexact=True)
    return ar.div(el.log(x), el.log(strong(like(x, 2))))


@named("log10")
def log10(x: Any, /) -> Any:
    """The logarithm to base 10."""
    (x,) = promote("log10", x, inexact=True)
    return ar.mul(el.log(x), convert(like(x, 1 / np.log(10)), aval_of(x).dtype))


@named("deg2rad", "radians")
def deg2rad(x: Any, /) -> Any:
    """Degrees as radians."""
    (x,) = promote("deg2rad", x, inexact=True)
    return ar.mul(x, like(x, np.pi / 180))


@named("rad2deg", "degrees")
def rad2deg(x: Any, /) -> Any:
    """Radians as degrees."""
    (x,) = promote("rad2deg", x, inexact=True)
    return ar.mul(x, like(x, 180 / np.pi))


@named("isnan")
def isnan(x: Any, /) -> Any:
    """Whether it is no number."""
    (x,) = promote("isnan", x, inexact=True)
    return ar.ne(x, x)


@named("isfinite")
def isfinite(x: Any, /) -> Any:
    """Whether it is a number, and not infinite."""
    (x,) = check_arrays("isfinite", [x])
    if is_complex(aval_of(x).dtype):
        return ar.and_p(isfinite(FUNCTIONS["real"](x)), isfinite(FUNCTIONS["imag"](x)))
    return el.is_finite(x) if aval_of(x).is_inexact else full_like(x, True, "bool")


@named("isinf")
@library_jit()
def isinf(x: Any, /) -> Any:
    """Whether it is infinite."""
    (x,) = check_arrays("isinf", [x])
    size = el.abs_p(x)
    infinite = convert(constant(np.inf), aval_of(size).dtype)
    return ar.eq(size, infinite) if aval_of(x).is_inexact else full_like(x, False, "bool")


@named("isposinf")
def isposinf(x: Any, /) -> Any:
    """Whether it is infinite, above."""
    (x,) = promote("isposinf", x, inexact=True)
    return as_array(ar.eq(x, like(x, np.inf)))


@named("isneginf")
def isneginf(x: Any, /) -> Any:
    """Whether it is infinite, below."""
    (x,) = promote("isneginf", x, inexact=True)
    return as_array(ar.eq(x, like(x, -np.inf)))


# -- choices -----------------------------------------------------------------------------------------


@library_jit(name="_where")
def where_jitted(condition: Any, x: Any, y: Any) -> Any:
    """Elements of x where the condition holds, of y elsewhere."""
    if aval_of(condition).dtype != "bool":
        condition = ar.ne(condition, full_like(condition, 0))
    x, y = promote_types([x, y])
    shape = np.broadcast_shapes(shape_of(condition), shape_of(x), shape_of(y))
    if shape_of(condition):
        condition = _to(condition, shape)
    x, y = _to(x, shape), _to(y, shape)
    return ar.select_n_p(condition, y, x)


def _to(x: Any, shape: Any) -> Any:
    """The array in a larger shape."""
    have = shape_of(x)
    if have == tuple(shape):
        return x
    return broadcast_in_dim(x, shape, tuple(range(len(shape) - len(have), len(shape))))


broadcast_shape_to = _to

# -- bits, lengths, signs -----------------------------------------------------------------------------


@named("right_shift", "bitwise_right_shift")
def right_shift(x: Any, y: Any, /) -> Any:
    """The bits moved down."""
    x, y = promote("right_shift", x, y, numeric=True)
    unsigned = aval_of(x).dtype.startswith("uint")
    return (ar.shift_right_logical if unsigned else ar.shift_right_arithmetic)(x, y)


@named("hypot")
@library_jit()
def hypot(x: Any, y: Any, /) -> Any:
    """The length of the hypotenuse."""
    x, y = promote("hypot", x, y, inexact=True)
    x, y = el.abs_p(x), el.abs_p(y)
    infinite = ar.or_p(ar.eq(x, like(x, np.inf)), ar.eq(y, like(y, np.inf)))
    large, small = ar.max_p(x, y), ar.min_p(x, y)
    is_zero = ar.eq(large, like(large, 0))
    safe = where_jitted(ar.eq(large, like(large, 0)), like(large, 1), large)
    root = el.sqrt(ar.add(like(x, 1), ar.square(ar.div(small, safe))))
    return where_jitted(infinite, like(x, np.inf), where_jitted(is_zero, large, ar.mul(large, root)))


@named("rint")
@library_jit()
def rint(x: Any, /) -> Any:
    """The nearest whole number, halves to the even one."""
    (x,) = check_arrays("rint", [x])
    x = x if aval_of(x).is_inexact else convert(x, default_float())
    return el.round_p(x, rounding_method=el.TO_NEAREST_EVEN)


@named("heaviside")
@library_jit()
def heaviside(x: Any, y: Any, /) -> Any:
    """0 below zero, 1 above it, y at it."""
    x, y = promote("heaviside", x, y, inexact=True)
    zero = like(x, 0)
    return where_jitted(ar.lt(x, zero), zero, where_jitted(ar.gt(x, zero), like(x, 1), y))


@named("copysign")
@library_jit()
def copysign(x: Any, y: Any, /) -> Any:
    """x with the sign of y."""
    x, y = promote("copysign", x, y, inexact=True)
    return where_jitted(signbit(y), ar.neg(el.abs_p(x)), el.abs_p(x))


@named("arccosh", "acosh")
@library_jit(name="arccosh")
def arccosh(x: Any, /) -> Any:
    """The inverse of cosh."""
    found = el.acosh(*promote("arccosh", x, inexact=True))
    if not is_complex(aval_of(found).dtype):
        return found
    part = FUNCTIONS["real"](found)
    return where_jitted(ar.lt(part, like(part, 0)), ar.neg(found), found)


@named("modf")
def modf(x: Any, /) -> Any:
    """The parts after and before the point."""
    (x,) = promote("modf", x, inexact=True)
    whole = ar.select(ar.ge(x, like(x, 0)), el.floor(x), el.ceil(x))
    return ar.sub(x, whole), whole


@named("signbit")
@library_jit()
def signbit(x: Any, /) -> Any:
    """Whether the bit of the sign is set, as it is of -0."""
    (x,) = promote("signbit", x)
    dtype = aval_of(x).dtype
    if not aval_of(x).is_float:
        return ar.lt(x, like(x, 0)) if dtype.startswith("int") else full_like(x, False, "bool")
    bits = np.dtype(dtype).itemsize * 8
    whole = el.bitcast_p(x, new_dtype=f"int{bits}")
    return convert(ar.shift_right_arithmetic(whole, like(whole, bits - 1)), "bool")


def default_float_type() -> str:
    """The type of a new array of floats."""
    return default_float()
