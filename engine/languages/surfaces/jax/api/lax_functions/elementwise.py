"""Functions of `jax.lax` that take each element by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.api.lax_functions.table import LAX, named
from engine.languages.surfaces.jax.api.refusing import lax as check
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import powers as pw
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP


def _of_one(primitive: Any) -> Callable[..., Any]:
    return lambda x, **_: primitive(as_value(x))


def _of_two(primitive: Any) -> Callable[..., Any]:
    def call(x: Any, y: Any, **_: Any) -> Any:
        return primitive(as_value(x), as_value(y))

    return call


for _name, _primitive in {
    "neg": ar.neg,
    "sign": el.sign,
    "floor": el.floor,
    "ceil": el.ceil,
    "exp": el.exp,
    "log": el.log,
    "exp2": el.exp2,
    "expm1": el.expm1,
    "log1p": el.log1p,
    "tanh": el.tanh,
    "logistic": el.logistic,
    "sin": el.sin,
    "cos": el.cos,
    "tan": el.tan,
    "asin": el.asin,
    "acos": el.acos,
    "atan": el.atan,
    "sinh": el.sinh,
    "cosh": el.cosh,
    "asinh": el.asinh,
    "acosh": el.acosh,
    "atanh": el.atanh,
    "sqrt": el.sqrt,
    "rsqrt": el.rsqrt,
    "cbrt": el.cbrt,
    "abs": el.abs_p,
    "square": ar.square,
    "is_finite": el.is_finite,
    "erf": el.erf,
    "erfc": el.erfc,
    "erf_inv": el.erf_inv,
    "lgamma": el.lgamma,
    "digamma": el.digamma,
    "bitwise_not": el.not_p,
    "population_count": el.population_count,
}.items():
    LAX[_name] = _of_one(_primitive)
for _name, _primitive in {
    "add": ar.add,
    "sub": ar.sub,
    "mul": ar.mul,
    "div": ar.div,
    "rem": pw.rem,
    "pow": pw.pow_p,
    "max": ar.max_p,
    "min": ar.min_p,
    "eq": ar.eq,
    "ne": ar.ne,
    "lt": ar.lt,
    "le": ar.le,
    "gt": ar.gt,
    "ge": ar.ge,
    "atan2": ar.atan2,
    "bitwise_and": ar.and_p,
    "bitwise_or": ar.or_p,
    "bitwise_xor": ar.xor,
    "shift_left": ar.shift_left,
    "shift_right_logical": ar.shift_right_logical,
    "shift_right_arithmetic": ar.shift_right_arithmetic,
    "nextafter": ar.nextafter,
}.items():
    LAX[_name] = _of_two(_primitive)


@named("integer_pow")
def integer_pow(x: Any, y: Any) -> Any:
    """A power with a whole exponent."""
    return ar.integer_pow(as_value(x), int(y))


@named("reciprocal")
def reciprocal(x: Any) -> Any:
    """1 / x."""
    return ar.integer_pow(as_value(x), -1)


@named("round")
def round_(x: Any, rounding_method: Any = 0) -> Any:
    """The nearest whole number, halves away from zero."""
    return el.round_p(as_value(x), rounding_method=el.Rounding(int(rounding_method)))


@named("select")
def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Elements of one array where the condition holds, of another elsewhere."""
    a, b = as_value(on_true), as_value(on_false)
    check.check_same_types("select", [b, a])
    return ar.select(as_value(pred), a, b)


@named("select_n")
def select_n(which: Any, *cases: Any) -> Any:
    """Elements of the arrays that an index names."""
    return ar.select_n_p(as_value(which), *map(as_value, cases))


@named("clamp")
def clamp(min: Any, x: Any, max: Any) -> Any:
    """The array, cut to a range."""
    low, value, high = map(as_value, (min, x, max))
    check.check_same_types("clamp", [low, value, high])
    for name, bound in (("min", low), ("max", high)):
        check.check_bound(name, bound, value)
    return ar.clamp(low, value, high)


@named("convert_element_type")
def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """The array in another element type."""
    return JNP["astype"](operand, new_dtype)


@named("bitcast_convert_type")
def bitcast(operand: Any, new_dtype: Any) -> Any:
    """The bits of the elements as another type."""
    return el.bitcast_p(as_value(operand), new_dtype=dtype_of(new_dtype))
