"""`jax.scipy.stats`: densities and distribution functions, each beside its formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax import nn
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import full_like, like, shape_of, strong
from engine.languages.surfaces.jax.numpy.factors import solve_triangular
from engine.languages.surfaces.jax.numpy.linalg import cholesky
from engine.languages.surfaces.jax.numpy.promotion import promote, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.scipy import logarithms as lg

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "norm.logpdf": lg.norm_logpdf,
    "norm.pdf": lg.norm_pdf,
    "norm.cdf": lg.norm_cdf,
}


def _density(name: str, of: str = "pdf") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: the logarithm of a density, and the density."""

    def enter(log_density: Callable[..., Any]) -> Callable[..., Any]:
        def density(*args: Any, **keywords: Any) -> Any:
            return el.exp(log_density(*args, **keywords))

        FUNCTIONS[f"{name}.log{of}"], FUNCTIONS[f"{name}.{of}"] = log_density, density
        return log_density

    return enter


def _where(inside: Any, found: Any, outside: float = -np.inf) -> Any:
    return ar.select(inside, found, full_like(found, outside))


def _at(name: str, x: Any, loc: Any, scale: Any) -> tuple[Any, Any]:
    """(x - loc) / scale, and the scale, in one shape."""
    x, loc, scale = promote_types(promote(name, x, loc, scale, inexact=True))
    z = JNP["true_divide"](JNP["subtract"](x, loc), scale)
    return z, JNP["broadcast_to"](scale, shape_of(z))


@_density("uniform")
def uniform_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-log scale between loc and loc + scale."""
    z, scale = _at("uniform.logpdf", x, loc, scale)
    inside = ar.and_p(ar.ge(z, like(z, 0)), ar.le(z, like(z, 1)))
    return _where(inside, ar.neg(el.log(scale)))


@_density("expon")
def expon_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-z - log scale, z = (x - loc) / scale, from loc on."""
    z, scale = _at("expon.logpdf", x, loc, scale)
    return _where(ar.ge(z, like(z, 0)), ar.neg(ar.add(z, el.log(scale))))


@_density("laplace")
def laplace_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-|z| - log(2 scale)."""
    z, scale = _at("laplace.logpdf", x, loc, scale)
    return ar.neg(ar.add(el.abs_p(z), el.log(ar.mul(like(z, 2), scale))))


@_density("cauchy")
def cauchy_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-log(π scale) - log(1 + z²)."""
    z, scale = _at("cauchy.logpdf", x, loc, scale)
    return ar.neg(ar.add(el.log(ar.mul(like(z, np.pi), scale)), el.log1p(ar.mul(z, z))))


@_density("logistic")
def logistic_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-z - 2 log(1 + e⁻ᶻ) - log scale."""
    z, scale = _at("logistic.logpdf", x, loc, scale)
    half = ar.mul(z, like(z, 0.5))
    tails = ar.mul(like(z, 2), nn.logaddexp(half, ar.neg(half)))
    return ar.sub(ar.neg(tails), el.log(scale))


@_density("gamma")
def gamma_logpdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """(a - 1) log z - z - log Γ(a) - log scale."""
    z, scale = _at("gamma.logpdf", x, loc, scale)
    z, a, scale = _spread("gamma.logpdf", z, a, scale)
    found = ar.sub(ar.sub(lg.xlogy(ar.sub(a, like(a, 1)), z), z), ar.add(el.lgamma(a), el.log(scale)))
    return _where(ar.ge(z, like(z, 0)), found)


@_density("beta")
def beta_logpdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """(a - 1) log z + (b - 1) log(1 - z) - log B(a, b) - log scale."""
    z, scale = _at("beta.logpdf", x, loc, scale)
    z, a, b, scale = _spread("beta.logpdf", z, a, b, scale)
    log_b = ar.sub(ar.add(el.lgamma(a), el.lgamma(b)), el.lgamma(ar.add(a, b)))
    shape = ar.add(lg.xlogy(ar.sub(a, like(a, 1)), z), lg.xlog1py(ar.sub(b, like(b, 1)), ar.neg(z)))
    inside = ar.and_p(ar.ge(z, like(z, 0)), ar.le(z, like(z, 1)))
    return _where(inside, ar.sub(ar.sub(shape, log_b), el.log(scale)))


@_density("t")
def t_logpdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log Γ((n+1)/2) - log Γ(n/2) - log(nπ)/2 - (n+1)/2 log(1 + z²/n) - log scale."""
    z, scale = _at("t.logpdf", x, loc, scale)
    z, n, scale = _spread("t.logpdf", z, df, scale)
    half = ar.mul(ar.add(n, like(n, 1)), like(n, 0.5))
    constant = ar.sub(el.lgamma(half), el.lgamma(ar.mul(n, like(n, 0.5))))
    constant = ar.sub(constant, ar.mul(el.log(ar.mul(like(n, np.pi), n)), like(n, 0.5)))
    tails = ar.mul(half, el.log1p(ar.div(ar.mul(z, z), n)))
    return ar.sub(ar.sub(constant, tails), el.log(scale))


