"""Further distributions of `jax.random`, each as JAX makes it of uniform, normal or exponential numbers.

Source: Devroye, Non-uniform random variate generation (1986); Michael, Schucany & Haas (1976) for Wald's;
        Barthe et al., A probabilistic approach to the geometry of the l_p^n-ball (2005).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.numpy import linalg
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.random import gammas  # noqa: F401  # for its table
from engine.languages.surfaces.jax.random import keys as ky
from engine.languages.surfaces.jax.random.draws import normal, rademacher, uniform
from engine.languages.surfaces.jax.random.table import FUNCTIONS as RANDOM
from engine.languages.surfaces.jax.random.table import floating, named


def _parameters(shape: Any, dtype: Any, *values: Any) -> tuple[tuple[int, ...], str, list[Any]]:
    """The shape of what is drawn, its element type, and the parameters in both."""
    given = [convert(one, floating(dtype)) for one in promote("random", *values, inexact=True)]
    full = np.broadcast_shapes(*map(shape_of, given)) if shape is None else tuple(lengths(shape))
    return full, floating(dtype), [JNP["broadcast_to"](one, full) for one in given]


@named("pareto")
def pareto(key: Any, b: Any, shape: Any = None, dtype: Any = None) -> Any:
    """e^(E / b) of exponential numbers E."""
    full, kind, (b,) = _parameters(shape, dtype, b)
    return el.exp(RANDOM["exponential"](key, full, kind) / b)


@named("rayleigh")
def rayleigh(key: Any, scale: Any, shape: Any = None, dtype: Any = None) -> Any:
    """scale √(-2 log u)."""
    full, kind, (scale,) = _parameters(shape, dtype, scale)
    return el.sqrt(el.log(uniform(key, full, kind)) * -2) * scale


@named("weibull_min")
def weibull_min(key: Any, scale: Any, concentration: Any, shape: Any = None, dtype: Any = None) -> Any:
    """scale (-log(1 - u))^(1 / c)."""
    full, kind, (scale, power) = _parameters(shape, dtype, scale, concentration)
    return JNP["power"](-el.log1p(-uniform(key, full, kind)), 1.0 / power) * scale


@named("triangular")
def triangular(key: Any, left: Any, mode: Any, right: Any, shape: Any = None, dtype: Any = None) -> Any:
    """Numbers between two ends, most of them near the mode."""
    full, kind, (a, m, b) = _parameters(shape, dtype, left, mode, right)
    u = uniform(key, full, kind)
    low = a + el.sqrt(u * (b - a) * (m - a))
    high = b - el.sqrt((1.0 - u) * (b - a) * (b - m))
    return JNP["where"](u < (m - a) / (b - a), low, high)


@named("geometric")
def geometric(key: Any, p: Any, shape: Any = None, dtype: Any = None) -> Any:
    """How many trials it takes up to the first success: ⌊log u / log(1 - p)⌋ + 1."""
    full, kind, (p,) = _parameters(shape, None, p)
    found = JNP["floor"](el.log(uniform(key, full, kind)) / el.log1p(-p)) + 1
    return JNP["astype"](found, dtype_of(dtype) or "int32")


@named("maxwell")
def maxwell(key: Any, shape: Any = (), dtype: Any = None) -> Any:
    """The length of a vector of three normal numbers."""
    return linalg.norm(normal(key, (*lengths(shape), 3), dtype), axis=-1)


@named("double_sided_maxwell")
def double_sided_maxwell(key: Any, loc: Any, scale: Any, shape: Any = (), dtype: Any = None) -> Any:
    """± the length of a vector of three normal numbers, times scale, and loc added."""
    kind = floating(dtype)
    loc, scale = (convert(one, kind) for one in promote("double_sided_maxwell", loc, scale, inexact=True))
    full = (*np.broadcast_shapes(shape_of(loc), shape_of(scale)), *lengths(shape))
    first, second = _two(key)
    length = maxwell(first, full, kind)
    return rademacher(second, full, kind) * length * scale + loc


@named("wald")
def wald(key: Any, mean: Any, shape: Any = None, dtype: Any = None) -> Any:
    """The inverse Gaussian distribution."""
    full, kind, (m,) = _parameters(shape, dtype, mean)
    first, second = _two(key)
    y = JNP["square"](normal(first, full, kind))
    u = uniform(second, full, kind)
    x = m + m * m * y / 2 - m / 2 * el.sqrt(4 * m * y + m * m * y * y)
    return JNP["where"](u <= m / (m + x), x, m * m / x)


def _two(key: Any) -> tuple[Any, Any]:
    pair = ky.split(key)
    return getitem(pair, 0), getitem(pair, 1)


@named("generalized_normal")
def generalized_normal(key: Any, p: Any, shape: Any = (), dtype: Any = None) -> Any:
    """± G^(1 / p) of gamma numbers G."""
    first, second = _two(key)
    g = RANDOM["gamma"](first, 1 / p, lengths(shape), dtype)
    return rademacher(second, lengths(shape), aval_of(g).dtype) * g ** (1 / p)


@named("ball")
def ball(key: Any, d: Any, p: Any = 2, shape: Any = (), dtype: Any = None) -> Any:
    """Points in the unit ball of d dimensions."""
    first, second = _two(key)
    g = generalized_normal(first, p, (*lengths(shape), int(d)), dtype)
    e = RANDOM["exponential"](second, lengths(shape), dtype)
    length = (JNP["sum"](JNP["abs"](g) ** p, -1) + e) ** (1 / p)
    return g / JNP["expand_dims"](length, -1)


@named("f")
def f_distribution(key: Any, dfnum: Any, dfden: Any, shape: Any = None, dtype: Any = None) -> Any:
    """A quotient of two χ² numbers, each over its degrees of freedom."""
    full, kind, (above, below) = _parameters(shape, dtype, dfnum, dfden)
    of_below, of_above = _two(key)
    chi = RANDOM["chisquare"]
    return (chi(of_above, above, full, kind) / above) / (chi(of_below, below, full, kind) / below)


@named("orthogonal")
def orthogonal(key: Any, n: Any, shape: Any = (), dtype: Any = None, m: Any = None) -> Any:
    """Matrices with orthonormal columns, or rows where there are more columns than rows."""
    rows, columns = int(n), int(n if m is None else m)
    z = normal(key, (*lengths(shape), max(rows, columns), min(rows, columns)), dtype)
    q, r = linalg.FUNCTIONS["qr"](z)
    signs = JNP["sign"](JNP["diagonal"](r, 0, -2, -1))
    x = q * JNP["expand_dims"](signs, -2)
    return x if rows >= columns else JNP["matrix_transpose"](x)
