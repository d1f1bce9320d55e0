"""Incomplete gamma and beta functions, Hurwitz's zeta and Bessel's functions as primitives.

Source: Numerical Recipes, 3rd ed., 6.2 to 6.5: series and continued fractions (Lentz), in double precision;
        Euler and Maclaurin's sum for zeta.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import broadcasting
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import by_argument, by_result
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.arithmetic import mul, neg, sub
from engine.languages.surfaces.jax.lax.basics import binary, broadcast_shape, full_like, like, unary
from engine.languages.surfaces.jax.lax.special import digamma_of

TURNS = 500  # of a series or a fraction, which end sooner where they have converged
TINY = 1e-300
EPSILON = 1e-15


def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers on arrays, computed in double precision and rounded once."""
    each = np.vectorize(function, otypes=["float64"])

    def compute(*arrays: Any) -> Any:
        with np.errstate(all="ignore"):
            wide = [array.astype("float64") for array in arrays]
            return each(*wide).astype(arrays[0].dtype) if wide[0].size else arrays[0]

    return compute


# -- gamma: P(a, x) and Q(a, x) ----------------------------------------------------------------------


def lower_gamma(a: float, x: float) -> float:
    """P(a, x) = ∫₀ˣ tᵃ⁻¹ e⁻ᵗ dt / Γ(a)."""
    if np.isnan(a) or np.isnan(x) or x < 0 or a < 0 or a == x == 0:
        return np.nan
    if x == 0:
        return 0.0
    if np.isinf(x) or a == 0:
        return 1.0
    return _gamma_series(a, x) if x < a + 1 else 1 - _gamma_fraction(a, x)


def upper_gamma(a: float, x: float) -> float:
    """Q(a, x) = 1 - P(a, x)."""
    if np.isnan(a) or np.isnan(x) or x < 0 or a < 0 or a == x == 0:
        return np.nan
    if np.isinf(x) or a == 0:  # the whole of it stands at 0
        return 0.0
    return 1 - lower_gamma(a, x) if x < a + 1 else _gamma_fraction(a, x)


def _gamma_series(a: float, x: float) -> float:
    total = term = 1 / a
    for n in range(1, TURNS * 10):
        term *= x / (a + n)
        total += term
        if abs(term) < abs(total) * EPSILON:
            break
    return float(total * np.exp(a * np.log(x) - x - lgamma(a)))


def _gamma_fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = 1 / TINY, 1 / b
    h = d
    for n in range(1, TURNS * 10):
        factor = -n * (n - a)
        b += 2
        d = 1 / _away(factor * d + b)
        c = _away(b + factor / c)
        h *= d * c
        if abs(d * c - 1) < EPSILON:
            break
    return float(h * np.exp(a * np.log(x) - x - lgamma(a)))


def _away(x: float) -> float:
    return x if abs(x) > TINY else TINY


igamma_p = binary("igamma", in_double(lower_gamma))
igammac_p = binary("igammac", in_double(upper_gamma))


def _slope_in_a(a: float, x: float) -> float:
    """∂P(a, x)/∂a, by the series of P, term for term."""
    if not (a > 0 and x > 0) or np.isinf(x):
        return 0.0 if a > 0 and (x == 0 or np.isinf(x)) else np.nan
    if x > 30 and x > 3 * a:  # the series would cancel
        h = 1e-4 * max(1.0, a)
        return (upper_gamma(a - h, x) - upper_gamma(a + h, x)) / (2 * h)
    term, total, moved, log_slope = 1 / a, 1 / a, 0.0, -1 / a
    moved = term * log_slope
    for n in range(1, TURNS * 10):
        term *= x / (a + n)
        log_slope -= 1 / (a + n)
        total += term
        moved += term * log_slope
        if abs(term * log_slope) < abs(moved) * EPSILON:
            break
    psi = float(digamma_of(np.asarray(a)))
    front = np.exp(a * np.log(x) - x - lgamma(a))
    return float(front * (moved + total * (np.log(x) - psi)))


igamma_grad_p = binary("igamma_grad_a", in_double(_slope_in_a))


def _density(a: Any, x: Any) -> Any:
    """∂P(a, x)/∂x = xᵃ⁻¹ e⁻ˣ / Γ(a)."""
    return el.exp(sub(sub(mul(sub(a, like(a, 1)), el.log(x)), x), el.lgamma(a)))


by_argument(igamma_p, lambda g, a, x: mul(g, igamma_grad_p(a, x)), lambda g, a, x: mul(g, _density(a, x)))
by_argument(
    igammac_p,
    lambda g, a, x: neg(mul(g, igamma_grad_p(a, x))),
    lambda g, a, x: neg(mul(g, _density(a, x))),
)

# -- beta: I_x(a, b) ---------------------------------------------------------------------------------


