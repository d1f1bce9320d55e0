"""Choices that are softened so that gradients pass: `RelaxedBernoulli`, `RelaxedOneHotCategorical`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.distributions.base import (
    begin,
    check_value,
    distribution,
    drawn_shape,
    parameters,
)
from engine.languages.surfaces.torch.distributions.discrete import SHARE, SIMPLEX, check_one, logits_of
from engine.languages.surfaces.torch.distributions.gammas import UNIT
from engine.languages.surfaces.torch.distributions.normal import REAL
from engine.languages.surfaces.torch.distributions.selections.counted import log_sigmoid
from engine.languages.surfaces.torch.distributions.selections.one_hot import (
    begin_inside,
    events_of,
    inner_fact,
    operator,
    own_logits,
    own_probs,
)
from engine.languages.surfaces.torch.random.making import rand
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import of_numbers


def _uniform(shape: tuple[int, ...], like: Any) -> Any:
    """Uniform numbers away from 0 and 1."""
    with recording(False):
        least = float(np.finfo(like.array.dtype).eps)
        return operator("clamp", rand(shape, dtype=like.dtype), least, 1 - least)


def _begin_relaxed(
    self: UserObject, temperature: Any, probs: Any = None, logits: Any = None, validate_args: Any = None
) -> None:
    check_one(probs, logits)
    name = "probs" if logits is None else "logits"
    (own,) = parameters(probs if logits is None else logits)
    (warmth,) = parameters(temperature)
    self.fields.update({"temperature": warmth, name: own})
    begin(self, own.shape, validate_args, **{name: (own, SHARE if logits is None else REAL)})


def _draw_relaxed(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    """σ((log u - log(1 - u) + log p - log(1 - p)) / t)."""
    warmth, probs = self.fields["temperature"], own_probs(interpreter, self)
    inside = operator("clamp", probs, *_limits(probs))
    u = _uniform(drawn_shape(self, sample_shape), probs)
    noise = operator("log", u) - operator("log1p", -u)
    return operator("sigmoid", (noise + operator("log", inside) - operator("log1p", -inside)) / warmth)


def _limits(probs: Any) -> tuple[float, float]:
    least = float(np.finfo(probs.array.dtype).eps)
    return least, 1 - least


def _log_relaxed(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    check_value(self, value, UNIT)
    warmth, logits = self.fields["temperature"], own_logits(interpreter, self)
    x = logits_of(value)
    difference = logits - x * warmth
    of_logit = operator("log", warmth) + difference - 2 * operator("log1p", operator("exp", difference))
    return of_logit - (log_sigmoid(x) + log_sigmoid(-x))


RELAXED_BERNOULLI = distribution(
    "RelaxedBernoulli",
    ("probs", "logits"),
    cached={
        "probs": lambda self: operator("sigmoid", self.fields["logits"]),
        "logits": lambda self: logits_of(self.fields["probs"]),
    },
    __init__=_begin_relaxed,
    __repr__=lambda self: "RelaxedBernoulli()",
    sample=lambda interpreter, self, sample_shape=(): operator(
        "detach", _draw_relaxed(interpreter, self, sample_shape)
    ),
    rsample=_draw_relaxed,
    log_prob=_log_relaxed,
)


def _begin_relaxed_one_hot(
    interpreter: Interpreter,
    self: UserObject,
    temperature: Any,
    probs: Any = None,
    logits: Any = None,
    validate_args: Any = None,
) -> None:
    begin_inside(interpreter, self, probs, logits, validate_args)
    (self.fields["temperature"],) = parameters(temperature)


def _draw_relaxed_one_hot(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    """Softmax of (log p + Gumbel noise) / t."""
    logits, warmth = own_logits(interpreter, self), self.fields["temperature"]
    shape = (*drawn_shape(self, sample_shape), logits.shape[-1])
    noise = -operator("log", -operator("log", _uniform(shape, logits)))
    scores = (logits + noise) / warmth
    return operator("exp", scores - operator("logsumexp", scores, -1, True))


def _log_relaxed_one_hot(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    check_value(self, value, SIMPLEX)
    logits, warmth = own_logits(interpreter, self), self.fields["temperature"]
    count, x = logits.shape[-1], operator("log", value)
    scale = operator("lgamma", of_numbers(np.asarray(count, logits.array.dtype)))
    scale = scale - operator("log", warmth) * -(count - 1)
    score = logits - x * warmth
    score = operator("sum", score - operator("logsumexp", score, -1, True), -1)
    return score + scale - operator("sum", x, -1)


RELAXED_ONE_HOT = distribution(
    "RelaxedOneHotCategorical",
    ("probs", "logits"),
    properties={"probs": inner_fact("probs"), "logits": inner_fact("logits"), "event_shape": events_of},
    __init__=_begin_relaxed_one_hot,
    __repr__=lambda self: "RelaxedOneHotCategorical()",
    sample=lambda interpreter, self, sample_shape=(): operator(
        "detach", _draw_relaxed_one_hot(interpreter, self, sample_shape)
    ),
    rsample=_draw_relaxed_one_hot,
    log_prob=_log_relaxed_one_hot,
)

KINDS = (RELAXED_BERNOULLI, RELAXED_ONE_HOT)
