"""Distributions of counts: Poisson, binomial and geometric."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.distributions.base import (
    Constraint,
    begin,
    check_value,
    distribution,
    parameters,
    without_gradients,
)
from engine.languages.surfaces.torch.distributions.continuous import NOT_NEGATIVE, positive
from engine.languages.surfaces.torch.distributions.discrete import SHARE, check_one, logits_of
from engine.languages.surfaces.torch.distributions.normal import REAL
from engine.languages.surfaces.torch.functions.shaping import broadcast_tensors, to
from engine.languages.surfaces.torch.random.counting import binomial, poisson
from engine.languages.surfaces.torch.random.making import rand
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

COUNT: Constraint = "IntegerGreaterThan(lower_bound=0)", lambda x: (x % 1 == 0) & (x >= 0)


def _op(name: str, *args: Any) -> Any:
    return OPERATORS[name](*args)


def _wide(value: Tensor, shape: tuple[int, ...]) -> Tensor:
    return of_numbers(np.broadcast_to(value.array, shape).copy())


# -- Poisson -----------------------------------------------------------------------------------------


def _log_poisson(self: UserObject, value: Any) -> Any:
    """k log λ - λ - log k!."""
    check_value(self, value, COUNT)
    rate, value = broadcast_tensors(self.fields["rate"], value)
    return _op("xlogy", value, rate) - rate - _op("lgamma", value + 1)


POISSON = distribution(
    "Poisson",
    ("rate",),
    properties={"mean": lambda self: self.fields["rate"], "variance": lambda self: self.fields["rate"]},
    __init__=positive("rate", at_least=NOT_NEGATIVE),
    sample=without_gradients(lambda interpreter, self, shape: poisson(_wide(self.fields["rate"], shape))),
    log_prob=_log_poisson,
)

# -- binomial, geometric -----------------------------------------------------------------------------


def _set_shares(self: UserObject, probs: Any, logits: Any, *others: Any) -> list[Tensor]:
    """probs or logits, in one shape with other parameters, which are given back."""
    check_one(probs, logits)
    name = "probs" if logits is None else "logits"
    own, *rest = parameters(probs if logits is None else logits, *others)
    self.fields[name] = own
    self.fields["_shares"] = {name: (own, SHARE if logits is None else REAL)}
    return rest


def _probs(interpreter: Any, self: UserObject) -> Any:
    return attribute_of(interpreter, self, "probs")


def _logits(interpreter: Any, self: UserObject) -> Any:
    return attribute_of(interpreter, self, "logits")


_EITHER = {
    "probs": lambda self: OPERATORS["sigmoid"](self.fields["logits"]),
    "logits": lambda self: logits_of(self.fields["probs"]),
}


def _begin_binomial(
    self: UserObject,
    total_count: Any = 1,
    probs: Any = None,
    logits: Any = None,
    validate_args: Any = None,
) -> None:
    (count,) = _set_shares(self, probs, logits, total_count)
    self.fields["total_count"] = count
    checks = self.fields.pop("_shares")
    begin(self, count.shape, validate_args, total_count=(count, COUNT), **checks)


def _draw_binomial(interpreter: Any, self: UserObject, shape: tuple[int, ...]) -> Any:
    probs = _probs(interpreter, self)
    count = to(self.fields["total_count"], probs.dtype)
    return binomial(_wide(count, shape), _wide(probs, shape))


def _log_binomial(interpreter: Any, self: UserObject, value: Any) -> Any:
    """log n! - log k! - log (n - k)! + k x - n max(x, 0) - n log(1 + e^-|x|), x the logits."""
    n, logits = self.fields["total_count"], _logits(interpreter, self)
    ends = f"IntegerInterval(lower_bound=0, upper_bound={n.array.tolist()})"
    check_value(self, value, (ends, lambda k: (k % 1 == 0) & (k >= 0) & (k <= n.array)))
    above = n * (_op("clamp", logits, 0) + _op("log1p", _op("exp", -_op("abs", logits))))
    shape = above - _op("lgamma", n + 1)
    return value * logits - _op("lgamma", value + 1) - _op("lgamma", n - value + 1) - shape


def _mean_binomial(interpreter: Any, self: UserObject) -> Any:
    return self.fields["total_count"] * _probs(interpreter, self)


BINOMIAL = distribution(
    "Binomial",
    ("total_count", "probs", "logits"),
    cached=_EITHER,
    properties={
        "mean": _mean_binomial,
        "variance": lambda interpreter, self: (
            _mean_binomial(interpreter, self) * (1 - _probs(interpreter, self))
        ),
    },
    __init__=_begin_binomial,
    sample=without_gradients(_draw_binomial),
    log_prob=_log_binomial,
)


def _begin_geometric(
    self: UserObject, probs: Any = None, logits: Any = None, validate_args: Any = None
) -> None:
    _set_shares(self, probs, logits)
    checks = self.fields.pop("_shares")
    begin(self, next(iter(checks.values()))[0].shape, validate_args, **checks)


def _draw_geometric(interpreter: Any, self: UserObject, shape: tuple[int, ...]) -> Any:
    """⌊log u / log(1 - p)⌋."""
    probs = _probs(interpreter, self)
    u = rand(shape, dtype=probs.dtype)
    u = _op("clamp", u, float(np.finfo(probs.array.dtype).tiny))
    return _op("floor", _op("log", u) / _op("log1p", -probs))


def _log_geometric(interpreter: Any, self: UserObject, value: Any) -> Any:
    """k log(1 - p) + log p."""
    check_value(self, value, COUNT)
    value, probs = broadcast_tensors(value, _probs(interpreter, self))
    held = probs.array
    probs = _op("masked_fill", probs, of_numbers((held == 1) & (value.array == 0)), 0)
    return value * _op("log1p", -probs) + _op("log", _probs(interpreter, self))


GEOMETRIC = distribution(
    "Geometric",
    ("probs", "logits"),
    cached=_EITHER,
    properties={
        "mean": lambda interpreter, self: 1.0 / _probs(interpreter, self) - 1.0,
        "variance": lambda interpreter, self: (
            (1.0 / _probs(interpreter, self) - 1.0) / _probs(interpreter, self)
        ),
    },
    __init__=_begin_geometric,
    sample=without_gradients(_draw_geometric),
    log_prob=_log_geometric,
)

KINDS = (POISSON, BINOMIAL, GEOMETRIC)