def incomplete_beta(a: float, b: float, x: float) -> float:
    """I_x(a, b) = ∫₀ˣ tᵃ⁻¹ (1 - t)ᵇ⁻¹ dt / B(a, b)."""
    if np.isnan(a + b + x) or a <= 0 or b <= 0 or not 0 <= x <= 1:
        return np.nan
    if x in (0, 1):
        return x
    log_front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * np.log(x) + b * np.log1p(-x)
    if x < (a + 1) / (a + b + 2):
        return float(np.exp(log_front) * _beta_fraction(a, b, x) / a)
    return float(1 - np.exp(log_front) * _beta_fraction(b, a, 1 - x) / b)


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, TURNS * 10):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for factor in (even, odd):
            d = 1 / _away(1 + factor * d)
            c = _away(1 + factor / c)
            h *= d * c
        if abs(d * c - 1) < EPSILON:
            break
    return h


betainc_p = Primitive("regularized_incomplete_beta")
betainc_p.compute = in_double(incomplete_beta)
betainc_p.types = lambda a, b, x: Aval(
    broadcast_shape("regularized_incomplete_beta", [a.shape, b.shape, x.shape]),
    a.dtype,
    a.weak and b.weak and x.weak,
)
broadcasting(betainc_p)


def _no_slope(*_: Any) -> Any:
    raise value_error(
        "Betainc gradient with respect to a and b not supported.", "betainc 不支持对 a 和 b 求导。"
    )


def _beta_density(g: Any, a: Any, b: Any, x: Any) -> Any:
    """∂I/∂x = xᵃ⁻¹ (1 - x)ᵇ⁻¹ / B(a, b)."""
    one = like(x, 1)
    log_b = el.lgamma(a) + el.lgamma(b) - el.lgamma(a + b)
    return g * el.exp((b - one) * el.log1p(-x) + (a - one) * el.log(x) - log_b)


by_argument(betainc_p, _no_slope, _no_slope, _beta_density)

# -- zeta --------------------------------------------------------------------------------------------

FIRST_TERMS = 12
BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)


def hurwitz_zeta(s: float, q: float) -> float:
    """ζ(s, q) = Σ 1 / (q + k)ˢ for k = 0, 1, 2, …"""
    if s == 1 or (q <= 0 and q == np.floor(q)):
        return np.inf
    if s < 1 or np.isnan(s + q) or (q < 0 and s != np.floor(s)):
        return np.nan
    first = sum(float(np.power(q + k, -s)) for k in range(FIRST_TERMS))
    end = q + FIRST_TERMS
    total = first + end ** (1 - s) / (s - 1) + end**-s / 2
    factor, power = s, end ** (-s - 1)
    for k, number in enumerate(BERNOULLI):
        total += number * factor * power
        factor *= (s + 2 * k + 1) * (s + 2 * k + 2)
        power /= end * end
    return float(total)


def poly_gamma(n: float, x: float) -> float:
    """ψ⁽ⁿ⁾(x) = (-1)ⁿ⁺¹ n! ζ(n + 1, x); for n = 0 the digamma function."""
    if n == 0:
        return float(digamma_of(np.asarray(x)))
    if n < 0 or n != np.floor(n):
        return np.nan
    return float((1 if n % 2 else -1) * np.exp(lgamma(n + 1)) * hurwitz_zeta(n + 1, x))


zeta_p = binary("zeta", in_double(hurwitz_zeta))
by_argument(zeta_p, None, lambda g, s, q: mul(g, neg(mul(s, zeta_p(s + like(s, 1), q)))))
polygamma_p = binary("polygamma", in_double(poly_gamma))
by_argument(polygamma_p, None, lambda g, n, x: mul(g, polygamma_p(n + like(n, 1), x)))
by_argument(el.digamma, lambda g, x: mul(g, polygamma_p(full_like(x, 1), x)))

# -- Bessel's I₀ and I₁, scaled by e⁻|x| -------------------------------------------------------------


def _bessel(order: int) -> Callable[[float], float]:
    def scaled(x: float) -> float:
        size = abs(x)
        angles = (np.arange(400) + 0.5) * np.pi / 400  # the midpoint rule converges at once: periodic
        found = float(np.mean(np.exp(size * (np.cos(angles) - 1)) * np.cos(order * angles)))
        return -found if order and x < 0 else found

    return scaled


i0e_p = unary("bessel_i0e", in_double(_bessel(0)))
i1e_p = unary("bessel_i1e", in_double(_bessel(1)))
by_result(i0e_p, lambda g, y, x: g * (i1e_p(x) - el.sign(x) * y))


def _slope_of_i1e(g: Any, y: Any, x: Any) -> Any:
    """I₀ₑ(x) - I₁ₑ(x) (sign x + 1/x); 1/2 at 0."""
    from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP

    is_zero = el.abs_p(x) < like(x, np.finfo("float32").eps)
    safe = JNP["where"](is_zero, 1.0, x)
    return g * JNP["where"](is_zero, 0.5, i0e_p(safe) - y * (el.sign(safe) + 1 / safe))


by_result(i1e_p, _slope_of_i1e)
