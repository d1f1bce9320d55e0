"""One of several distributions, chosen at random: `MixtureSameFamily`."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import call_method
from engine.languages.surfaces.torch.distributions.base import begin, distribution
from engine.languages.surfaces.torch.distributions.continuous import get
from engine.languages.surfaces.torch.distributions.selections.one_hot import (
    inner_fact,
    operator,
)
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.state import recording


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
        probs = operator("unsqueeze", probs, -1)
    return probs


def _draw_mixture(interpreter: Interpreter, self: UserObject, sample_shape: Any = ()) -> Any:
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    with recording(False):
        chosen = call_method(interpreter, mixture, "sample", sample_shape)
        drawn = call_method(interpreter, parts, "sample", sample_shape)
        rank = _event_rank(interpreter, self)
        axis = chosen.array.ndim
        index = _widened(operator("unsqueeze", chosen, -1), rank)
        shape = [1 if at == axis else length for at, length in enumerate(drawn.shape)]
        index = operator("broadcast_to", index, shape)
        return operator("squeeze", operator("gather", drawn, axis, index), axis)


def _log_mixture(interpreter: Interpreter, self: UserObject, value: Any) -> Any:
    """log Σ pₖ fₖ(x)."""
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    x = operator("unsqueeze", value, -1 - _event_rank(interpreter, self))
    each = call_method(interpreter, parts, "log_prob", x)
    shares = operator("log_softmax", attribute_of(interpreter, mixture, "logits"), -1)
    return operator("logsumexp", each + shares, -1)


def _mean_mixture(interpreter: Interpreter, self: UserObject) -> Any:
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    rank = _event_rank(interpreter, self)
    probs = _widened(attribute_of(interpreter, mixture, "probs"), rank)
    return operator("sum", probs * attribute_of(interpreter, parts, "mean"), -1 - rank)


def _variance_mixture(interpreter: Interpreter, self: UserObject) -> Any:
    mixture, parts = get(self, "_mixture_distribution", "_component_distribution")
    rank = _event_rank(interpreter, self)
    probs = _widened(attribute_of(interpreter, mixture, "probs"), rank)
    inside = operator("sum", probs * attribute_of(interpreter, parts, "variance"), -1 - rank)
    center = operator("unsqueeze", _mean_mixture(interpreter, self), -1 - rank)
    between = operator("sum", probs * (attribute_of(interpreter, parts, "mean") - center) ** 2, -1 - rank)
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
        "event_shape": inner_fact("event_shape", "_component_distribution"),
        "mean": _mean_mixture,
        "variance": _variance_mixture,
    },
    __init__=_begin_mixture,
    __repr__=_text_mixture,
    sample=_draw_mixture,
    log_prob=_log_mixture,
)

KINDS = (MIXTURE,)
