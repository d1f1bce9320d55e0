"""Distributions by a place and a width, or above zero: Cauchy, Gumbel, half ones, Pareto, Weibull."""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Any

import numpy as np

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
from engine.languages.surfaces.torch.distributions.normal import POSITIVE, REAL
from engine.languages.surfaces.torch.random.filling import cauchy_, exponential_
from engine.languages.surfaces.torch.random.making import normal, rand
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers

EULER = 0.57721566490153286060


def _op(name: str, *args: Any) -> Any:
    return OPERATORS[name](*args)


def _filled(like: Any, number: float) -> Any:
    return _op("full_like", like, number)


# -- Cauchy ----------------------------------------------------------------------------------------------


def _draw_cauchy(self: UserObject, sample_shape: Any = ()) -> Any:
    loc, scale = get(self, "loc", "scale")
    with recording(False):
        drawn = cauchy_(of_numbers(np.zeros(drawn_shape(self, sample_shape), loc.array.dtype)))
    return loc + drawn * scale


def _log_cauchy(self: UserObject, value: Any) -> Any:
    """-log π - log γ - log(1 + ((x - x₀) / γ)²)."""
    check_value(self, value, REAL)
    loc, scale = get(self, "loc", "scale")
    return -log(pi) - _op("log", scale) - _op("log1p", ((value - loc) / scale) ** 2)


def _cdf_cauchy(self: UserObject, value: Any) -> Any:
    loc, scale = get(self, "loc", "scale")
    return _op("atan", (value - loc) / scale) / pi + 0.5


CAUCHY = distribution(
    "Cauchy",
    ("loc", "scale"),
    properties={
        "mean": lambda self: _filled(self.fields["loc"], float("nan")),
        "mode": lambda self: self.fields["loc"],
        "variance": lambda self: _filled(self.fields["loc"], float("inf")),
    },
    __init__=positive("loc", "scale"),
    sample=sampled(_draw_cauchy),
    rsample=_draw_cauchy,
    log_prob=_log_cauchy,
    cdf=_cdf_cauchy,
    icdf=lambda self, value: _op("tan", pi * (value - 0.5)) * self.fields["scale"] + self.fields["loc"],
    entropy=lambda self: log(4 * pi) + _op("log", self.fields["scale"]),
)

# -- halves: of what lies above zero ---------------------------------------------------------------------


def _draw_half_normal(self: UserObject, sample_shape: Any = ()) -> Any:
    (scale,) = get(self, "scale")
    noise = normal(0.0, 1.0, drawn_shape(self, sample_shape), dtype=scale.dtype)
    return _op("abs", _filled(scale, 0.0) + noise * scale)


def _log_half_normal(self: UserObject, value: Any) -> Any:
    check_value(self, value, NOT_NEGATIVE)
    (scale,) = get(self, "scale")
    found = -(value**2) / (2 * scale**2) - _op("log", scale) - log(sqrt(2 * pi)) + log(2)
    return _op("where", _op("ge", value, 0), found, -float("inf"))


HALF_NORMAL = distribution(
    "HalfNormal",
    (),
    properties={
        "mean": lambda self: self.fields["scale"] * sqrt(2 / pi),
        "mode": lambda self: _filled(self.fields["scale"], 0.0),
        "variance": lambda self: self.fields["scale"] ** 2 * (1 - 2 / pi),
    },
    __init__=positive("scale"),
    sample=sampled(_draw_half_normal),
    rsample=_draw_half_normal,
    log_prob=_log_half_normal,
    cdf=lambda self, value: 2 * (0.5 * (1 + _op("erf", value / self.fields["scale"] / sqrt(2)))) - 1,
    entropy=lambda self: 0.5 + 0.5 * log(2 * pi) + _op("log", self.fields["scale"]) - log(2),
)


def _draw_half_cauchy(self: UserObject, sample_shape: Any = ()) -> Any:
    (scale,) = get(self, "scale")
    with recording(False):
        drawn = cauchy_(of_numbers(np.zeros(drawn_shape(self, sample_shape), scale.array.dtype)))
    return _op("abs", _filled(scale, 0.0) + drawn * scale)


def _log_half_cauchy(self: UserObject, value: Any) -> Any:
    check_value(self, value, NOT_NEGATIVE)
    (scale,) = get(self, "scale")
    found = -log(pi) - _op("log", scale) - _op("log1p", (value / scale) ** 2) + log(2)
    return _op("where", _op("ge", value, 0), found, -float("inf"))


HALF_CAUCHY = distribution(
    "HalfCauchy",
    (),
    properties={
        "mean": lambda self: _filled(self.fields["scale"], float("inf")),
        "mode": lambda self: _filled(self.fields["scale"], 0.0),
        "variance": lambda self: _filled(self.fields["scale"], float("inf")),
    },
    __init__=positive("scale"),
    sample=sampled(_draw_half_cauchy),
    rsample=_draw_half_cauchy,
    log_prob=_log_half_cauchy,
    cdf=lambda self, value: 2 * (_op("atan", value / self.fields["scale"]) / pi + 0.5) - 1,
    entropy=lambda self: log(4 * pi) + _op("log", self.fields["scale"]) - log(2),
)

# -- extremes and tails ----------------------------------------------------------------------------------


def _draw_gumbel(self: UserObject, sample_shape: Any = ()) -> Any:
    """μ - β log(-log u), u away from 0 and 1."""
    loc, scale = get(self, "loc", "scale")
    limits = np.finfo(loc.array.dtype)
    low, high = float(limits.tiny), 1 - float(limits.eps)
    u = low + rand(drawn_shape(self, sample_shape), dtype=loc.dtype) * (high - low)
    return loc - scale * _op("log", -_op("log", u))