@_density("bernoulli", "pmf")
def bernoulli_logpmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """k log p + (1 - k) log(1 - p) for k = 0 and 1."""
    z, _ = _at("bernoulli.logpmf", k, loc, 1)
    z, p = _spread("bernoulli.logpmf", z, p)
    found = ar.add(lg.xlogy(z, p), lg.xlog1py(ar.sub(like(z, 1), z), ar.neg(p)))
    return _where(ar.or_p(ar.eq(z, like(z, 0)), ar.eq(z, like(z, 1))), found)


@_density("poisson", "pmf")
def poisson_logpmf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """k log μ - μ - log k! for whole numbers k from 0 on."""
    z, _ = _at("poisson.logpmf", k, loc, 1)
    z, mu = _spread("poisson.logpmf", z, mu)
    found = ar.sub(ar.sub(lg.xlogy(z, mu), el.lgamma(ar.add(z, like(z, 1)))), mu)
    return _where(ar.ge(z, like(z, 0)), found)


def _spread(name: str, *values: Any) -> list[Any]:
    """Values in one type and one shape."""
    given = promote(name, *values, inexact=True)
    shape = np.broadcast_shapes(*map(shape_of, given))
    return [JNP["broadcast_to"](value, shape) for value in given]


@_density("multivariate_normal")
def multivariate_normal_logpdf(x: Any, mean: Any, cov: Any, allow_singular: Any = None) -> Any:
    """-|L⁻¹ (x - μ)|² / 2 - n log(2π) / 2 - Σ log Lᵢᵢ, where L Lᵀ is the covariance."""
    x, mean, cov = promote_types([JNP["asarray"](one) for one in (x, mean, cov)], inexact=True)
    moved = JNP["subtract"](x, mean)
    if not shape_of(mean):
        squares = JNP["true_divide"](ar.square(moved), cov)
        return JNP["multiply"](-0.5, JNP["add"](squares, JNP["add"](np.log(2 * np.pi), el.log(cov))))
    n = shape_of(mean)[-1]
    if not shape_of(cov):
        cov = JNP["multiply"](cov, JNP["eye"](n, dtype=aval_of(cov).dtype))
    factor = cholesky(cov)
    rows = JNP["reshape"](moved, (-1, n))
    y = solve_triangular(factor, JNP["transpose"](rows), lower=True)
    squares = JNP["reshape"](JNP["sum"](ar.square(y), 0), shape_of(moved)[:-1])
    log_root = JNP["sum"](el.log(JNP["diagonal"](factor)), -1)
    found = JNP["subtract"](JNP["multiply"](-0.5, squares), n / 2 * np.log(2 * np.pi))
    return JNP["subtract"](found, log_root)


def norm_ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc + scale √2 erf⁻¹(2 q - 1)."""
    q, loc, scale = promote("norm.ppf", q, loc, scale, inexact=True)
    q = strong(q)
    z = ar.mul(like(q, np.sqrt(2)), el.erf_inv(ar.sub(ar.mul(like(q, 2), q), like(q, 1))))
    return ar.add(JNP["multiply"](z, scale), loc)


FUNCTIONS["norm.ppf"] = norm_ppf
FUNCTIONS["uniform.cdf"] = lambda x, loc=0, scale=1: JNP["clip"](
    strong(_at("uniform.cdf", x, loc, scale)[0]), 0, 1
)
FUNCTIONS["logistic.cdf"] = lambda x, loc=0, scale=1: el.logistic(_at("logistic.cdf", x, loc, scale)[0])
