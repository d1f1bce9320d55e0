"""Distributions made of gamma numbers: gamma, χ², beta, Dirichlet and Student's t."""

from __future__ import annotations

from math import log, pi
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.torch.distributions.base import (
    Constraint,
    begin,
    check_value,
    distribution,
    drawn_shape,
    parameters,
)
from engine.languages.surfaces.torch.distributions.continuous import NOT_NEGATIVE, get, positive, sampled
from engine.languages.surfaces.torch.distributions.discrete import SIMPLEX
from engine.languages.surfaces.torch.distributions.normal import POSITIVE, REAL
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.random.counting import dirichlet, standard_gamma
from engine.languages.surfaces.torch.random.making import normal
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

UNIT: Constraint = "Interval(lower_bound=0.0, upper_bound=1.0)", lambda x: (x >= 0) & (x <= 1)
SHARES: Constraint = "IndependentConstraint(GreaterThan(lower_bound=0.0), 1)", lambda x: x > 0


def _log(x: Any) -> Any:
    return OPERATORS["log"](x)


def _lgamma(x: Any) -> Any:
    return OPERATORS["lgamma"](x)


def _digamma(x: Any) -> Any:
    return OPERATORS["digamma"](x)


def _xlogy(x: Any, y: Any) -> Any:
    return OPERATORS["xlogy"](x, y)


def _sum(x: Any) -> Any:
    return OPERATORS["sum"](x, -1)


def _without_gradient(self: UserObject, concentration: Tensor) -> Tensor:
    """The concentration. Raises: where gradients would have to follow what is drawn with it."""
    if concentration.requires_grad:
        raise not_here(
            f"The gradient of {self.kind.name}.rsample() for its concentration",
            f" {self.kind.name}.rsample() 对 concentration 的梯度",
            "Draw with sample(), which gradients do not follow, and use log_prob().",
            "请用 sample() 抽样（梯度不经过它），再用 log_prob()。",
        )
    return concentration


# -- gamma -------------------------------------------------------------------------------------------


def _draw_gamma(self: UserObject, sample_shape: Any = ()) -> Any:
    a, rate = get(self, "concentration", "rate")
    return standard_gamma(a, drawn_shape(self, sample_shape)) / rate


def _rsample_gamma(self: UserObject, sample_shape: Any = ()) -> Any:
    _without_gradient(self, self.fields["concentration"])
    return _draw_gamma(self, sample_shape)


def _log_gamma(self: UserObject, value: Any) -> Any:
    check_value(self, value, NOT_NEGATIVE)
    a, rate = get(self, "concentration", "rate")
    return _xlogy(a, rate) + _xlogy(a - 1, value) - rate * value - _lgamma(a)


def _entropy_gamma(self: UserObject) -> Any:
    a, rate = get(self, "concentration", "rate")
    return a - _log(rate) + _lgamma(a) + (1.0 - a) * _digamma(a)


_OF_GAMMA: dict[str, Any] = {
    "sample": sampled(_draw_gamma),
    "rsample": _rsample_gamma,
    "log_prob": _log_gamma,
    "entropy": _entropy_gamma,
}
_FACTS_OF_GAMMA = {
    "mean": lambda self: self.fields["concentration"] / self.fields["rate"],
    "variance": lambda self: self.fields["concentration"] / self.fields["rate"] ** 2,
}
GAMMA = distribution(
    "Gamma",
    ("concentration", "rate"),
    properties=_FACTS_OF_GAMMA,
    __init__=positive("concentration", "rate"),
    **_OF_GAMMA,
)


def _begin_chi2(self: UserObject, df: Any, validate_args: Any = None) -> None:
    freedom: Any
    (freedom,) = parameters(df)
    self.fields.update(concentration=0.5 * freedom, df=freedom)
    self.fields["rate"] = OPERATORS["full_like"](freedom, 0.5)
    begin(self, freedom.shape, validate_args, df=(freedom, POSITIVE))


CHI2 = distribution("Chi2", (), properties=_FACTS_OF_GAMMA, __init__=_begin_chi2, **_OF_GAMMA)

# -- Dirichlet, beta ---------------------------------------------------------------------------------


def _begin_dirichlet(self: UserObject, concentration: Any, validate_args: Any = None) -> None:
    if concentration.array.ndim < 1:
        raise torch_error(
            "`concentration` parameter must be at least one-dimensional.",
            "concentration 至少要有一维。",
            kind="ValueError",
        )
    self.fields["concentration"] = concentration
    begin(self, concentration.shape[:-1], validate_args, concentration=(concentration, SHARES))


def _draw_dirichlet(self: UserObject, sample_shape: Any = ()) -> Any:
    (a,) = get(self, "concentration")
    return dirichlet(a, (*drawn_shape(self, sample_shape), a.shape[-1]))


def _rsample_dirichlet(self: UserObject, sample_shape: Any = ()) -> Any:
    _without_gradient(self, self.fields["concentration"])
    return _draw_dirichlet(self, sample_shape)


