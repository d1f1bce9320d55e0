"""How often choices come: `Multinomial`, `NegativeBinomial`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import call_method
from engine.languages.surfaces.torch.distributions.base import (
    begin,
    check_value,
    distribution,
    parameters,
    without_gradients,
)
from engine.languages.surfaces.torch.distributions.counts import COUNT
from engine.languages.surfaces.torch.distributions.discrete import check_one, logits_of
from engine.languages.surfaces.torch.distributions.normal import REAL
from engine.languages.surfaces.torch.distributions.selections.one_hot import (
    begin_inside,
    events_of,
    inner_fact,
    operator,
    own_logits,
    own_probs,
)
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.shaping import to
from engine.languages.surfaces.torch.random.counting import poisson, standard_gamma
from engine.languages.surfaces.torch.tensor import of_numbers


def _begin_multinomial(
    interpreter: Interpreter,
    self: UserObject,
    total_count: Any = 1,
    probs: Any = None,
    logits: Any = None,
    validate_args: Any = None,
) -> None:
    if not isinstance(total_count, int):
        raise torch_error(
            "inhomogeneous total_count is not supported",
            "total_count 必须是一个整数。",
            kind="NotImplementedError",
        )
    self.fields["total_count"] = total_count
    begin_inside(interpreter, self, probs, logits, validate_args)


def _draw_multinomial(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    count = self.fields["total_count"]
    shape = (count, *(sample_shape if isinstance(sample_shape, (list, tuple)) else (sample_shape,)))
    drawn = call_method(interpreter, self.fields["_categorical"], "sample", shape).array
    probs = own_probs(interpreter, self)
    counts = np.eye(probs.shape[-1], dtype=probs.array.dtype)[drawn].sum(axis=0)
    return of_numbers(counts)


def _log_multinomial(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    """log n! - Σ log kᵢ! + Σ kᵢ log pᵢ."""
    total = self.fields["total_count"]
    check_value(
        self,
        value,
        ("Multinomial()", lambda x: (x >= 0).all(-1) & (x.sum(-1) <= total)),
    )
    logits, value = operator("broadcast_tensors", own_logits(interpreter, self), value)
    logits = operator("masked_fill", logits, of_numbers((value.array == 0) & np.isneginf(logits.array)), 0)
    of_all = operator("lgamma", operator("sum", value, -1) + 1)
    return of_all - operator("sum", operator("lgamma", value + 1), -1) + operator("sum", logits * value, -1)


MULTINOMIAL = distribution(
    "Multinomial",
    ("probs", "logits"),
    properties={
        "probs": inner_fact("probs"),
        "logits": inner_fact("logits"),
        "event_shape": events_of,
        "param_shape": inner_fact("param_shape"),
        "mean": lambda interpreter, self: own_probs(interpreter, self) * self.fields["total_count"],
        "variance": lambda interpreter, self: (
            self.fields["total_count"] * own_probs(interpreter, self) * (1 - own_probs(interpreter, self))
        ),
    },
    __init__=_begin_multinomial,
    __repr__=lambda self: "Multinomial()",
    sample=_draw_multinomial,
    log_prob=_log_multinomial,
)


def _begin_negative(
    self: UserObject, total_count: Any, probs: Any = None, logits: Any = None, validate_args: Any = None
) -> None:
    check_one(probs, logits)
    name = "probs" if logits is None else "logits"
    count, own = parameters(total_count, probs if logits is None else logits)
    count = to(count, own.dtype)
    self.fields.update({"total_count": count, name: own})
    half_open = "HalfOpenInterval(lower_bound=0.0, upper_bound=1.0)", lambda p: (p >= 0) & (p < 1)
    not_negative = "GreaterThanEq(lower_bound=0)", lambda n: n >= 0
    checks = {"total_count": (count, not_negative), name: (own, half_open if logits is None else REAL)}
    begin(self, count.shape, validate_args, **checks)


def _draw_negative(interpreter: Any, self: UserObject, shape: tuple[int, ...]) -> Any:
    """Poisson numbers whose rates are gamma numbers."""
    rates = standard_gamma(self.fields["total_count"], shape) / operator(
        "exp", -own_logits(interpreter, self)
    )
    return poisson(rates)


def _log_negative(interpreter: Any, self: UserObject, value: Any) -> Any:
    """n log(1 - p) + k log p + log Γ(n + k) - log k! - log Γ(n)."""
    check_value(self, value, COUNT)
    n, logits = self.fields["total_count"], own_logits(interpreter, self)
    weights = n * log_sigmoid(-logits) + value * log_sigmoid(logits)
    choices = -operator("lgamma", n + value) + operator("lgamma", 1.0 + value) + operator("lgamma", n)
    choices = operator("masked_fill", choices, of_numbers((n.array + value.array) == 0.0), 0.0)
    return weights - choices


def log_sigmoid(x: Any) -> Any:
    return operator("clamp_max", x, 0) - operator("log1p", operator("exp", -operator("abs", x)))


NEGATIVE_BINOMIAL = distribution(
    "NegativeBinomial",
    ("total_count", "probs", "logits"),
    cached={
        "probs": lambda self: operator("sigmoid", self.fields["logits"]),
        "logits": lambda self: logits_of(self.fields["probs"]),
    },
    properties={
        "mean": lambda interpreter, self: (
            self.fields["total_count"] * operator("exp", own_logits(interpreter, self))
        ),
        "variance": lambda interpreter, self: (
            self.fields["total_count"]
            * operator("exp", own_logits(interpreter, self))
            / operator("sigmoid", -own_logits(interpreter, self))
        ),
    },
    __init__=_begin_negative,
    sample=without_gradients(_draw_negative),
    log_prob=_log_negative,
)

KINDS = (MULTINOMIAL, NEGATIVE_BINOMIAL)
