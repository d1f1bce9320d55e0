"""Functions of mathematics that numpy has not, in the element type that they are given.

Source: M. Giles, Approximating the erfinv function (2012), for `erf_inverse` in single precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.lax import single_precision
from engine.languages.surfaces.jax.lax.numerics import lanczos
from engine.ops.elementwise import special

NEAR = (
    *(2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087),
    *(-0.00125372503, -0.00417768164, 0.246640727, 1.50140941),
)
FAR = (
    *(-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773),
    *(-0.0076224613, 0.00943887047, 1.00167406, 2.83297682),
)
BETWEEN = 5.0


NEWTON_STEPS = 3  # from the single precision of the polynomials to double


def erf_of(x: Any) -> Any:
    """The error function."""
    if x.dtype == np.float32:
        return single_precision.erf(x)
    return special.erf.forward(x)


def erfc_of(x: Any) -> Any:
    """What is missing of the error function to 1."""
    found = special.erfc.forward(x)
    if x.dtype != np.float32:
        return found
    return np.where(np.abs(x) < 1, np.float32(1) - single_precision.erf(x), found).astype(x.dtype)


def log_gamma(x: Any) -> Any:
    """The logarithm of the gamma function."""
    with np.errstate(all="ignore"):
        if x.dtype == np.float32:
            return lanczos.log_gamma(x)
        if x.dtype == np.float64:
            return lanczos.log_gamma_in_double(x)
    return special.lgamma.forward(x)


def digamma_of(x: Any) -> Any:
    """The slope of the logarithm of the gamma function."""
    exact = special.digamma.forward(x)
    if x.dtype != np.float32:
        return exact
    with np.errstate(all="ignore"):
        return np.where(x >= np.float32(0.5), lanczos.digamma(x), exact).astype(np.float32)


def erf_inverse(x: Any) -> Any:
    """The number whose error function this is."""
    y = _by_polynomials(x.astype("float32"))
    if x.dtype == np.float32:
        return y
    y = y.astype(x.dtype)
    for _ in range(NEWTON_STEPS):
        y = y - (erf_of(y) - x) * np.sqrt(np.pi) / 2 * np.exp(np.minimum(y * y, 700))
    return y


def _by_polynomials(x: Any) -> Any:
    w = -np.log1p(-x * x)
    is_near = w < BETWEEN
    w = np.where(is_near, w - np.float32(2.5), np.sqrt(np.maximum(w, 0)) - np.float32(3.0)).astype("float32")
    p = np.where(is_near, np.float32(NEAR[0]), np.float32(FAR[0]))
    for near, far in zip(NEAR[1:], FAR[1:], strict=True):
        p = single_precision.fused(p, w, np.where(is_near, np.float32(near), np.float32(far)))
    return np.where(np.abs(x) == 1, x * np.float32(np.inf), p * x).astype("float32")
