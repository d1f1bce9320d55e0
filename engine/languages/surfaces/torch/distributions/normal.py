"""The normal distribution."""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.torch.distributions.base import (
    begin,
    check_value,
    distribution,
    drawn_shape,
    parameters,
    without_gradients,
)
from engine.languages.surfaces.torch.random.making import normal
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

REAL = "Real()", lambda x: x == x  # nan differs from itself
POSITIVE = "GreaterThan(lower_bound=0.0)", lambda x: x > 0


def _begin(self: UserObject, loc: Any, scale: Any, validate_args: Any = None) -> None:
    loc, scale = parameters(loc, scale)
    self.fields.update(loc=loc, scale=scale)
    begin(self, loc.shape, validate_args, loc=(loc, REAL), scale=(scale, POSITIVE))


def _parts(self: UserObject) -> tuple[Tensor, Tensor]:
    return self.fields["loc"], self.fields["scale"]


def _draw(interpreter: Any, self: UserObject, shape: tuple[int, ...]) -> Any:
    loc, scale = (of_numbers(np.broadcast_to(one.array, shape).copy()) for one in _parts(self))
    return normal(loc, scale)


def _rsample(self: UserObject, sample_shape: Any = ()) -> Any:
    """loc + ε · scale: gradients follow both."""
    loc, scale = _parts(self)
    noise = normal(0.0, 1.0, drawn_shape(self, sample_shape), dtype=loc.dtype)
    return loc + noise * scale


def _log_prob(self: UserObject, value: Any) -> Any:
    check_value(self, value, REAL)
    loc, scale = _parts(self)
    return -((value - loc) ** 2) / (2 * scale**2) - OPERATORS["log"](scale) - log(sqrt(2 * pi))


def _cdf(self: UserObject, value: Any) -> Any:
    loc, scale = _parts(self)
    return 0.5 * (1 + OPERATORS["erf"]((value - loc) * OPERATORS["reciprocal"](scale) / sqrt(2)))


def _icdf(self: UserObject, value: Any) -> Any:
    loc, scale = _parts(self)
    return loc + scale * OPERATORS["erfinv"](2 * value - 1) * sqrt(2)


def _loc(self: UserObject) -> Any:
    return self.fields["loc"]


NORMAL = distribution(
    "Normal",
    ("loc", "scale"),
    properties={
        "mean": _loc,
        "mode": _loc,
        "stddev": lambda self: self.fields["scale"],
        "variance": lambda self: self.fields["scale"] ** 2,
    },
    __init__=_begin,
    sample=without_gradients(_draw),
    rsample=_rsample,
    log_prob=_log_prob,
    cdf=_cdf,
    icdf=_icdf,
    entropy=lambda self: 0.5 + 0.5 * log(2 * pi) + OPERATORS["log"](self.fields["scale"]),
)