def _log_gumbel(self: UserObject, value: Any) -> Any:
    check_value(self, value, REAL)
    loc, scale = get(self, "loc", "scale")
    y = (loc - value) / scale
    return (y - _op("exp", y)) - _op("log", scale)


GUMBEL = distribution(
    "Gumbel",
    ("loc", "scale"),
    properties={
        "mean": lambda self: self.fields["loc"] + self.fields["scale"] * EULER,
        "mode": lambda self: self.fields["loc"],
        "stddev": lambda self: (pi / sqrt(6)) * self.fields["scale"],
        "variance": lambda self: ((pi / sqrt(6)) * self.fields["scale"]) ** 2,
    },
    __init__=positive("loc", "scale"),
    sample=sampled(_draw_gumbel),
    rsample=_draw_gumbel,
    log_prob=_log_gumbel,
    entropy=lambda self: _op("log", self.fields["scale"]) + (1 + EULER),
)


def _exponential(self: UserObject, sample_shape: Any, like: Any) -> Any:
    with recording(False):
        return exponential_(of_numbers(np.zeros(drawn_shape(self, sample_shape), like.array.dtype)))


def _begin_pareto(self: UserObject, scale: Any, alpha: Any, validate_args: Any = None) -> None:
    first, second = parameters(scale, alpha)
    self.fields.update(scale=first, alpha=second)
    begin(self, first.shape, validate_args, scale=(first, POSITIVE), alpha=(second, POSITIVE))


def _draw_pareto(self: UserObject, sample_shape: Any = ()) -> Any:
    scale, alpha = get(self, "scale", "alpha")
    return scale * _op("exp", _exponential(self, sample_shape, alpha) / alpha)


def _log_pareto(self: UserObject, value: Any) -> Any:
    """log α + α log m - (α + 1) log x."""
    scale, alpha = get(self, "scale", "alpha")
    above: Constraint = (
        f"GreaterThanEq(lower_bound={scale.array.tolist()})",
        lambda x: x >= scale.array,
    )
    check_value(self, value, above)
    y = _op("log", value / scale)
    return _op("log", alpha) - alpha * y - (y + _op("log", scale))


def _mean_pareto(self: UserObject) -> Any:
    scale = self.fields["scale"]
    alpha = _op("clamp", self.fields["alpha"], 1)
    return alpha * scale / (alpha - 1)


def _variance_pareto(self: UserObject) -> Any:
    scale, alpha = self.fields["scale"], _op("clamp", self.fields["alpha"], 2)
    return scale**2 * alpha / ((alpha - 1) ** 2 * (alpha - 2))


PARETO = distribution(
    "Pareto",
    ("alpha", "scale"),
    properties={
        "mean": _mean_pareto,
        "mode": lambda self: self.fields["scale"],
        "variance": _variance_pareto,
    },
    __init__=_begin_pareto,
    sample=sampled(_draw_pareto),
    rsample=_draw_pareto,
    log_prob=_log_pareto,
    entropy=lambda self: (
        _op("log", self.fields["scale"] / self.fields["alpha"])
        + (1 + _op("reciprocal", self.fields["alpha"]))
    ),
)


def _begin_weibull(self: UserObject, scale: Any, concentration: Any, validate_args: Any = None) -> None:
    first, second = parameters(scale, concentration)
    self.fields.update(scale=first, concentration=second)
    begin(self, first.shape, validate_args, scale=(first, POSITIVE), concentration=(second, POSITIVE))


def _draw_weibull(self: UserObject, sample_shape: Any = ()) -> Any:
    scale, k = get(self, "scale", "concentration")
    return scale * _exponential(self, sample_shape, scale) ** (1 / k)


def _log_weibull(self: UserObject, value: Any) -> Any:
    """log k - log λ + (k - 1) log(x / λ) - (x / λ)^k."""
    check_value(self, value, POSITIVE)
    scale, k = get(self, "scale", "concentration")
    y = value / scale
    return _op("log", k) - _op("log", scale) + (k - 1) * _op("log", y) - y**k


def _gamma_of(x: Any) -> Any:
    return _op("exp", _op("lgamma", x))


def _variance_weibull(self: UserObject) -> Any:
    scale, k = get(self, "scale", "concentration")
    return scale**2 * (_gamma_of(1 + 2 / k) - _op("exp", 2 * _op("lgamma", 1 + 1 / k)))


WEIBULL = distribution(
    "Weibull",
    ("scale", "concentration"),
    properties={
        "mean": lambda self: self.fields["scale"] * _gamma_of(1 + 1 / self.fields["concentration"]),
        "mode": lambda self: (
            self.fields["scale"]
            * ((self.fields["concentration"] - 1) / self.fields["concentration"])
            ** (1 / self.fields["concentration"])
        ),
        "variance": _variance_weibull,
    },
    __init__=_begin_weibull,
    sample=sampled(_draw_weibull),
    rsample=_draw_weibull,
    log_prob=_log_weibull,
    entropy=lambda self: (
        EULER * (1 - 1 / self.fields["concentration"])
        + _op("log", self.fields["scale"] / self.fields["concentration"])
        + 1
    ),
)

KINDS = (CAUCHY, HALF_NORMAL, HALF_CAUCHY, GUMBEL, PARETO, WEIBULL)
