"""`jax.scipy.stats`: distribution functions and their tails, and densities that `statistics.py` has not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax import statistics
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.scipy import logarithms as lg
from engine.languages.surfaces.jax.scipy import special as sp
from engine.languages.surfaces.left_out import takes_only

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def distribution(name: str, **functions: Callable[..., Any]) -> None:
    """Functions of one distribution; of a log density or log probability, also what it is the log of."""
    for kind, function in functions.items():
        FUNCTIONS[f"{name}.{kind}"] = function
        if kind.startswith("log") and kind[3:] not in functions:
            FUNCTIONS[f"{name}.{kind[3:]}"] = _exp_of(function)


def _exp_of(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **keywords: JNP["exp"](function(*args, **keywords))


def _floats(*values: Any) -> list[Any]:
    """Values in one type of floats and one shape."""
    given = promote("stats", *values, inexact=True)
    shape = np.broadcast_shapes(*map(shape_of, given))
    return [JNP["broadcast_to"](value, shape) for value in given]


def _standard(x: Any, loc: Any, scale: Any) -> tuple[Any, Any]:
    """(x - loc) / scale, and the scale."""
    x, loc, scale = _floats(x, loc, scale)
    return (x - loc) / scale, scale


where, log, exp = JNP["where"], JNP["log"], JNP["exp"]

# -- normal ------------------------------------------------------------------------------------------


def norm_logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log Φ(z)."""
    return sp.log_ndtr(_standard(x, loc, scale)[0])


def norm_sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Φ(-z)."""
    return lg.norm_cdf(-_standard(x, loc, scale)[0])


def norm_logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log Φ(-z)."""
    return sp.log_ndtr(-_standard(x, loc, scale)[0])


def norm_isf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The x beyond which a share q lies."""
    return statistics.norm_ppf(1 - _floats(q)[0], loc, scale)


distribution("norm", logcdf=norm_logcdf, cdf=lg.norm_cdf, sf=norm_sf, logsf=norm_logsf, isf=norm_isf)

# -- exponential, uniform, Laplace, logistic, Cauchy -------------------------------------------------


def expon_logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-z from loc on, 0 before."""
    z, _ = _standard(x, loc, scale)
    return where(z < 0, 0.0, -z)


def expon_cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """1 - e⁻ᶻ."""
    z, _ = _standard(x, loc, scale)
    return where(z < 0, 0.0, -JNP["expm1"](-z))


def expon_ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc - scale log(1 - q)."""
    q, loc, scale = _floats(q, loc, scale)
    return where((q < 0) | (q > 1), np.nan, loc - scale * JNP["log1p"](-q))


distribution("expon", logsf=expon_logsf, cdf=expon_cdf, ppf=expon_ppf)
FUNCTIONS["expon.logcdf"] = lambda x, loc=0, scale=1: log(expon_cdf(x, loc, scale))


def uniform_ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc + q scale."""
    q, loc, scale = _floats(q, loc, scale)
    return where((q < 0) | (q > 1), np.nan, q * scale + loc)


def laplace_cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """eᶻ / 2 below loc, 1 - e⁻ᶻ / 2 above."""
    z, _ = _standard(x, loc, scale)
    half = 0.5 * exp(-JNP["abs"](z))
    return where(z <= 0, half, 1 - half)


def logistic_ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc + scale logit(q)."""
    q, loc, scale = _floats(q, loc, scale)
    return lg.logit(q) * scale + loc


def logistic_sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """1 / (1 + eᶻ)."""
    return el.logistic(-_standard(x, loc, scale)[0])


def logistic_isf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc - scale logit(q)."""
    q, loc, scale = _floats(q, loc, scale)
    return -lg.logit(q) * scale + loc


def cauchy_cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """1/2 + arctan(z) / π."""
    z, _ = _standard(x, loc, scale)
    return 0.5 + JNP["arctan"](z) / float(np.pi)


def cauchy_sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """1/2 - arctan(z) / π."""
    return cauchy_cdf(-_standard(x, loc, scale)[0])


