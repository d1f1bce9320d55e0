"""The Kullback-Leibler divergence between two distributions of one kind: ∫ p log(p / q)."""

from __future__ import annotations

from math import inf, pi, sqrt
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.distributions.continuous import EXPONENTIAL, LAPLACE, UNIFORM, get
from engine.languages.surfaces.torch.distributions.counts import GEOMETRIC, POISSON
from engine.languages.surfaces.torch.distributions.discrete import BERNOULLI, CATEGORICAL
from engine.languages.surfaces.torch.distributions.gammas import BETA, DIRICHLET, GAMMA
from engine.languages.surfaces.torch.distributions.locations import HALF_NORMAL
from engine.languages.surfaces.torch.distributions.normal import NORMAL
from engine.languages.surfaces.torch.distributions.selections.one_hot import ONE_HOT_CATEGORICAL
from engine.languages.surfaces.torch.distributions.vectors import LOG_NORMAL, MULTIVARIATE
from engine.languages.surfaces.torch.registry import TORCH, F
from engine.languages.surfaces.torch.tensor import OPERATORS


def _op(name: str, *args: Any) -> Any:
    return OPERATORS[name](*args)


def _log(x: Any) -> Any:
    return _op("log", x)


def _where(tensor: Any, mask: Any, number: float) -> Any:
    return _op("masked_fill", tensor, mask, number)


def _both(interpreter: Any, one: UserObject) -> tuple[Any, Any]:
    return attribute_of(interpreter, one, "probs"), attribute_of(interpreter, one, "logits")


