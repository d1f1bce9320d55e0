"""Primitives of one array, element by element: each with its tangent, as JAX writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import by_argument, by_result, linear, without_tangent
from engine.languages.surfaces.jax.lax import single_precision
from engine.languages.surfaces.jax.lax.arithmetic import (
    add,
    div,
    ge,
    integer_pow,
    mul,
    neg,
    select,
    square,
    sub,
)
from engine.languages.surfaces.jax.lax.basics import constant_beside, like, unary
from engine.languages.surfaces.jax.lax.special import digamma_of, erf_inverse, erf_of, erfc_of, log_gamma


def one(x: Any) -> Any:
    """The number 1 of the type of a value."""
    return like(x, 1)


def rounded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function in double precision, rounded once: nearer to what XLA computes than numpy's own."""
    return lambda x: function(x.astype("float64")).astype(x.dtype)


# -- exponentials ------------------------------------------------------------------------------------

exp: Primitive = unary("exp", single_precision.exp)
by_result(exp, lambda g, ans, x: mul(g, ans))

exp2 = unary("exp2", single_precision.exp2)
by_result(exp2, lambda g, ans, x: mul(log(constant_beside(x, 2)), mul(g, ans)))

log: Primitive = unary("log", single_precision.log)
by_argument(log, lambda g, x: div(g, x))

expm1 = unary("expm1", single_precision.expm1)
by_result(expm1, lambda g, ans, x: mul(g, add(ans, one(ans))))

log1p = unary("log1p", single_precision.log1p)
by_argument(log1p, lambda g, x: div(g, add(x, one(x))))

tanh = unary("tanh", single_precision.tanh)
by_result(tanh, lambda g, ans, x: mul(add(g, mul(g, ans)), sub(one(x), ans)))

logistic = unary("logistic", lambda x: (1 / (1 + single_precision.exp(-x))).astype(x.dtype))
by_result(logistic, lambda g, ans, x: mul(g, mul(ans, sub(one(ans), ans))))

# -- trigonometry ------------------------------------------------------------------------------------

sin, cos = unary("sin", rounded(np.sin)), unary("cos", rounded(np.cos))


def _linear_sine(nonzeros: Any, x: Any) -> Any:
    out, slope = sin(x), cos(x)
    return out, lambda t: mul(t, slope)


by_argument(sin, lambda g, x: mul(g, cos(x)))
sin.linear = _linear_sine
by_argument(cos, lambda g, x: neg(mul(g, sin(x))))

tan = unary("tan", rounded(np.tan))
by_result(tan, lambda g, ans, x: mul(g, add(constant_beside(x, 1), square(ans))))
asin = unary("asin", rounded(np.arcsin))
by_argument(asin, lambda g, x: mul(g, rsqrt(sub(constant_beside(x, 1), square(x)))))
acos = unary("acos", rounded(np.arccos))
by_argument(acos, lambda g, x: mul(g, neg(rsqrt(sub(constant_beside(x, 1), square(x))))))
atan = unary("atan", rounded(np.arctan))
by_argument(atan, lambda g, x: div(g, add(constant_beside(x, 1), square(x))))

sinh, cosh = unary("sinh", single_precision.sinh), unary("cosh", single_precision.cosh)
by_argument(sinh, lambda g, x: mul(g, cosh(x)))
by_argument(cosh, lambda g, x: mul(g, sinh(x)))
asinh = unary("asinh", single_precision.asinh)
by_argument(asinh, lambda g, x: mul(g, rsqrt(add(square(x), one(x)))))
acosh = unary("acosh", np.arccosh)
by_argument(acosh, lambda g, x: mul(g, rsqrt(sub(square(x), one(x)))))
atanh = unary("atanh", single_precision.atanh)
by_argument(atanh, lambda g, x: mul(integer_pow(add(one(x), x), -1), div(g, sub(one(x), x))))

# -- roots -------------------------------------------------------------------------------------------

sqrt = unary("sqrt", np.sqrt)
by_result(sqrt, lambda g, ans, x: mul(g, div(constant_beside(x, 0.5), ans)))
rsqrt: Primitive = unary("rsqrt", rounded(lambda x: 1 / np.sqrt(x)))
by_result(rsqrt, lambda g, ans, x: mul(g, mul(constant_beside(x, -0.5), div(ans, x))))
cbrt = unary("cbrt", rounded(np.cbrt))
by_result(cbrt, lambda g, ans, x: mul(g, mul(constant_beside(x, 1 / 3), integer_pow(ans, -2))))

# -- parts of numbers --------------------------------------------------------------------------------

abs_p = unary("abs", np.abs)
by_result(abs_p, lambda g, ans, x: select(ge(x, like(x, 0)), g, neg(g)))
sign = unary("sign", np.sign)
floor, ceil = unary("floor", np.floor), unary("ceil", np.ceil)


class Rounding(int):
    """How halves are rounded; written as its number."""


AWAY_FROM_ZERO, TO_NEAREST_EVEN = Rounding(0), Rounding(1)


def _round(x: Any, rounding_method: int) -> Any:
    return np.rint(x) if rounding_method else np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x)


round_p = unary("round", _round)
is_finite = unary("is_finite", np.isfinite, "bool")
for primitive in (sign, floor, ceil, round_p, is_finite):
    without_tangent(primitive)

not_p = unary("not", np.invert)
population_count = unary("population_count", lambda x: np.bitwise_count(x).astype(x.dtype))
without_tangent(not_p)

# -- special functions -------------------------------------------------------------------------------

TWO_OVER_ROOT_PI = 2.0 / np.sqrt(np.pi)

erf = unary("erf", erf_of)
by_argument(erf, lambda g, x: mul(constant_beside(x, TWO_OVER_ROOT_PI), mul(g, exp(neg(square(x))))))
erfc = unary("erfc", erfc_of)
by_argument(erfc, lambda g, x: mul(constant_beside(x, -TWO_OVER_ROOT_PI), mul(g, exp(neg(square(x))))))
erf_inv = unary("erf_inv", erf_inverse)
by_result(erf_inv, lambda g, ans, x: mul(constant_beside(x, np.sqrt(np.pi) / 2.0), mul(g, exp(square(ans)))))
lgamma = unary("lgamma", log_gamma)
by_argument(lgamma, lambda g, x: mul(g, digamma(x)))
digamma: Primitive = unary("digamma", digamma_of)

# -- identities --------------------------------------------------------------------------------------

stop_gradient_p = unary("stop_gradient", lambda x: x)
without_tangent(stop_gradient_p)
copy_p = unary("copy", lambda x: x.copy())
linear(copy_p, lambda ct, x: [copy_p(ct)])

bitcast_p = unary("bitcast_convert_type", lambda x, new_dtype: x.view(new_dtype))
bitcast_p.types = lambda x, new_dtype: Aval(x.shape, new_dtype)
without_tangent(bitcast_p)


def stop_gradient(x: Any) -> Any:
    """The value, which counts as a constant where gradients are taken."""
    return stop_gradient_p(x)