def cauchy_ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc + scale tan(π (q - 1/2))."""
    q, loc, scale = _floats(q, loc, scale)
    return JNP["tan"](float(np.pi) * (q - 0.5)) * scale + loc


distribution("uniform", ppf=uniform_ppf)
distribution("laplace", cdf=laplace_cdf)
distribution("logistic", ppf=logistic_ppf, sf=logistic_sf, isf=logistic_isf)
distribution("cauchy", cdf=cauchy_cdf, sf=cauchy_sf, ppf=cauchy_ppf)
FUNCTIONS["cauchy.logcdf"] = lambda x, loc=0, scale=1: log(cauchy_cdf(x, loc, scale))
FUNCTIONS["cauchy.logsf"] = lambda x, loc=0, scale=1: log(cauchy_sf(x, loc, scale))

# -- gamma, χ², beta, t ------------------------------------------------------------------------------


def gamma_cdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """P(a, z)."""
    z, a = _floats(_standard(x, loc, scale)[0], a)
    return sp.gammainc(a, JNP["clip"](z, 0.0, np.inf))


def gamma_sf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """1 - P(a, z)."""
    z, a = _floats(_standard(x, loc, scale)[0], a)
    return sp.gammaincc(a, JNP["clip"](z, 0.0, np.inf))


def chi2_logpdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """(k/2 - 1) log z - z/2 - k/2 log 2 - log Γ(k/2) - log scale."""
    z, scale = _standard(x, loc, scale)
    z, scale, df = _floats(z, scale, df)
    half = df / 2
    kernel = (half - 1) * log(z) - z / 2
    return where(z < 0, -np.inf, kernel - half * float(np.log(2)) - el.lgamma(half) - log(scale))


def chi2_cdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """P(k/2, z/2)."""
    z, df = _floats(_standard(x, loc, scale)[0], df)
    return gamma_cdf(z / 2, df / 2)


def chi2_sf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """1 - P(k/2, z/2)."""
    z, df = _floats(_standard(x, loc, scale)[0], df)
    return gamma_sf(z / 2, df / 2)


def beta_cdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """I_z(a, b)."""
    z, a, b = _floats(_standard(x, loc, scale)[0], a, b)
    return sp.betainc(a, b, JNP["clip"](z, 0.0, 1.0))


def beta_sf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """I_{1 - z}(b, a)."""
    z, a, b = _floats(_standard(x, loc, scale)[0], a, b)
    return sp.betainc(b, a, 1 - JNP["clip"](z, 0.0, 1.0))


distribution("gamma", cdf=gamma_cdf, sf=gamma_sf)
distribution("chi2", logpdf=chi2_logpdf, cdf=chi2_cdf, sf=chi2_sf)
distribution("beta", cdf=beta_cdf, sf=beta_sf)
for _name in ("gamma", "chi2", "beta"):
    for _kind in ("cdf", "sf"):
        FUNCTIONS[f"{_name}.log{_kind}"] = lambda *args, _of=FUNCTIONS[f"{_name}.{_kind}"], **keywords: log(
            _of(*args, **keywords)
        )

# -- Pareto, Gumbel, von Mises, Dirichlet, cut normal ------------------------------------------------


def pareto_logpdf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log b - log scale - (b + 1) log z, z = (x - loc) / scale, from 1 on."""
    z, scale = _standard(x, loc, scale)
    z, scale, b = _floats(z, scale, b)
    return where(z < 1, -np.inf, log(b) - log(scale) - (b + 1) * log(z))


def pareto_cdf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """1 - z⁻ᵇ."""
    z, b = _floats(_standard(x, loc, scale)[0], b)
    return where(z < 1, 0.0, 1 - JNP["power"](z, -b))


def pareto_logsf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-b log z."""
    z, b = _floats(_standard(x, loc, scale)[0], b)
    return where(z < 1, 0.0, -b * log(z))


def pareto_ppf(q: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc + scale (1 - q)^(-1/b)."""
    q, b, loc, scale = _floats(q, b, loc, scale)
    return where((q < 0) | (q > 1), np.nan, loc + scale * JNP["power"](1 - q, -1 / b))


def gumbel_r_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-z - e⁻ᶻ - log scale."""
    z, scale = _standard(x, loc, scale)
    return -(z + exp(-z)) - log(scale)


def gumbel_r_logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-e⁻ᶻ."""
    return -exp(-_standard(x, loc, scale)[0])


