"""`jax.scipy.special`: log-odds and x log y; the normal distribution by its logarithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import (
    full_like,
    like,
    strong,
)
from engine.languages.surfaces.jax.nn import log_softmax, logsumexp, sigmoid, softmax, with_rule
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import where_jitted


def _special(name: str, primitive: Any) -> Callable[[Any], Any]:
    return lambda x: primitive(*promote(name, x, inexact=True))


def logit(x: Any) -> Any:
    """log(x / (1 - x))."""
    (x,) = promote("logit", x, inexact=True)
    return el.log(ar.div(x, ar.sub(like(x, 1), x)))


def _xlogy(x: Any, y: Any) -> Any:
    return where_jitted(ar.ne(x, like(x, 0)), ar.mul(x, el.log(y)), full_like(x, 0))


def _xlogy_rule(primals: Any, tangents: Any) -> Any:
    (x, y), (s, t) = primals, tangents
    return xlogy(x, y), s * el.log(y) + t * x / y


def xlogy(x: Any, y: Any) -> Any:
    """x log y, and 0 where x is; its slope in x is log y there, too."""
    x, y = promote("xlogy", x, y, inexact=True)
    return with_rule(_xlogy, _xlogy_rule, "xlogy", "_xlogy_jvp", x, y)


def _xlog1py(x: Any, y: Any) -> Any:
    return where_jitted(ar.ne(x, like(x, 0)), ar.mul(x, el.log1p(y)), full_like(x, 0))


def _xlog1py_rule(primals: Any, tangents: Any) -> Any:
    (x, y), (s, t) = primals, tangents
    return xlog1py(x, y), s * el.log1p(y) + t * x / (1 + y)


def xlog1py(x: Any, y: Any) -> Any:
    """x log(1 + y), and 0 where x is."""
    x, y = promote("xlog1py", x, y, inexact=True)
    return with_rule(_xlog1py, _xlog1py_rule, "xlog1py", "_xlog1py_jvp", x, y)


def entr(x: Any) -> Any:
    """-x log x; -inf below 0."""
    (x,) = promote("entr", x, inexact=True)
    return ar.select(ar.lt(x, like(x, 0)), full_like(x, -np.inf), ar.neg(xlogy(x, x)))


def norm_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """The logarithm of the normal density."""
    x, loc, scale = promote("norm.logpdf", x, loc, scale, inexact=True)
    variance = ar.square(scale)
    log_normalizer = el.log(ar.mul(like(x, 2 * np.pi), variance))
    quadratic = ar.div(ar.square(ar.sub(x, loc)), variance)
    return ar.div(ar.add(log_normalizer, quadratic), like(x, -2))


def norm_pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """The normal density."""
    return el.exp(norm_logpdf(x, loc, scale))


def norm_cdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """The normal distribution."""
    x, loc, scale = promote("norm.cdf", x, loc, scale, inexact=True)
    z = ar.div(ar.sub(x, loc), scale)
    return _ndtr(z)


def ndtr(x: Any) -> Any:
    """Φ(x)."""
    return _ndtr(*promote("ndtr", x, inexact=True))


def _ndtr(z: Any) -> Any:
    """Φ(z): by erf near 0, by erfc far from it."""
    z, half = strong(z), float(np.sqrt(0.5))
    w = ar.mul(z, like(z, half))
    size = el.abs_p(w)
    near = ar.lt(size, like(size, half))
    inner = ar.add(like(w, 1), el.erf(w))
    above = ar.gt(w, like(w, 0))
    upper = ar.sub(like(w, 2), el.erfc(size))
    outer = ar.select(above, upper, el.erfc(size))
    return ar.mul(like(w, 0.5), ar.select(near, inner, outer))


SPECIAL: dict[str, Callable[..., Any]] = {
    "logsumexp": logsumexp,
    "softmax": lambda x, axis=None: softmax(x, axis),
    "log_softmax": lambda x, axis=None: log_softmax(x, axis),
    "expit": sigmoid,
    "logit": logit,
    "xlogy": xlogy,
    "xlog1py": xlog1py,
    "entr": entr,
    "erf": _special("erf", el.erf),
    "erfc": _special("erfc", el.erfc),
    "erfinv": _special("erfinv", el.erf_inv),
    "gammaln": _special("gammaln", el.lgamma),
    "digamma": _special("digamma", el.digamma),
    "ndtr": ndtr,
}
