"""The user's own step between compute_gradients and apply_gradients, as a request names it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine import ops
from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.reading.suggestions import one_of
from engine.ops.networks.clipping import clip_by_global_norm, clip_by_norm, clip_by_value

Pairs = list[tuple[Any, Any]]  # gradient (or None) and variable


def process(pairs: Pairs, steps: Sequence[Mapping[str, Any]]) -> Pairs:
    """The pairs after every step of `process`, in order.

    Raises: ValueRefused for a step that there is not, a bound that is no number, or a step of several things,
            whose order a request's JSON does not keep.
    """
    for step in steps:
        if len(step) != 1:
            raise _not_one(step)
        ((name, bound),) = step.items()
        pairs = _step_named(name)(pairs, bound)
    return pairs


def _step_named(name: str) -> Callable[[Pairs, Any], Pairs]:
    if name in STEPS:
        return STEPS[name]
    hint, hint_zh = one_of(name, STEPS)
    raise ValueRefused(
        f"There is no gradient processing named `{name}`.",
        hint=hint,
        message_zh=f"没有名为 `{name}` 的梯度处理。",
        hint_zh=hint_zh,
        code="unknown_process",
    )


def _by_norm(pairs: Pairs, bound: Any) -> Pairs:
    return _each(pairs, lambda g: clip_by_norm(g, _positive("clip_by_norm", bound)))


def _by_value(pairs: Pairs, bound: Any) -> Pairs:
    low, high = _interval(bound)
    return _each(pairs, lambda g: clip_by_value(g, low, high))


def _by_global_norm(pairs: Pairs, bound: Any) -> Pairs:
    gradients = [gradient for gradient, _ in pairs]
    clipped, _ = clip_by_global_norm(gradients, _positive("clip_by_global_norm", bound))
    return [(gradient, variable) for gradient, (_, variable) in zip(clipped, pairs, strict=True)]


def _scaled(pairs: Pairs, factor: Any) -> Pairs:
    return _each(pairs, lambda g: ops.mul(g, _number("scale", factor)))


STEPS: dict[str, Callable[[Pairs, Any], Pairs]] = {
    "clip_by_norm": _by_norm,
    "clip_by_value": _by_value,
    "clip_by_global_norm": _by_global_norm,
    "scale": _scaled,
}


NEEDED = {
    "scale": ("number", "一个数"),
    "clip_by_value": ("positive number or two bounds, the lower first", "一个正数，或先下后上的两个界"),
}


def _each(pairs: Pairs, change: Callable[[Any], Any]) -> Pairs:
    return [(None if g is None else change(g), variable) for g, variable in pairs]


def _interval(bound: Any) -> tuple[float, float]:
    if isinstance(bound, (list, tuple)) and len(bound) == 2:
        low, high = _number("clip_by_value", bound[0]), _number("clip_by_value", bound[1])
        if low > high:
            raise _bad_bound("clip_by_value", bound)
        return low, high
    size = _positive("clip_by_value", bound)
    return -size, size


def _positive(name: str, value: Any) -> float:
    number = _number(name, value)
    if number <= 0:
        raise _bad_bound(name, value)
    return number


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise _bad_bound(name, value)
    return float(value)


def _not_one(step: Mapping[str, Any]) -> ValueRefused:
    named, named_zh = (", ".join(step), "、".join(step)) if step else ("none", "没有")
    return ValueRefused(
        f"Each step of `process` names one thing to do with the gradients; here is: {named}.",
        message_zh=f"`process` 的每一步只写一种梯度处理；这里是：{named_zh}。",
        hint='They are done in order: [{"clip_by_norm": 5}, {"scale": 2}].',
        hint_zh='它们按顺序进行：[{"clip_by_norm": 5}, {"scale": 2}]。',
        code="bad_process",
    )


def _bad_bound(name: str, value: Any) -> ValueRefused:
    number, number_zh = NEEDED.get(name, ("positive number", "一个正数"))
    return ValueRefused(
        f"`{name}` needs a {number}, not {quoted(value)}.",
        message_zh=f"`{name}` 需要{number_zh}，不能是 {quoted(value)}。",
        hint="For example 5.",
        hint_zh="例如 5。",
        code="bad_process",
    )
