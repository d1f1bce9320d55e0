"""`jax.scipy.special` beyond `jax.nn`: gamma and beta functions, Bessel's, and the normal distribution's."""

from __future__ import annotations

from collections.abc import Callable
from math import comb as whole_comb
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import like, shape_of, strong
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.scipy import incomplete as inc
from engine.languages.surfaces.jax.scipy import logarithms as lg
from engine.languages.surfaces.left_out import takes_only

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jax.scipy.special under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(names, function))
        return function

    return enter


# -- gamma and beta ----------------------------------------------------------------------------------


@named("gammasgn")
def gammasgn(x: Any) -> Any:
    """The sign of the gamma function; no number at its poles below zero."""
    (x,) = promote("gammasgn", x, inexact=True)
    below = el.floor(x)
    is_pole = (x < 0) & ar.eq(below, x)
    return JNP["where"](is_pole, np.nan, JNP["where"]((x < 0) & (JNP["mod"](below, 2) != 0), -1.0, 1.0))


@named("gamma")
def gamma(x: Any) -> Any:
    """Γ(x) = sign · exp(log |Γ(x)|)."""
    x = strong(*promote("gamma", x, inexact=True))
    return gammasgn(x) * el.exp(el.lgamma(x))


@named("loggamma")
def loggamma(z: Any) -> Any:
    """log Γ(z) of real numbers."""
    return el.lgamma(*promote("loggamma", z, inexact=True))


@named("factorial")
@takes_only(exact=(False,))
def factorial(n: Any, exact: Any = False) -> Any:
    """n! = Γ(n + 1); 0 below zero."""
    (n,) = promote("factorial", n, inexact=True)
    return JNP["where"](n < 0, 0, el.exp(el.lgamma(n + 1)))


@named("comb")
def comb(N: Any, k: Any, exact: Any = False, repetition: Any = False) -> Any:  # JAX's name
    """How many ways there are to choose k of N."""
    if repetition:
        return comb(N + k - 1, k, exact)
    if exact:
        return whole_comb(int(N), int(k))
    n, k = promote("comb", N, k, inexact=True)
    log_ways = el.lgamma(n + 1) - el.lgamma(k + 1) - el.lgamma(n - k + 1)
    return JNP["where"]((k >= 0) & (k <= n), JNP["exp"](log_ways), 0.0)


@named("betaln")
def betaln(a: Any, b: Any) -> Any:
    """log B(a, b) = log Γ(a) + log Γ(b) - log Γ(a + b)."""
    a, b = promote("betaln", a, b, inexact=True)
    return el.lgamma(a) + el.lgamma(b) - el.lgamma(a + b)


@named("beta")
def beta(a: Any, b: Any) -> Any:
    """B(a, b)."""
    a, b = map(strong, promote("beta", a, b, inexact=True))
    return gammasgn(a) * gammasgn(b) * gammasgn(a + b) * el.exp(betaln(a, b))


@named("gammainc")
def gammainc(a: Any, x: Any) -> Any:
    """P(a, x), the lower incomplete gamma function over Γ(a)."""
    return inc.igamma_p(*_spread("gammainc", a, x))


@named("gammaincc")
def gammaincc(a: Any, x: Any) -> Any:
    """1 - P(a, x)."""
    return inc.igammac_p(*_spread("gammaincc", a, x))


@named("betainc")
def betainc(a: Any, b: Any, x: Any) -> Any:
    """I_x(a, b), the incomplete beta function over B(a, b)."""
    return inc.betainc_p(*_spread("betainc", a, b, x))


@named("polygamma")
def polygamma(n: Any, x: Any) -> Any:
    """The (n + 1)th derivative of log Γ."""
    return inc.polygamma_p(*_spread("polygamma", n, x))


@named("zeta")
def zeta(x: Any, q: Any = None) -> Any:
    """ζ(x, q) = Σ 1 / (q + k)ˣ."""
    return inc.zeta_p(*_spread("zeta", x, 1.0 if q is None else q))


def _spread(name: str, *values: Any) -> list[Any]:
    """Values in one type and one shape."""
    given = promote(name, *values, inexact=True)
    shape = np.broadcast_shapes(*map(shape_of, given))
    return [JNP["broadcast_to"](value, shape) for value in given]


@named("poch")
def poch(z: Any, m: Any) -> Any:
    """Γ(z + m) / Γ(z)."""
    z, m = map(strong, promote("poch", z, m, inexact=True))
    return JNP["where"](m == 0.0, 1.0, el.exp(el.lgamma(z + m) - el.lgamma(z)))


