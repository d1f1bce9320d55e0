"""Categorical and Bernoulli: distributions of whole numbers, by probabilities or by logits."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.distributions.base import (
    begin,
    check_value,
    distribution,
    enumerating,
    parameters,
    without_gradients,
)
from engine.languages.surfaces.torch.distributions.normal import REAL
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.shaping import broadcast_tensors, to, unsqueeze
from engine.languages.surfaces.torch.random import choices
from engine.languages.surfaces.torch.random.outcomes import bernoulli
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import TORCH, F
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

SIMPLEX = "Simplex()", lambda p: (p >= 0).all(-1) & (abs(p.sum(-1) - 1) < 1e-6)
VECTOR = "IndependentConstraint(Real(), 1)", lambda x: x == x  # nan differs from itself
SHARE = "Interval(lower_bound=0.0, upper_bound=1.0)", lambda p: (p >= 0) & (p <= 1)
TRUTH = "Boolean()", lambda x: (x == 0) | (x == 1)


def check_one(probs: Any, logits: Any) -> None:
    """Raises: ValueError's message of PyTorch unless exactly one is given."""
    if (probs is None) == (logits is None):
        raise torch_error(
            "Either `probs` or `logits` must be specified, but not both.",
            "probs 和 logits 必须恰好给出一个。",
            kind="ValueError",
        )


def _inside(probs: Tensor) -> Tensor:
    """Probabilities away from 0 and 1 by the type's precision."""
    least = float(np.finfo(probs.array.dtype).eps)
    found: Tensor = OPERATORS["clamp"](probs, least, 1 - least)
    return found


def _probs(interpreter: Any, self: UserObject) -> Any:
    return attribute_of(interpreter, self, "probs")


def _logits(interpreter: Any, self: UserObject) -> Any:
    return attribute_of(interpreter, self, "logits")


# -- categorical ---------------------------------------------------------------------------------------------


def _begin_categorical(
    self: UserObject, probs: Any = None, logits: Any = None, validate_args: Any = None
) -> None:
    check_one(probs, logits)
    name, given = ("probs", probs) if logits is None else ("logits", logits)
    if given.array.ndim < 1:
        raise torch_error(
            f"`{name}` parameter must be at least one-dimensional.",
            f"{name} 至少要有一维。",
            kind="ValueError",
        )
    if logits is None:
        given = given / OPERATORS["sum"](given, -1, True)
    else:
        given = given - OPERATORS["logsumexp"](given, -1, True)
    self.fields.update({name: given, "_num_events": given.shape[-1]})
    begin(self, given.shape[:-1], validate_args, **{name: (given, SIMPLEX if logits is None else VECTOR)})


def _draw_categorical(interpreter: Any, self: UserObject, shape: tuple[int, ...]) -> Any:
    weights = _probs(interpreter, self).array
    rows = weights.reshape(-1, weights.shape[-1])
    count = int(np.prod(shape, dtype=int)) // max(rows.shape[0], 1)
    drawn = choices.multinomial(generator_of(None), rows, count, True)
    return of_numbers(np.ascontiguousarray(drawn.T).reshape(shape))


def _log_prob_categorical(interpreter: Any, self: UserObject, value: Any) -> Any:
    last = self.fields["_num_events"] - 1
    logits = _logits(interpreter, self)
    check_value(
        self,
        value,
        (
            f"IntegerInterval(lower_bound=0, upper_bound={last})",
            lambda x: (x % 1 == 0) & (x >= 0) & (x <= last),
        ),
    )
    places, logits = broadcast_tensors(unsqueeze(to(value, INT64), -1), logits)
    return OPERATORS["squeeze"](OPERATORS["gather"](logits, -1, places[..., :1]), -1)


def _entropy_categorical(interpreter: Any, self: UserObject) -> Any:
    logits, probs = _logits(interpreter, self), _probs(interpreter, self)
    lowest = float(np.finfo(logits.array.dtype).min)
    return -OPERATORS["sum"](OPERATORS["clamp"](logits, lowest) * probs, -1)


CATEGORICAL = distribution(
    "Categorical",
    ("probs", "logits"),
    cached={
        "probs": lambda self: OPERATORS["softmax"](self.fields["logits"], -1),
        "logits": lambda self: OPERATORS["log"](_inside(self.fields["probs"])),
    },
    properties={
        "mode": lambda interpreter, self: OPERATORS["argmax"](_probs(interpreter, self), -1),
        "param_shape": lambda self: Size((*self.fields["_batch_shape"], self.fields["_num_events"])),
    },
    __init__=_begin_categorical,
    sample=without_gradients(_draw_categorical),
    log_prob=_log_prob_categorical,
    enumerate_support=enumerating(lambda self: np.arange(self.fields["_num_events"])),
    entropy=_entropy_categorical,
)


# -- bernoulli -----------------------------------------------------------------------------------------------


def _begin_bernoulli(
    self: UserObject, probs: Any = None, logits: Any = None, validate_args: Any = None
) -> None:
    check_one(probs, logits)
    name, (given,) = ("probs", parameters(probs)) if logits is None else ("logits", parameters(logits))
    self.fields[name] = given
    begin(self, given.shape, validate_args, **{name: (given, SHARE if logits is None else REAL)})


def logits_of(probs: Tensor) -> Any:
    """log p - log(1 - p)."""
    inside = _inside(probs)
    return OPERATORS["log"](inside) - OPERATORS["log1p"](OPERATORS["neg"](inside))


def _truths(self: UserObject) -> Any:
    given = self.fields["probs" if "probs" in self.fields else "logits"]
    return np.arange(2, dtype=given.array.dtype)


def _draw_bernoulli(interpreter: Any, self: UserObject, shape: tuple[int, ...]) -> Any:
    return bernoulli(of_numbers(np.broadcast_to(_probs(interpreter, self).array, shape).copy()))


def _cross_entropy(logits: Any, target: Any) -> Any:
    function = TORCH[F + "binary_cross_entropy_with_logits"].function
    return function(*broadcast_tensors(logits, target), reduction="none")


def _log_prob_bernoulli(interpreter: Any, self: UserObject, value: Any) -> Any:
    logits = _logits(interpreter, self)
    check_value(self, value, TRUTH)
    return -_cross_entropy(logits, value)


def _variance(interpreter: Any, self: UserObject) -> Any:
    probs = _probs(interpreter, self)
    return probs * (1 - probs)


def _mode(interpreter: Any, self: UserObject) -> Any:
    probs = _probs(interpreter, self).array
    return of_numbers(np.where(probs == 0.5, np.nan, probs > 0.5).astype(probs.dtype))


BERNOULLI = distribution(
    "Bernoulli",
    ("probs", "logits"),
    cached={
        "probs": lambda self: OPERATORS["sigmoid"](self.fields["logits"]),
        "logits": lambda self: logits_of(self.fields["probs"]),
    },
    properties={"mean": _probs, "variance": _variance, "mode": _mode},
    __init__=_begin_bernoulli,
    sample=without_gradients(_draw_bernoulli),
    log_prob=_log_prob_bernoulli,
    enumerate_support=enumerating(_truths),
    entropy=lambda interpreter, self: _cross_entropy(_logits(interpreter, self), _probs(interpreter, self)),
)