def _normal(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    ratio = (p.fields["scale"] / q.fields["scale"]) ** 2
    distance = ((p.fields["loc"] - q.fields["loc"]) / q.fields["scale"]) ** 2
    return 0.5 * (ratio + distance - 1 - _log(ratio))


def _half_normal(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    ratio = (p.fields["scale"] / q.fields["scale"]) ** 2
    return 0.5 * (ratio - 1 - _log(ratio))


def _categorical(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (p_probs, p_logits), (q_probs, q_logits) = (_both(interpreter, one) for one in (p, q))
    t = p_probs * (p_logits - q_logits)
    t = _where(_where(t, _op("eq", q_probs, 0), inf), _op("eq", p_probs, 0), 0)
    return _op("sum", t, -1)


def _bernoulli(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (p_probs, p_logits), (q_probs, q_logits) = (_both(interpreter, one) for one in (p, q))
    softplus, eq = TORCH[f"{F}softplus"].function, OPERATORS["eq"]
    t1 = p_probs * (softplus(-q_logits) - softplus(-p_logits))
    t1 = _where(_where(t1, eq(q_probs, 0), inf), eq(p_probs, 0), 0)
    t2 = (1 - p_probs) * (softplus(q_logits) - softplus(p_logits))
    return t1 + _where(_where(t2, eq(q_probs, 1), inf), eq(p_probs, 1), 0)


def _exponential(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    ratio = q.fields["rate"] / p.fields["rate"]
    return -_log(ratio) + ratio - 1


def _gamma(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (a, r), (b, s) = (get(one, "concentration", "rate") for one in (p, q))
    t1 = b * _log(r / s)
    t2 = _op("lgamma", b) - _op("lgamma", a)
    return t1 + t2 + (a - b) * _op("digamma", a) + (s - r) * (a / r)


def _beta(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (a1, a0), (b1, b0) = (get(one, "concentration1", "concentration0") for one in (p, q))
    a, b = a1 + a0, b1 + b0
    lgamma, digamma = OPERATORS["lgamma"], OPERATORS["digamma"]
    t1 = lgamma(b1) + lgamma(b0) + lgamma(a)
    t2 = lgamma(a1) + lgamma(a0) + lgamma(b)
    t3, t4 = (a1 - b1) * digamma(a1), (a0 - b0) * digamma(a0)
    return t1 - t2 + t3 + t4 + (b - a) * digamma(a)


def _dirichlet(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    a, b = p.fields["concentration"], q.fields["concentration"]
    lgamma, digamma = OPERATORS["lgamma"], OPERATORS["digamma"]
    total = _op("sum", a, -1)
    t1 = lgamma(total) - lgamma(_op("sum", b, -1))
    t2 = _op("sum", lgamma(a) - lgamma(b), -1)
    t4 = digamma(a) - _op("unsqueeze", digamma(total), -1)
    return t1 - t2 + _op("sum", (a - b) * t4, -1)


def _poisson(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    a, b = p.fields["rate"], q.fields["rate"]
    return a * (_log(a) - _log(b)) - (a - b)


def _geometric(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    p_probs, q_probs = (attribute_of(interpreter, one, "probs") for one in (p, q))
    q_logits = attribute_of(interpreter, q, "logits")
    entropy = _bernoulli_entropy(p_probs) / p_probs
    return -entropy - _op("log1p", -q_probs) / p_probs - q_logits


def _bernoulli_entropy(p: Any) -> Any:
    return -(_op("xlogy", p, p) + _op("xlogy", 1 - p, 1 - p))


def _laplace(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    ratio = p.fields["scale"] / q.fields["scale"]
    distance = _op("abs", p.fields["loc"] - q.fields["loc"])
    away = distance / q.fields["scale"]
    return -_log(ratio) + away + ratio * _op("exp", -distance / p.fields["scale"]) - 1


def _uniform(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (a, b), (c, d) = (get(one, "low", "high") for one in (p, q))
    outside = _op("logical_or", _op("gt", c, a), _op("lt", d, b))
    return _where(_log((d - c) / (b - a)), outside, inf)


def _several(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (m, a), (n, b) = (get(one, "loc", "_factor") for one in (p, q))

    def log_root(factor: Any) -> Any:
        return _op("sum", _log(_op("diagonal", factor, 0, -2, -1)), -1)

    solve = OPERATORS["linalg.solve"]
    spread = _op("sum", solve(b, a) ** 2, (-2, -1))
    moved = solve(b, _op("unsqueeze", n - m, -1))
    distance = _op("sum", _op("squeeze", moved, -1) ** 2, -1)
    return log_root(b) - log_root(a) + 0.5 * (spread + distance - m.shape[-1])


def _normal_laplace(interpreter: Any, p: UserObject, q: UserObject) -> Any:
    (m, s), (n, b) = (get(one, "loc", "scale") for one in (p, q))
    away = m - n
    ratio, shifted = s / b, away / s
    t1 = _log(ratio)
    t2 = sqrt(2 / pi) * s * _op("exp", -0.5 * shifted**2)
    t3 = away * _op("erf", sqrt(0.5) * shifted)
    return -t1 + (t2 + t3) / b - (0.5 * (1 + 1.8378770664093453))


RULES = (
    *((NORMAL, NORMAL, _normal), (LOG_NORMAL, LOG_NORMAL, _normal)),
    *((HALF_NORMAL, HALF_NORMAL, _half_normal), (CATEGORICAL, CATEGORICAL, _categorical)),
    *((ONE_HOT_CATEGORICAL, ONE_HOT_CATEGORICAL, _categorical), (BERNOULLI, BERNOULLI, _bernoulli)),
    *((EXPONENTIAL, EXPONENTIAL, _exponential), (GAMMA, GAMMA, _gamma), (BETA, BETA, _beta)),
    *((DIRICHLET, DIRICHLET, _dirichlet), (POISSON, POISSON, _poisson), (GEOMETRIC, GEOMETRIC, _geometric)),
    *((LAPLACE, LAPLACE, _laplace), (UNIFORM, UNIFORM, _uniform), (MULTIVARIATE, MULTIVARIATE, _several)),
    (NORMAL, LAPLACE, _normal_laplace),
)
