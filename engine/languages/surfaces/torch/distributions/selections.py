"""Distributions of choices as vectors and as counts, softened choices, and mixtures."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import call_method, new_object
from engine.languages.surfaces.torch.distributions.base import (
    begin,
    check_value,
    distribution,
    drawn_shape,
    parameters,
    without_gradients,
)
from engine.languages.surfaces.torch.distributions.continuous import get
from engine.languages.surfaces.torch.distributions.counts import COUNT
from engine.languages.surfaces.torch.distributions.discrete import (
    CATEGORICAL,
    SHARE,
    SIMPLEX,
    check_one,
    logits_of,
)
from engine.languages.surfaces.torch.distributions.gammas import UNIT
from engine.languages.surfaces.torch.distributions.normal import REAL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.shaping import to
from engine.languages.surfaces.torch.random.counting import poisson, standard_gamma
from engine.languages.surfaces.torch.random.making import rand
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers

ONE_HOT = "OneHot()", lambda x: ((x == 0) | (x == 1)).all(-1) & (x.sum(-1) == 1)


def _op(name: str, *args: Any) -> Any:
    return OPERATORS[name](*args)


def _of(name: str, inner: str = "_categorical") -> Any:
    """A fact of the distribution inside."""
    return lambda interpreter, self: attribute_of(interpreter, self.fields[inner], name)


def _probs(interpreter: Any, self: UserObject) -> Any:
    return attribute_of(interpreter, self, "probs")


def _logits(interpreter: Any, self: UserObject) -> Any:
    return attribute_of(interpreter, self, "logits")


def _events(interpreter: Any, self: UserObject) -> Size:
    return Size((self.fields["_categorical"].fields["_num_events"],))


def _inside(interpreter: Interpreter, self: UserObject, probs: Any, logits: Any, validate: Any) -> UserObject:
    """Set up with a categorical distribution inside, which says its range."""
    inner = new_object(interpreter, CATEGORICAL, probs, logits, validate)
    self.fields["_categorical"] = inner
    self.fields["_num_events"] = inner.fields["_num_events"]
    begin(self, inner.fields["_batch_shape"], validate)
    return inner


# -- one choice as a vector ------------------------------------------------------------------------------


def _begin_one_hot(
    interpreter: Interpreter,
    self: UserObject,
    probs: Any = None,
    logits: Any = None,
    validate_args: Any = None,
) -> None:
    _inside(interpreter, self, probs, logits, validate_args)


def _draw_one_hot(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    drawn = call_method(interpreter, self.fields["_categorical"], "sample", sample_shape)
    probs = _probs(interpreter, self)
    rows = np.eye(probs.shape[-1], dtype=probs.array.dtype)
    return of_numbers(rows[drawn.array])


def _log_one_hot(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    check_value(self, value, ONE_HOT)
    return call_method(interpreter, self.fields["_categorical"], "log_prob", _op("argmax", value, -1))


def _straight(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    """A choice with the gradient of its probabilities."""
    drawn, probs = _draw_one_hot(interpreter, self, sample_shape), _probs(interpreter, self)
    return drawn + (probs - _op("detach", probs))


def _variance_one_hot(interpreter: Any, self: UserObject) -> Any:
    probs = _probs(interpreter, self)
    return probs * (1 - probs)


def _mode_one_hot(interpreter: Any, self: UserObject) -> Any:
    probs = _probs(interpreter, self).array
    return of_numbers(np.eye(probs.shape[-1], dtype=probs.dtype)[probs.argmax(-1)])


def _one_hot(name: str, **methods: Any) -> UserClass:
    return distribution(
        name,
        ("probs", "logits"),
        properties={
            "probs": _of("probs"),
            "logits": _of("logits"),
            "mean": _of("probs"),
            "mode": _mode_one_hot,
            "variance": _variance_one_hot,
            "param_shape": _of("param_shape"),
            "event_shape": _events,
        },
        __init__=_begin_one_hot,
        __repr__=lambda self: f"{name}()",
        sample=_draw_one_hot,
        log_prob=_log_one_hot,
        entropy=lambda interpreter, self: call_method(interpreter, self.fields["_categorical"], "entropy"),
        **methods,
    )


ONE_HOT_CATEGORICAL = _one_hot("OneHotCategorical")
STRAIGHT_THROUGH = _one_hot("OneHotCategoricalStraightThrough", rsample=_straight)

# -- counts of choices -----------------------------------------------------------------------------------


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
    _inside(interpreter, self, probs, logits, validate_args)


def _draw_multinomial(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    count = self.fields["total_count"]
    shape = (count, *(sample_shape if isinstance(sample_shape, (list, tuple)) else (sample_shape,)))
    drawn = call_method(interpreter, self.fields["_categorical"], "sample", shape).array
    probs = _probs(interpreter, self)
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
    logits, value = _op("broadcast_tensors", _logits(interpreter, self), value)
    logits = _op("masked_fill", logits, of_numbers((value.array == 0) & np.isneginf(logits.array)), 0)
    of_all = _op("lgamma", _op("sum", value, -1) + 1)
    return of_all - _op("sum", _op("lgamma", value + 1), -1) + _op("sum", logits * value, -1)


MULTINOMIAL = distribution(
    "Multinomial",
    ("probs", "logits"),
    properties={
        "probs": _of("probs"),
        "logits": _of("logits"),
        "event_shape": _events,
        "param_shape": _of("param_shape"),
        "mean": lambda interpreter, self: _probs(interpreter, self) * self.fields["total_count"],
        "variance": lambda interpreter, self: (
            self.fields["total_count"] * _probs(interpreter, self) * (1 - _probs(interpreter, self))
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
    rates = standard_gamma(self.fields["total_count"], shape) / _op("exp", -_logits(interpreter, self))
    return poisson(rates)


def _log_negative(interpreter: Any, self: UserObject, value: Any) -> Any:
    """n log(1 - p) + k log p + log Γ(n + k) - log k! - log Γ(n)."""
    check_value(self, value, COUNT)
    n, logits = self.fields["total_count"], _logits(interpreter, self)
    weights = n * _log_sigmoid(-logits) + value * _log_sigmoid(logits)
    choices = -_op("lgamma", n + value) + _op("lgamma", 1.0 + value) + _op("lgamma", n)
    choices = _op("masked_fill", choices, of_numbers((n.array + value.array) == 0.0), 0.0)
    return weights - choices


def _log_sigmoid(x: Any) -> Any:
    return _op("clamp_max", x, 0) - _op("log1p", _op("exp", -_op("abs", x)))


NEGATIVE_BINOMIAL = distribution(
    "NegativeBinomial",
    ("total_count", "probs", "logits"),
    cached={
        "probs": lambda self: _op("sigmoid", self.fields["logits"]),
        "logits": lambda self: logits_of(self.fields["probs"]),
    },
    properties={
        "mean": lambda interpreter, self: self.fields["total_count"] * _op("exp", _logits(interpreter, self)),
        "variance": lambda interpreter, self: (
            self.fields["total_count"]
            * _op("exp", _logits(interpreter, self))
            / _op("sigmoid", -_logits(interpreter, self))
        ),
    },
    __init__=_begin_negative,
    sample=without_gradients(_draw_negative),
    log_prob=_log_negative,
)

# -- softened choices ------------------------------------------------------------------------------------


def _uniform(shape: tuple[int, ...], like: Any) -> Any:
    """Uniform numbers away from 0 and 1."""
    with recording(False):
        least = float(np.finfo(like.array.dtype).eps)
        return _op("clamp", rand(shape, dtype=like.dtype), least, 1 - least)


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
    warmth, probs = self.fields["temperature"], _probs(interpreter, self)
    inside = _op("clamp", probs, *_limits(probs))
    u = _uniform(drawn_shape(self, sample_shape), probs)
    noise = _op("log", u) - _op("log1p", -u)
    return _op("sigmoid", (noise + _op("log", inside) - _op("log1p", -inside)) / warmth)


def _limits(probs: Any) -> tuple[float, float]:
    least = float(np.finfo(probs.array.dtype).eps)
    return least, 1 - least


def _log_relaxed(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    check_value(self, value, UNIT)
    warmth, logits = self.fields["temperature"], _logits(interpreter, self)
    x = logits_of(value)
    difference = logits - x * warmth
    of_logit = _op("log", warmth) + difference - 2 * _op("log1p", _op("exp", difference))
    return of_logit - (_log_sigmoid(x) + _log_sigmoid(-x))


RELAXED_BERNOULLI = distribution(
    "RelaxedBernoulli",
    ("probs", "logits"),
    cached={
        "probs": lambda self: _op("sigmoid", self.fields["logits"]),
        "logits": lambda self: logits_of(self.fields["probs"]),
    },
    __init__=_begin_relaxed,
    __repr__=lambda self: "RelaxedBernoulli()",
    sample=lambda interpreter, self, sample_shape=(): _op(
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
    _inside(interpreter, self, probs, logits, validate_args)
    (self.fields["temperature"],) = parameters(temperature)


def _draw_relaxed_one_hot(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    """Softmax of (log p + Gumbel noise) / t."""
    logits, warmth = _logits(interpreter, self), self.fields["temperature"]
    shape = (*drawn_shape(self, sample_shape), logits.shape[-1])
    noise = -_op("log", -_op("log", _uniform(shape, logits)))
    scores = (logits + noise) / warmth
    return _op("exp", scores - _op("logsumexp", scores, -1, True))


def _log_relaxed_one_hot(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    check_value(self, value, SIMPLEX)
    logits, warmth = _logits(interpreter, self), self.fields["temperature"]
    count, x = logits.shape[-1], _op("log", value)
    scale = _op("lgamma", of_numbers(np.asarray(count, logits.array.dtype)))
    scale = scale - _op("log", warmth) * -(count - 1)
    score = logits - x * warmth
    score = _op("sum", score - _op("logsumexp", score, -1, True), -1)
    return score + scale - _op("sum", x, -1)


RELAXED_ONE_HOT = distribution(
    "RelaxedOneHotCategorical",
    ("probs", "logits"),
    properties={"probs": _of("probs"), "logits": _of("logits"), "event_shape": _events},
    __init__=_begin_relaxed_one_hot,
    __repr__=lambda self: "RelaxedOneHotCategorical()",
    sample=lambda interpreter, self, sample_shape=(): _op(
        "detach", _draw_relaxed_one_hot(interpreter, self, sample_shape)
    ),
    rsample=_draw_relaxed_one_hot,
    log_prob=_log_relaxed_one_hot,
)

# -- mixtures --------------------------------------------------------------------------------------------


def _begin_mixture(
    self: UserObject,
    mixture_distribution: UserObject,
    component_distribution: UserObject,
    validate_args: Any = None,
) -> None:
    batch = tuple(component_distribution.fields["_batch_shape"])
    count = mixture_distribution.fields["_num_events"]
    if batch[-1] != count:
        raise torch_error(
            f"`mixture_distribution component` ({count}) does not equal "
            f"`component_distribution.batch_shape[-1]` ({batch[-1]})",
            f"混合权重有 {count} 个，而分布有 {batch[-1]} 个。",
            kind="ValueError",
        )
    self.fields.update(
        _mixture_distribution=mixture_distribution, _component_distribution=component_distribution
    )
    begin(self, batch[:-1], validate_args)


def _event_rank(interpreter: Interpreter, self: UserObject) -> int:
    return len(attribute_of(interpreter, self.fields["_component_distribution"], "event_shape"))


def _widened(probs: Any, rank: int) -> Any:
    for _ in range(rank):
        probs = _op("unsqueeze", probs, -1)
    return probs


def _draw_mixture(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    with recording(False):
        chosen = call_method(interpreter, mixture, "sample", sample_shape)
        drawn = call_method(interpreter, parts, "sample", sample_shape)
        rank = _event_rank(interpreter, self)
        axis = chosen.array.ndim
        index = _widened(_op("unsqueeze", chosen, -1), rank)
        shape = [1 if at == axis else length for at, length in enumerate(drawn.shape)]
        index = _op("broadcast_to", index, shape)
        return _op("squeeze", _op("gather", drawn, axis, index), axis)


def _log_mixture(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    """log Σ pₖ fₖ(x)."""
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    x = _op("unsqueeze", value, -1 - _event_rank(interpreter, self))
    each = call_method(interpreter, parts, "log_prob", x)
    shares = _op("log_softmax", attribute_of(interpreter, mixture, "logits"), -1)
    return _op("logsumexp", each + shares, -1)


def _mean_mixture(interpreter: Interpreter, self: UserObject) -> Any:
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    rank = _event_rank(interpreter, self)
    probs = _widened(attribute_of(interpreter, mixture, "probs"), rank)
    return _op("sum", probs * attribute_of(interpreter, parts, "mean"), -1 - rank)


def _variance_mixture(interpreter: Interpreter, self: UserObject) -> Any:
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    rank = _event_rank(interpreter, self)
    probs = _widened(attribute_of(interpreter, mixture, "probs"), rank)
    inside = _op("sum", probs * attribute_of(interpreter, parts, "variance"), -1 - rank)
    center = _op("unsqueeze", _mean_mixture(interpreter, self), -1 - rank)
    between = _op("sum", probs * (attribute_of(interpreter, parts, "mean") - center) ** 2, -1 - rank)
    return inside + between


def _text_mixture(interpreter: Interpreter, self: UserObject) -> str:
    mixture, parts = (
        call_method(interpreter, one, "__repr__")
        for one in get(self, "_mixture_distribution", "_component_distribution")
    )
    return f"MixtureSameFamily(\n  {mixture},\n  {parts})"


MIXTURE = distribution(
    "MixtureSameFamily",
    (),
    properties={
        "mixture_distribution": lambda self: self.fields["_mixture_distribution"],
        "component_distribution": lambda self: self.fields["_component_distribution"],
        "event_shape": _of("event_shape", "_component_distribution"),
        "mean": _mean_mixture,
        "variance": _variance_mixture,
    },
    __init__=_begin_mixture,
    __repr__=_text_mixture,
    sample=_draw_mixture,
    log_prob=_log_mixture,
)

KINDS = (
    *(ONE_HOT_CATEGORICAL, STRAIGHT_THROUGH, MULTINOMIAL, NEGATIVE_BINOMIAL, RELAXED_BERNOULLI),
    *(RELAXED_ONE_HOT, MIXTURE),
)