def _log_dirichlet_of(a: Any, value: Any) -> Any:
    """Σ (aᵢ - 1) log xᵢ + log Γ(Σ aᵢ) - Σ log Γ(aᵢ)."""
    return _sum(_xlogy(a - 1.0, value)) + _lgamma(_sum(a)) - _sum(_lgamma(a))


def _log_dirichlet(self: UserObject, value: Any) -> Any:
    check_value(self, value, SIMPLEX)
    return _log_dirichlet_of(self.fields["concentration"], value)


def _entropy_dirichlet_of(a: Any) -> Any:
    total = _sum(a)
    rest = (a.shape[-1] - total) * _digamma(total)
    return _sum(_lgamma(a)) - _lgamma(total) - rest - _sum((a - 1.0) * _digamma(a))


def _dirichlet_variance(self: UserObject) -> Any:
    (a,) = get(self, "concentration")
    total = OPERATORS["sum"](a, -1, True)
    return a * (total - a) / (total**2 * (total + 1))


DIRICHLET = distribution(
    "Dirichlet",
    ("concentration",),
    properties={
        "event_shape": lambda self: Size(self.fields["concentration"].shape[-1:]),
        "mean": lambda self: (
            self.fields["concentration"] / OPERATORS["sum"](self.fields["concentration"], -1, True)
        ),
        "variance": _dirichlet_variance,
    },
    __init__=_begin_dirichlet,
    sample=sampled(_draw_dirichlet),
    rsample=_rsample_dirichlet,
    log_prob=_log_dirichlet,
    entropy=lambda self: _entropy_dirichlet_of(self.fields["concentration"]),
)


def _both(self: UserObject) -> Any:
    """Both concentrations along a last axis: a beta number is the first of two shares."""
    return OPERATORS["stack"](list(get(self, "concentration1", "concentration0")), -1)


def _draw_beta(self: UserObject, sample_shape: Any = ()) -> Any:
    return OPERATORS["select"](dirichlet(_both(self), (*drawn_shape(self, sample_shape), 2)), -1, 0)


def _rsample_beta(self: UserObject, sample_shape: Any = ()) -> Any:
    _without_gradient(self, _both(self))
    return _draw_beta(self, sample_shape)


def _log_beta(self: UserObject, value: Any) -> Any:
    check_value(self, value, UNIT)
    return _log_dirichlet_of(_both(self), OPERATORS["stack"]([value, 1.0 - value], -1))


def _beta_mean(self: UserObject) -> Any:
    a, b = get(self, "concentration1", "concentration0")
    return a / (a + b)


def _beta_variance(self: UserObject) -> Any:
    a, b = get(self, "concentration1", "concentration0")
    total = a + b
    return a * b / (total**2 * (total + 1))


BETA = distribution(
    "Beta",
    (),
    properties={"mean": _beta_mean, "variance": _beta_variance},
    __init__=positive("concentration1", "concentration0"),
    sample=sampled(_draw_beta),
    rsample=_rsample_beta,
    log_prob=_log_beta,
    entropy=lambda self: _entropy_dirichlet_of(_both(self)),
)

# -- Student's t -------------------------------------------------------------------------------------


def _begin_t(self: UserObject, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: Any = None) -> None:
    n, center, spread = parameters(df, loc, scale)
    self.fields.update(df=n, loc=center, scale=spread)
    begin(self, n.shape, validate_args, df=(n, POSITIVE), loc=(center, REAL), scale=(spread, POSITIVE))


def _draw_t(self: UserObject, sample_shape: Any = ()) -> Any:
    n, loc, scale = get(self, "df", "loc", "scale")
    shape = drawn_shape(self, sample_shape)
    x = normal(0.0, 1.0, shape, dtype=n.dtype)
    z: Any = standard_gamma(0.5 * n, shape)
    z = z / 0.5
    return loc + scale * (x * OPERATORS["rsqrt"](z / n))


def _rsample_t(self: UserObject, sample_shape: Any = ()) -> Any:
    _without_gradient(self, self.fields["df"])
    return _draw_t(self, sample_shape)


def _log_t(self: UserObject, value: Any) -> Any:
    check_value(self, value, REAL)
    n, loc, scale = get(self, "df", "loc", "scale")
    y = (value - loc) / scale
    total = _log(scale) + 0.5 * _log(n) + 0.5 * log(pi) + _lgamma(0.5 * n) - _lgamma(0.5 * (n + 1.0))
    return -0.5 * (n + 1.0) * OPERATORS["log1p"](y**2.0 / n) - total


STUDENT_T = distribution(
    "StudentT",
    ("df", "loc", "scale"),
    __init__=_begin_t,
    sample=sampled(_draw_t),
    rsample=_rsample_t,
    log_prob=_log_t,
)

KINDS = (GAMMA, CHI2, DIRICHLET, BETA, STUDENT_T)
