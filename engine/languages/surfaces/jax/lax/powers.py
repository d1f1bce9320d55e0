"""Remainders of divisions, and powers with exponents that vary."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.tangents import by_argument, by_result
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.arithmetic import div, eq, mul, neg, select, sub
from engine.languages.surfaces.jax.lax.basics import (
    binary,
    broadcast_shape,
    convert,
    full_like,
    like,
    maybe_broadcast,
    shape_of,
)
from engine.languages.surfaces.jax.lax.elementwise import abs_p, floor, log, sign

# -- remainders --------------------------------------------------------------------------------------


def _remainder(x: Any, y: Any) -> Any:
    if x.dtype.kind == "f":
        return np.fmod(x, y)
    return np.where(y == 0, x, np.fmod(x, np.where(y == 0, 1, y))).astype(x.dtype)


rem = binary("rem", _remainder)


def _both(x: Any, y: Any) -> Any:
    return np.broadcast_shapes(shape_of(x), shape_of(y))


by_argument(
    rem,
    lambda g, x, y: maybe_broadcast(_both(x, y), g),
    lambda g, x, y: mul(neg(g), mul(sign(div(x, y)), floor(abs_p(div(x, y))))),
)

# -- powers ------------------------------------------------------------------------------------------


def _power_types(x: Aval, y: Aval) -> Aval:
    if not x.is_inexact:
        raise type_error(
            "the first argument to pow must have an inexact dtype (float or complex), and the second "
            "argument must have an inexact or integer dtype, and two inexact dtypes must match, but got "
            f"{x.dtype} and {y.dtype} respectively.",
            "pow 的第一个参数必须是浮点数。",
        )
    alone = x.shape == y.shape == () and not y.is_inexact
    weak = x.weak and (y.weak or alone)
    return Aval(broadcast_shape("pow", [x.shape, y.shape]), x.dtype, weak)


def _power(x: Any, y: Any) -> Any:
    if x.dtype != np.float32:
        return np.power(x, y.astype(x.dtype))
    return np.power(x.astype("float64"), y.astype(x.dtype)).astype(x.dtype)


pow_p = binary("pow", _power, same=False)
pow_p.types = _power_types


def _not_zero(x: Any) -> Any:
    """The array, with 1 in place of 0."""
    return select(eq(x, like(x, 0)), full_like(x, 1), x)


def _power_base(g: Any, ans: Any, x: Any, y: Any) -> Any:
    dtype = aval_of(x).dtype
    whole = not aval_of(y).is_inexact
    weak = whole and aval_of(x).weak
    base, exponent = convert(x, dtype, weak), convert(y, dtype, weak)
    less = sub(exponent, full_like(exponent, 1))
    if not whole:
        return mul(g, mul(exponent, pow_p(base, less)))
    shape = _both(base, exponent)
    base, exponent = maybe_broadcast(shape, base), maybe_broadcast(shape, exponent)
    less = sub(exponent, full_like(exponent, 1))
    slope = mul(_not_zero(exponent), pow_p(base, less))
    return mul(g, select(eq(exponent, like(exponent, 0)), full_like(exponent, 0), slope))


def _power_exponent(g: Any, ans: Any, x: Any, y: Any) -> Any:
    return convert(mul(g, mul(log(_not_zero(x)), ans)), aval_of(y).dtype, aval_of(g).weak)


by_result(pow_p, _power_base, _power_exponent)
