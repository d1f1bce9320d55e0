"""Distributions of real numbers besides the normal one: uniform, exponential and Laplace."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.torch.distributions.base import (
    Constraint,
    begin,
    check_value,
    distribution,
    drawn_shape,
    parameters,
)
from engine.languages.surfaces.torch.distributions.normal import POSITIVE, REAL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.random.filling import exponential_, uniform_
from engine.languages.surfaces.torch.random.making import rand
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

NOT_NEGATIVE: Constraint = "GreaterThanEq(lower_bound=0.0)", lambda x: x >= 0


def sampled(draw: Any) -> Any:
    """`sample`: what `rsample` draws, which gradients do not follow."""

    def sample(self: UserObject, sample_shape: Any = ()) -> Any:
        with recording(False):
            return draw(self, sample_shape)

    return sample


def positive(*names: str, at_least: Constraint = POSITIVE) -> Any:
    """An `__init__` with these parameters, all of them positive numbers unless `loc`."""

    def start(self: UserObject, first: Any, second: Any = None, validate_args: Any = None) -> None:
        given = [first] if len(names) == 1 else [first, second]
        values = dict(zip(names, parameters(*given), strict=True))
        self.fields.update(values)
        checks = {name: (value, REAL if name == "loc" else at_least) for name, value in values.items()}
        begin(self, next(iter(values.values())).shape, validate_args, **checks)

    return start


def _log(x: Any) -> Any:
    return OPERATORS["log"](x)


def get(self: UserObject, *names: str) -> tuple[Any, ...]:
    return tuple(self.fields[name] for name in names)


# -- uniform -------------------------------------------------------------------------------------------


def _begin_uniform(self: UserObject, low: Any, high: Any, validate_args: Any = None) -> None:
    low, high = parameters(low, high)
    self.fields.update(low=low, high=high)
    begin(self, low.shape, validate_args, low=(low, REAL), high=(high, REAL))
    if validate_args is not False and not np.all(low.array < high.array):
        raise torch_error(
            "Uniform is not defined when low>= high", "均匀分布要求 low < high。", kind="ValueError"
        )


def _draw_uniform(self: UserObject, sample_shape: Any = ()) -> Any:
    low, high = get(self, "low", "high")
    return low + rand(drawn_shape(self, sample_shape), dtype=low.dtype) * (high - low)


def _check_uniform(self: UserObject, value: Any) -> tuple[Any, ...]:
    low, high = get(self, "low", "high")
    ends = f"Interval(lower_bound={_end(low)}, upper_bound={_end(high)})"
    check_value(self, value, (ends, lambda x: (x >= low.array) & (x <= high.array)))
    return low, high


def _log_uniform(self: UserObject, value: Any) -> Any:
    low, high = _check_uniform(self, value)
    inside = (low.array <= value.array) & (high.array > value.array)
    return _log(of_numbers(inside.astype(low.array.dtype))) - _log(high - low)


def _cdf_uniform(self: UserObject, value: Any) -> Any:
    low, high = _check_uniform(self, value)
    return OPERATORS["clamp"]((value - low) / (high - low), 0, 1)


def _icdf_uniform(self: UserObject, value: Any) -> Any:
    low, high = get(self, "low", "high")
    return value * (high - low) + low


def _end(bound: Tensor) -> Any:
    return bound.array.item() if bound.array.ndim == 0 else to_str(bound)


UNIFORM = distribution(
    "Uniform",
    ("low", "high"),
    properties={
        "mean": lambda self: (self.fields["high"] + self.fields["low"]) / 2,
        "mode": lambda self: float("nan") * self.fields["high"],
        "stddev": lambda self: (self.fields["high"] - self.fields["low"]) / 12**0.5,
        "variance": lambda self: (self.fields["high"] - self.fields["low"]) ** 2 / 12,
    },
    __init__=_begin_uniform,
    sample=sampled(_draw_uniform),
    rsample=_draw_uniform,
    log_prob=_log_uniform,
    cdf=_cdf_uniform,
    icdf=_icdf_uniform,
    entropy=lambda self: _log(self.fields["high"] - self.fields["low"]),
)


# -- exponential, Laplace --------------------------------------------------------------------------------


def _draw_exponential(self: UserObject, sample_shape: Any = ()) -> Any:
    (rate,) = get(self, "rate")
    shape = drawn_shape(self, sample_shape)
    with recording(False):
        drawn = exponential_(of_numbers(np.zeros(shape, rate.array.dtype)))
    return drawn / rate


def _log_exponential(self: UserObject, value: Any) -> Any:
    check_value(self, value, NOT_NEGATIVE)
    (rate,) = get(self, "rate")
    return _log(rate) - rate * value


def _cdf_exponential(self: UserObject, value: Any) -> Any:
    check_value(self, value, NOT_NEGATIVE)
    return 1 - OPERATORS["exp"](-self.fields["rate"] * value)


EXPONENTIAL = distribution(
    "Exponential",
    ("rate",),
    properties={
        "mean": lambda self: OPERATORS["reciprocal"](self.fields["rate"]),
        "mode": lambda self: OPERATORS["zeros_like"](self.fields["rate"]),
        "stddev": lambda self: OPERATORS["reciprocal"](self.fields["rate"]),
        "variance": lambda self: self.fields["rate"] ** -2,
    },
    __init__=positive("rate"),
    sample=sampled(_draw_exponential),
    rsample=_draw_exponential,
    log_prob=_log_exponential,
    cdf=_cdf_exponential,
    icdf=lambda self, value: -OPERATORS["log1p"](-value) / self.fields["rate"],
    entropy=lambda self: 1.0 - _log(self.fields["rate"]),
)


def _draw_laplace(self: UserObject, sample_shape: Any = ()) -> Any:
    loc, scale = get(self, "loc", "scale")
    shape, kind = drawn_shape(self, sample_shape), loc.array.dtype
    with recording(False):
        u = uniform_(of_numbers(np.zeros(shape, kind)), float(np.finfo(kind).eps) - 1, 1)
    return loc - scale * OPERATORS["sign"](u) * OPERATORS["log1p"](-OPERATORS["abs"](u))


def _log_laplace(self: UserObject, value: Any) -> Any:
    check_value(self, value, REAL)
    loc, scale = get(self, "loc", "scale")
    return -_log(2 * scale) - OPERATORS["abs"](value - loc) / scale


def _cdf_laplace(self: UserObject, value: Any) -> Any:
    check_value(self, value, REAL)
    loc, scale = get(self, "loc", "scale")
    off = value - loc
    return 0.5 - 0.5 * OPERATORS["sign"](off) * OPERATORS["expm1"](-OPERATORS["abs"](off) / scale)


def _icdf_laplace(self: UserObject, value: Any) -> Any:
    loc, scale = get(self, "loc", "scale")
    off = value - 0.5
    return loc - scale * OPERATORS["sign"](off) * OPERATORS["log1p"](-2 * OPERATORS["abs"](off))


LAPLACE = distribution(
    "Laplace",
    ("loc", "scale"),
    properties={
        "mean": lambda self: self.fields["loc"],
        "mode": lambda self: self.fields["loc"],
        "variance": lambda self: 2 * self.fields["scale"] ** 2,
        "stddev": lambda self: 2**0.5 * self.fields["scale"],
    },
    __init__=positive("loc", "scale"),
    sample=sampled(_draw_laplace),
    rsample=_draw_laplace,
    log_prob=_log_laplace,
    cdf=_cdf_laplace,
    icdf=_icdf_laplace,
    entropy=lambda self: 1 + _log(2 * self.fields["scale"]),
)

KINDS = (UNIFORM, EXPONENTIAL, LAPLACE)
