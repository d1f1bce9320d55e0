"""What primitives compute of complex numbers, and their parts, with derivatives.

A cotangent of z = x + i y is that of x minus i times that of y, as in JAX: rules of primitives of real
numbers hold of complex ones, too. A primitive without an entry is refused (core/primitive.py), so that
no imaginary part is lost in silence.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval, is_complex
from engine.languages.surfaces.jax.core.primitive import IN_COMPLEX, Primitive
from engine.languages.surfaces.jax.core.tangents import by_result, is_zero, linear
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Zero, aval_of, typed
from engine.languages.surfaces.jax.lax import single_precision
from engine.languages.surfaces.jax.lax.arithmetic import atan2, div, eq, ge, mul, neg, select
from engine.languages.surfaces.jax.lax.basics import (
    binary,
    broadcast_shape,
    convert,
    full_like,
    like,
    unary,
    unbroadcast,
)
from engine.languages.surfaces.jax.lax.elementwise import abs_p

AS_THEY_ARE = """
    add sub mul div neg eq ne square integer_pow add_any select_n convert_element_type stop_gradient copy
    broadcast_in_dim reshape squeeze transpose rev concatenate split stack unstack slice tile pad gather
    dynamic_slice dynamic_update_slice reduce_sum reduce_prod cumsum cumprod dot_general abs real imag conj
    complex fft scatter scatter-add jit while cond scan empty2 expand_dims reduce_precision mul_add pow copy_p
    custom_jvp_call custom_vjp_call optimization_barrier and or not max min lt le gt ge reduce_max reduce_min
    sort solve det eigh
"""


def _in_double(function: Any) -> Any:
    """A function of numbers with parts of 64 bits, rounded once."""
    return lambda x: function(x.astype("complex128")).astype(x.dtype)


def _exp(z: Any) -> Any:
    """eˣ (cos y + i sin y), each part rounded by itself, as XLA computes it."""
    found = np.zeros_like(z)
    size, angle = single_precision.exp(z.real), z.imag.astype("float64")
    found.real = size * np.cos(angle).astype(size.dtype)
    found.imag = size * np.sin(angle).astype(size.dtype)
    return found


IN_COMPLEX.update(dict.fromkeys(AS_THEY_ARE.split()))
IN_COMPLEX.update(
    {
        "div": np.divide,
        "is_finite": np.isfinite,
        "exp": _exp,
        "logistic": _in_double(lambda x: 1 / (1 + np.exp(-x))),
        "rsqrt": _in_double(lambda x: 1 / np.sqrt(x)),
        "sign": lambda x: np.where(x == 0, x, x / np.where(x == 0, 1, np.abs(x))).astype(x.dtype),
        "pow": lambda x, y: np.power(x.astype("complex128"), y).astype(x.dtype),
        "asin": _in_double(np.arcsin),
        "acos": _in_double(np.arccos),
        "atan": _in_double(np.arctan),
        "asinh": _in_double(np.arcsinh),
        "acosh": _in_double(np.arccosh),
        "atanh": _in_double(np.arctanh),
        **{name: getattr(np, name) for name in ("sin", "cos", "sinh", "cosh", "sqrt")},
    }
)
IN_COMPLEX.update(
    {name: _in_double(getattr(np, name)) for name in ("exp2", "expm1", "log", "log1p", "tan", "tanh")}
)


def _part_type(dtype: str) -> str:
    """The type of the two parts of complex numbers, or of the absolute value of any."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def _whole_type(dtype: str) -> str:
    """The type of complex numbers with parts of a type."""
    return "complex128" if dtype in ("float64", "complex128") else "complex64"


def _part(name: str, compute: Any) -> Primitive:
    primitive = unary(name, compute)
    primitive.types = lambda x, **_: Aval(x.shape, _part_type(x.dtype), x.weak)
    return primitive


real_p, imag_p = _part("real", np.real), _part("imag", np.imag)


def _joined(x: Any, y: Any) -> Any:
    z = np.zeros(np.broadcast_shapes(x.shape, y.shape), _whole_type(x.dtype.name))
    z.real, z.imag = x, y
    return z


complex_p = binary("complex", _joined)
complex_p.types = lambda x, y: Aval(
    broadcast_shape("complex", [x.shape, y.shape]), _whole_type(x.dtype), x.weak and y.weak
)
conj_p = unary("conj", lambda x, input_dtype: np.conj(x))
conj_p.types = lambda x, input_dtype: Aval(x.shape, _whole_type(x.dtype), x.weak)
abs_p.types = lambda x, **_: Aval(x.shape, _part_type(x.dtype), x.weak)


def conj(x: Any) -> Any:
    """The conjugates."""
    return conj_p(x, input_dtype=np.dtype(aval_of(x).dtype))


def _no_part(ct: Any) -> Any:
    return typed(0, aval_of(ct).dtype)


linear(real_p, lambda ct, z: [Zero(z.aval) if is_zero(ct) else complex_p(ct, _no_part(ct))])
linear(imag_p, lambda ct, z: [Zero(z.aval) if is_zero(ct) else complex_p(_no_part(ct), neg(ct))])


def _complex_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    """z = x + i y: the real part of the cotangent for x, the imaginary part of its negative for y."""
    if is_zero(ct):
        return [Zero(side.aval) if is_undefined(side) else None for side in (x, y)]
    return [
        unbroadcast(x.aval, real_p(ct)) if is_undefined(x) else None,
        unbroadcast(y.aval, imag_p(neg(ct))) if is_undefined(y) else None,
    ]


linear(complex_p, _complex_transpose)


def _conj_transpose(ct: Any, z: Any, input_dtype: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(z.aval)]
    found = conj(ct)
    return [found if is_complex(z.aval.dtype) else real_p(found)]


linear(conj_p, _conj_transpose)


def _abs_tangent(g: Any, ans: Any, z: Any) -> Any:
    """Re(g conj(z) / |z|), 0 where z is; of real numbers g times the sign."""
    if not is_complex(aval_of(z).dtype):
        return select(ge(z, like(z, 0)), g, neg(g))
    conjugate, below = conj(z), convert(ans, aval_of(z).dtype)
    safe = select(eq(below, like(below, 0)), full_like(below, 1), below)
    return real_p(mul(g, div(conjugate, safe)))


by_result(abs_p, _abs_tangent)


def angle(z: Any) -> Any:
    """The angle of complex numbers, in radians. Shapes: (*S) -> (*S)."""
    x, y = real_p(z), imag_p(z)
    return atan2(y, x)
