"""ln Γ and its slope with XLA's digits, in double precision nearly always: Lanczos' sum of quotients.

Γ(z + 1) = √(2π) (z + g + ½)^(z + ½) e^(-(z + g + ½)) (c₀ + Σ cᵢ / (z + i)) with g = 7.
Source: Lanczos (1964), with Godfrey's nine coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.lax import single_precision
from engine.languages.surfaces.jax.lax.single_precision import f32, fused

G = 7
DOUBLE_FIRST, DOUBLE_LOG_ROOT_TWO_PI = 0.99999999999980993227684700473478, 0.91893853320467274178
FIRST = f32(DOUBLE_FIRST)
OTHERS = (
    *(
        676.520368121885098567009190444019,
        -1259.13921672240287047156078755283,
        771.3234287776530788486528258894,
    ),
    *(-176.61502916214059906584551354, 12.507343278686904814458936853, -0.13857109526572011689554706984971),
    *(9.984369578019570859563e-6, 1.50563273514931155834e-7),
)
SHIFT = f32(G + 0.5)
LOG_SHIFT, LOG_ROOT_TWO_PI, LOG_PI = f32(np.log(G + 0.5)), f32(DOUBLE_LOG_ROOT_TWO_PI), f32(np.log(np.pi))


def log_gamma(x: Any) -> Any:
    """ln |Γ(x)|; below a half by ln π - ln |sin π x| - ln Γ(1 - x). Shapes: (*S) -> (*S), float32."""
    is_below = x < f32(0.5)
    z = np.where(is_below, -x, x - f32(1))
    total = np.full_like(x, FIRST)
    for place, one in enumerate(OTHERS):
        total = total + f32(one) / (z + f32(place + 1))
    t = SHIFT + z
    log_t = LOG_SHIFT + single_precision.log1p(z / SHIFT)
    found = fused(z + f32(0.5) - t / log_t, log_t, LOG_ROOT_TWO_PI) + single_precision.log(total)
    size = np.abs(x)
    part = size - np.floor(size)
    part = np.where(part > f32(0.5), f32(1) - part, part)
    log_sine = single_precision.log(np.sin((f32(np.pi) * part).astype("f8")).astype(f32))
    mirrored = np.where(np.isfinite(log_sine), LOG_PI - log_sine - found, -log_sine)
    return np.where(np.isinf(x), f32(np.inf), np.where(is_below, mirrored, found)).astype(f32)


def log_gamma_in_double(x: Any) -> Any:
    """The same in double precision. Shapes: (*S) -> (*S), float64."""
    is_below = x < 0.5
    z = np.where(is_below, -x, x - 1)
    total = np.full_like(x, DOUBLE_FIRST)
    for place, one in enumerate(OTHERS):
        total = total + one / (z + (place + 1))
    log_t = np.log(G + 0.5) + np.log1p(z / (G + 0.5))
    factor = z + 0.5 - (G + 0.5 + z) / log_t
    product = np.asarray(factor, np.longdouble) * log_t + DOUBLE_LOG_ROOT_TWO_PI  # one rounding at the end
    found = product.astype(np.float64) + np.log(total)
    size = np.abs(x)
    part = size - np.floor(size)
    part = np.where(part > 0.5, 1 - part, part)
    log_sine = np.log(np.sin(np.pi * part))
    mirrored = np.where(np.isfinite(log_sine), np.log(np.pi) - log_sine - found, -log_sine)
    return np.where(np.isinf(x), np.inf, np.where(is_below, mirrored, found))


def digamma(x: Any) -> Any:
    """The slope of ln Γ from a half on. Shapes: (*S) -> (*S), float32."""
    z = x - f32(1)
    above, below = np.zeros_like(x), np.full_like(x, FIRST)
    for place, one in enumerate(OTHERS):
        root = z + f32(place + 1)
        above = above - f32(one) / (root * root)
        below = below + f32(one) / root
    t = SHIFT + z
    return (LOG_SHIFT + single_precision.log1p(z / SHIFT) + above / below - f32(G) / t).astype(f32)