def gumbel_r_ppf(p: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc - scale log(-log p)."""
    p, loc, scale = _floats(p, loc, scale)
    return loc - scale * log(-log(p))


def gumbel_l_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """z - eᶻ - log scale."""
    z, scale = _standard(x, loc, scale)
    return z - exp(z) - log(scale)


def gumbel_l_logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """-eᶻ."""
    return -exp(_standard(x, loc, scale)[0])


def gumbel_r_logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log(1 - exp(-e⁻ᶻ))."""
    return JNP["log1p"](-exp(-exp(-_standard(x, loc, scale)[0])))


def gumbel_l_logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log(1 - exp(-eᶻ))."""
    return log(-JNP["expm1"](-exp(_standard(x, loc, scale)[0])))


def gumbel_l_ppf(p: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """loc + scale log(-log(1 - p))."""
    p, loc, scale = _floats(p, loc, scale)
    return loc + scale * log(-JNP["log1p"](-p))


def gennorm_logpdf(x: Any, beta: Any) -> Any:
    """log β - log 2 - log Γ(1/β) - |x|ᵝ."""
    x, beta = _floats(x, beta)
    return log(0.5 * beta) - el.lgamma(1 / beta) - JNP["power"](JNP["abs"](x), beta)


def gennorm_cdf(x: Any, beta: Any) -> Any:
    """1/2 + sign(x) P(1/β, |x|ᵝ) / 2."""
    x, beta = _floats(x, beta)
    return 0.5 * (1 + JNP["sign"](x) * sp.gammainc(1 / beta, JNP["power"](JNP["abs"](x), beta)))


def wrapcauchy_logpdf(x: Any, c: Any) -> Any:
    """log(1 - c²) - log 2π - log(1 + c² - 2 c cos x), from 0 to 2π."""
    x, c = _floats(x, c)
    found = JNP["log1p"](-c * c) - float(np.log(2 * np.pi)) - JNP["log1p"](c * c - 2 * c * JNP["cos"](x))
    inside = (c > -1) & (c < 1) & (x >= 0) & (x <= float(2 * np.pi))
    return where(inside, found, where((c > -1) & (c < 1), -np.inf, np.nan))


def vonmises_logpdf(x: Any, kappa: Any) -> Any:
    """κ (cos x - 1) - log(2π I₀ₑ(κ))."""
    x, kappa = _floats(x, kappa)
    return kappa * (JNP["cos"](x) - 1) - log(float(2 * np.pi) * sp.i0e(kappa))


def dirichlet_logpdf(x: Any, alpha: Any) -> Any:
    """Σ (αᵢ - 1) log xᵢ - Σ log Γ(αᵢ) + log Γ(Σ αᵢ); x may leave out its last number."""
    x, alpha = promote("dirichlet.logpdf", x, alpha, inexact=True)
    if shape_of(x)[0] == shape_of(alpha)[0] - 1:
        x = JNP["concatenate"]([x, JNP["subtract"](1, JNP["sum"](x, 0, keepdims=True))], 0)
    wide = alpha if len(shape_of(x)) == 1 else JNP["reshape"](alpha, (-1, *(1 for _ in shape_of(x)[1:])))
    normalizer = JNP["sum"](el.lgamma(alpha)) - el.lgamma(JNP["sum"](alpha))
    found = JNP["sum"](lg.xlogy(wide - 1, x), 0) - normalizer
    inside = JNP["all"](x >= 0, 0) & (JNP["abs"](JNP["sum"](x, 0) - 1) < 1e-6)
    return where(inside, found, -np.inf)


def truncnorm_logpdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The normal log density, less the log of what lies between a and b."""
    z, scale = _standard(x, loc, scale)
    z, scale, a, b = _floats(z, scale, a, b)
    inside = (z >= a) & (z <= b)
    return where(inside, lg.norm_logpdf(z) - log(scale) - _log_mass(a, b), -np.inf)


def truncnorm_logcdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log of Φ(z) - Φ(a) over what lies between a and b."""
    z, a, b = _floats(_standard(x, loc, scale)[0], a, b)
    found = _log_mass(a, JNP["clip"](z, a, b)) - _log_mass(a, b)
    return where(z >= b, 0.0, where(z <= a, -np.inf, found))


def truncnorm_logsf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """log of Φ(b) - Φ(z) over what lies between a and b."""
    z, a, b = _floats(_standard(x, loc, scale)[0], a, b)
    return truncnorm_logcdf(-z, -b, -a)


def _log_mass(a: Any, b: Any) -> Any:
    """log(Φ(b) - Φ(a)), in the tail where both lie on one side."""
    above = a > 0
    low, high = where(above, -b, a), where(above, -a, b)
    top, bottom = sp.log_ndtr(high), sp.log_ndtr(low)
    return top + JNP["log1p"](-exp(bottom - top))


distribution("pareto", logpdf=pareto_logpdf, cdf=pareto_cdf, logsf=pareto_logsf, ppf=pareto_ppf)
FUNCTIONS["pareto.logcdf"] = lambda x, b, loc=0, scale=1: log(pareto_cdf(x, b, loc, scale))
distribution("gumbel_r", logpdf=gumbel_r_logpdf, logcdf=gumbel_r_logcdf, ppf=gumbel_r_ppf)
distribution("gumbel_r", logsf=gumbel_r_logsf)
distribution(
    "gumbel_l", logpdf=gumbel_l_logpdf, logcdf=gumbel_l_logcdf, logsf=gumbel_l_logsf, ppf=gumbel_l_ppf
)
distribution("gennorm", logpdf=gennorm_logpdf, cdf=gennorm_cdf)
distribution("wrapcauchy", logpdf=wrapcauchy_logpdf)
distribution("vonmises", logpdf=vonmises_logpdf)
distribution("dirichlet", logpdf=dirichlet_logpdf)
distribution("truncnorm", logpdf=truncnorm_logpdf, logcdf=truncnorm_logcdf, logsf=truncnorm_logsf)

# -- whole numbers -----------------------------------------------------------------------------------


def _choices(n: Any, k: Any) -> Any:
    """log of how many ways there are to choose k of n."""
    return el.lgamma(n + 1) - el.lgamma(k + 1) - el.lgamma(n - k + 1)


def binom_logpmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """log C(n, k) + k log p + (n - k) log(1 - p)."""
    k, n, p, loc = _floats(k, n, p, loc)
    y = k - loc
    found = _choices(n, y) + lg.xlogy(y, p) + lg.xlog1py(n - y, -p)
    return where((y >= 0) & (y <= n), found, -np.inf)


def geom_logpmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """(k - 1) log(1 - p) + log p, from 1 on."""
    k, p, loc = _floats(k, p, loc)
    y = k - loc
    return where(y <= 0, -np.inf, lg.xlog1py(y - 1, -p) + log(p))


def nbinom_logpmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """log C(k + n - 1, k) + n log p + k log(1 - p)."""
    k, n, p, loc = _floats(k, n, p, loc)
    y = k - loc
    ways = el.lgamma(y + n) - el.lgamma(n) - el.lgamma(y + 1)
    return where(y < 0, -np.inf, ways + n * log(p) + lg.xlogy(y, 1 - p))


def betabinom_logpmf(k: Any, n: Any, a: Any, b: Any, loc: Any = 0) -> Any:
    """log C(n, k) + log B(k + a, n - k + b) - log B(a, b)."""
    k, n, a, b, loc = _floats(k, n, a, b, loc)
    y = k - loc
    found = _choices(n, y) + sp.betaln(y + a, n - y + b) - sp.betaln(a, b)
    return where((y >= 0) & (y <= n), found, -np.inf)


def multinomial_logpmf(x: Any, n: Any, p: Any) -> Any:
    """log n! + Σ (xᵢ log pᵢ - log xᵢ!)."""
    x, p = promote("multinomial.logpmf", x, p, inexact=True)
    found = JNP["sum"](lg.xlogy(x, p) - el.lgamma(x + 1), -1) + JNP["subtract"](_log_factorial(n), 0.0)
    return where(JNP["equal"](n, JNP["sum"](x)), found, -np.inf)


def _log_factorial(n: Any) -> Any:
    (n,) = promote("multinomial.logpmf", n, inexact=True)
    return el.lgamma(n + 1)


def bernoulli_cdf(k: Any, p: Any) -> Any:
    """1 - p from 0 on, 1 from 1 on."""
    k, p = _floats(k, p)
    return where(k < 0, 0.0, where(k < 1, 1 - p, 1.0))


def poisson_cdf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """1 - P(⌊k⌋ + 1, μ)."""
    k, mu, loc = _floats(k, mu, loc)
    y = k - loc
    return where(y < 0, 0.0, sp.gammaincc(JNP["floor"](JNP["maximum"](y, 0)) + 1, mu))


distribution("binom", logpmf=binom_logpmf)
distribution("geom", logpmf=geom_logpmf)
distribution("nbinom", logpmf=nbinom_logpmf)
distribution("betabinom", logpmf=betabinom_logpmf)
distribution("multinomial", logpmf=multinomial_logpmf)
distribution("bernoulli", cdf=bernoulli_cdf)
distribution("poisson", cdf=poisson_cdf)

# -- of samples --------------------------------------------------------------------------------------


@takes_only(nan_policy=("propagate",))
def sem(a: Any, axis: Any = 0, ddof: Any = 1, nan_policy: Any = "propagate", *, keepdims: Any = False) -> Any:
    """The standard error of the mean: s / √n."""
    a = JNP["asarray"](a)
    size = aval_of(a).size if axis is None else shape_of(a)[int(axis)]
    return JNP["std"](a, axis=axis, ddof=ddof, keepdims=keepdims) / float(np.sqrt(size))


FUNCTIONS["sem"] = sem