@named("multigammaln")
def multigammaln(a: Any, d: Any) -> Any:
    """log Γ_d(a) = d (d - 1) / 4 · log π + Σ log Γ(a - (j - 1) / 2)."""
    a = strong(*promote("multigammaln", a, inexact=True))
    found = like(a, 0.25 * int(d) * (int(d) - 1) * np.log(np.pi))
    for j in range(int(d)):
        found = found + el.lgamma(a - j / 2)
    return found


# -- Bessel ------------------------------------------------------------------------------------------


@named("i0e")
def i0e(x: Any) -> Any:
    """e⁻|x| I₀(x)."""
    return inc.i0e_p(*promote("i0e", x, inexact=True))


@named("i1e")
def i1e(x: Any) -> Any:
    """e⁻|x| I₁(x)."""
    return inc.i1e_p(*promote("i1e", x, inexact=True))


@named("i0")
def i0(x: Any) -> Any:
    """I₀(x)."""
    (x,) = promote("i0", x, inexact=True)
    return el.exp(el.abs_p(x)) * inc.i0e_p(x)


@named("i1")
def i1(x: Any) -> Any:
    """I₁(x)."""
    (x,) = promote("i1", x, inexact=True)
    return el.exp(el.abs_p(x)) * inc.i1e_p(x)


# -- the normal distribution -------------------------------------------------------------------------

LOWER = {"float32": -10.0, "float64": -20.0, "float16": -10.0}
UPPER = {"float32": 5.0, "float64": 8.0, "float16": 5.0}


@named("log_ndtr")
@takes_only(series_order=(3,))
def log_ndtr(x: Any, series_order: Any = 3) -> Any:
    """log Φ(x): of Φ(x) in the middle, -Φ(-x) far above, and by an asymptotic series far below."""
    x = strong(*promote("log_ndtr", x, inexact=True))
    low, high = LOWER[aval_of(x).dtype], UPPER[aval_of(x).dtype]
    where = JNP["where"]
    far = JNP["minimum"](x, low)
    middle = el.log(lg.norm_cdf(JNP["maximum"](JNP["minimum"](x, high), low)))
    below = -(far * far) / 2 - el.log(-far) - float(0.5 * np.log(2 * np.pi)) + el.log(_series(far))
    return where(x > high, -lg.norm_cdf(-JNP["maximum"](x, high)), where(x > low, middle, below))


def _series(x: Any) -> Any:
    """1 - 1/x² + 3/x⁴ - 15/x⁶."""
    square = x * x
    return 1 - 1 / square + 3 / (square * square) - 15 / (square * square * square)


@named("ndtri")
def ndtri(p: Any) -> Any:
    """Φ⁻¹(p) = √2 erf⁻¹(2 p - 1)."""
    p = strong(*promote("ndtri", p, inexact=True))
    return float(np.sqrt(2)) * el.erf_inv(2 * p - 1)


# -- information -------------------------------------------------------------------------------------


@named("rel_entr")
def rel_entr(p: Any, q: Any) -> Any:
    """p log(p / q); 0 for p = 0, infinite where q alone is 0."""
    p, q = _spread("rel_entr", p, q)
    both, none = (p > 0) & (q > 0), ar.eq(p, like(p, 0)) & (q >= 0)
    safe_p, safe_q = JNP["where"](both, p, 1.0), JNP["where"](both, q, 1.0)
    found = lg.xlogy(safe_p, safe_p) - lg.xlogy(safe_p, safe_q)
    return JNP["where"](both, found, JNP["where"](none, 0.0, np.inf))


@named("kl_div")
def kl_div(p: Any, q: Any) -> Any:
    """p log(p / q) - p + q."""
    p, q = promote("kl_div", p, q, inexact=True)
    return rel_entr(p, q) - p + q


@named("boxcox")
def boxcox(x: Any, lmbda: Any) -> Any:
    """(xˡ - 1) / l; log x for l = 0."""
    x, power = promote("boxcox", x, lmbda, inexact=True)
    is_zero = ar.eq(power, like(power, 0))
    safe = JNP["where"](is_zero, 1.0, power)
    return JNP["where"](is_zero, el.log(x), JNP["expm1"](safe * el.log(x)) / safe)


@named("boxcox1p")
def boxcox1p(x: Any, lmbda: Any) -> Any:
    """((1 + x)ˡ - 1) / l; log(1 + x) for l = 0."""
    x, power = promote("boxcox1p", x, lmbda, inexact=True)
    is_zero = ar.eq(power, like(power, 0))
    safe = JNP["where"](is_zero, 1.0, power)
    return JNP["where"](is_zero, el.log1p(x), JNP["expm1"](safe * el.log1p(x)) / safe)
