"""Why the numbers of a run grow without end, and what helps against that."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from engine.ops.base.domains import shown
from engine.ops.base.tensors import Array
from engine.programs.diagnosis.non_finite import Values
from engine.programs.training.training import Training, rows_of

ABYSS = -1e15  # a target below this sinks without end

NOTHING: Values = MappingProxyType({})
Reason = tuple[str, str, str, str]  # a reason and what to try, each in both languages


def why_it_grows(training: Training, values: Values) -> Reason:
    """The reason why a run grows whose tensors have these values in its last row, and what to try."""
    rate, momentum = setting(training, "learning_rate", values), setting(training, "momentum", values)
    if rate is not None and rate < 0:
        return (
            f"The learning rate, {shown(rate)}, is negative: each step goes uphill.",
            f"学习率 {shown(rate)} 是负数：每一步都在上升。",
            "Try a learning rate above 0.",
            "可以试试：大于 0 的学习率。",
        )
    if _is_reversed(training, values):
        return (
            "The processed gradient points against the gradient: each step goes uphill.",
            "处理后的梯度与梯度方向相反：每一步都在上升。",
            "Try a processing that keeps the direction, such as a scale above 0.",
            "可以试试：保持方向的处理，例如大于 0 的 scale。",
        )
    if momentum is not None and momentum >= 1:
        return (
            f"With a momentum of {shown(momentum)} no step is ever forgotten, and they grow without end.",
            f"动量为 {shown(momentum)} 时，以前的步不会被遗忘，步子不断变大。",
            "Try a momentum below 1.",
            "可以试试：小于 1 的动量。",
        )
    if np.max(values[training.loss], initial=-np.inf) < ABYSS:
        return (
            "The target sinks without end: it has no least value.",
            "目标不断减小：它没有最小值。",
            "Try a target that is bounded from below, such as a square.",
            "可以试试：有下界的目标，例如平方。",
        )
    return (
        "The values grow without end: the learning rate is too large.",
        "数值不断增大：学习率太大。",
        "Try a smaller learning rate, or clip the gradient.",
        "可以试试：更小的学习率，或裁剪梯度。",
    )


def _is_reversed(training: Training, values: Values) -> bool:
    """Whether processing has reversed the direction of the gradients."""
    pairs = zip(training.raw, training.processed, strict=True)
    both = [
        (rows_of(raw), rows_of(ready))
        for (raw, _), (ready, _) in pairs
        if raw is not None and ready is not None
    ]
    with np.errstate(all="ignore"):
        return sum(_along(values[raw], values[ready]) for raw, ready in both) < 0


def _along(raw: Array, ready: Array) -> float:
    """The projection of one gradient on the signs of another; 0 where their shapes no longer match."""
    return float(np.sum(np.sign(raw) * ready)) if raw.shape == ready.shape else 0.0


def setting(training: Training, key: str, values: Values = NOTHING) -> float | None:
    """A hyper-parameter of a run's optimizer; None where there is none, or no value of it."""
    constant = training.optimizer.constants.get(key)
    value: Any = getattr(training.optimizer.rule, key, None)
    if constant is not None:
        value = training.feeds.get(constant, values.get(constant, value))
    plain = isinstance(value, (int, float, np.number, np.ndarray)) and not isinstance(value, bool)
    return float(value) if plain and np.ndim(value) == 0 else None
