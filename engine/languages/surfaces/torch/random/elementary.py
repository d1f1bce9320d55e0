"""Logarithm, sine and cosine of float32 numbers with the very roundings of PyTorch's normal numbers.

PyTorch fills float32 tensors with normal numbers eight at a time, with polynomials in place of the C
library's functions. A result depends on each rounding, so that the order of the steps matters here.

Source: S. L. Moshier, Cephes Mathematical Library: logf.c and sinf.c, for the polynomials.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.tensors import Array
from engine.ops.common.fused import fused_multiply_add

F = np.float32

LOG_TERMS = (  # of (log(1 + x) - x + x**2 / 2) / x**3, the highest power first
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
LOG_2_HIGH, LOG_2_LOW = F(0.693359375), F(-2.12194440e-4)  # log 2 as a sum of two
ROOT_HALF = F(0.707106781186547524)

SINE_TERMS = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)  # of (sin(x) - x) / x**3, in x**2
COSINE_TERMS = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)  # after 1 - x**2 / 2
QUARTER_PI = (
    F(-0.78515625),
    F(-2.4187564849853515625e-4),
    F(-3.77489497744594108e-8),
)  # less, in three parts
FOUR_OVER_PI = F(1.27323954473516)


def logarithm(x: Array) -> Array:
    """log x, for x in (0, 1]. Shapes: x (*S) float32 -> (*S) float32."""
    fraction, exponent = np.frexp(x)  # x = fraction * 2**exponent, fraction in [0.5, 1)
    small = fraction < ROOT_HALF
    e = exponent.astype(F) - small.astype(F)
    x = np.where(small, (fraction - F(1)) + fraction, fraction - F(1)).astype(F)
    z = x * x
    y = _polynomial(LOG_TERMS, x) * x
    y = _fused(y, z, e * LOG_2_LOW)
    y = y - z * F(0.5)
    return _fused(e, LOG_2_HIGH, x + y)


def sine_and_cosine(x: Array) -> tuple[Array, Array]:
    """sin x and cos x, for x in [0, 2 pi]. Shapes: x (*S) float32 -> (*S), (*S) float32."""
    octant = ((x * FOUR_OVER_PI).astype(np.int32) + 1) & ~1
    y = octant.astype(F)
    for part in QUARTER_PI:  # x less a multiple of pi / 4
        x = _fused(y, part, x)
    z = x * x
    cosine = _fused(_polynomial(COSINE_TERMS, z) * z, z, -(z * F(0.5))) + F(1)
    sine = _fused(_polynomial(SINE_TERMS, z) * z, x, x)
    swapped = (octant & 2) != 0
    sign_of_sine = np.where((octant & 4) != 0, F(-1), F(1))
    sign_of_cosine = np.where(((octant - 2) & 4) == 0, F(-1), F(1))
    return (
        np.where(swapped, cosine, sine) * sign_of_sine,
        np.where(swapped, sine, cosine) * sign_of_cosine,
    )


def _polynomial(terms: tuple[float, ...], x: Array) -> Array:
    y: Array = np.full_like(x, terms[0])
    for term in terms[1:]:
        y = _fused(y, x, F(term))
    return y


def _fused(a: Any, b: Any, c: Any) -> Array:
    return fused_multiply_add(a, b, c, F)
