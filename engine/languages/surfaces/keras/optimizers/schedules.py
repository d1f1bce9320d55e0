"""`tf.keras.optimizers.schedules`: learning rates that follow the count of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import ops
from engine.graph import Tensor
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.argument_kinds import NUMBERS, SCALAR
from engine.ops.base.building import convert_to_tensor
from engine.optimizers import schedules


def _scheduled(make: Callable[..., Any]) -> Native:
    return Native("schedule", make)


def _step_by_step(decay: Callable[..., Any]) -> Callable[..., Native]:
    """A rate that changes by the same rule every decay_steps."""

    def schedule(
        initial_learning_rate: Any,
        decay_steps: Any,
        decay_rate: Any,
        staircase: Any = False,
        name: Any = None,
    ) -> Native:
        how = {"staircase": bool(staircase)}
        return _scheduled(lambda step: decay(initial_learning_rate, step, decay_steps, decay_rate, **how))

    return schedule


def polynomial_decay(
    initial_learning_rate: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: Any = False,
    name: Any = None,
) -> Native:
    """The rate falls to the end rate along a power."""
    return _scheduled(
        lambda step: schedules.polynomial_decay(
            initial_learning_rate, step, decay_steps, end_learning_rate, power, cycle=bool(cycle)
        )
    )


def piecewise_constant_decay(boundaries: Any, values: Any, name: Any = None) -> Native:
    """One rate up to each boundary."""
    rule = schedules.PiecewiseConstant(list(boundaries), list(values))
    return _scheduled(lambda step: rule.chosen(convert_to_tensor(step)))


def cosine_decay(
    initial_learning_rate: Any,
    decay_steps: Any,
    alpha: Any = 0.0,
    name: Any = None,
    warmup_target: Any = None,
    warmup_steps: Any = 0,
) -> Native:
    """The rate falls along half a wave of the cosine, to alpha of what it was, perhaps warmed up before."""
    if warmup_target is None:
        return _scheduled(
            lambda step: schedules.cosine_decay(initial_learning_rate, step, decay_steps, alpha)
        )

    def rate(step: Any) -> Tensor:
        now = ops.cast(step, "float32")
        falling = schedules.cosine_decay(warmup_target, now - warmup_steps, decay_steps, alpha)
        rising = initial_learning_rate + (warmup_target - initial_learning_rate) * (now / warmup_steps)
        return ops.select(ops.less(now, warmup_steps), rising, falling)

    return _scheduled(rate)


def cosine_decay_restarts(
    initial_learning_rate: Any,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: Any = 0.0,
    name: Any = None,
) -> Native:
    """Half a wave of the cosine after the other, each t_mul as long and m_mul as high as the one before."""
    return _scheduled(
        lambda step: schedules.cosine_decay_restarts(
            initial_learning_rate, step, first_decay_steps, t_mul, m_mul, alpha
        )
    )


RATES = {"values": NUMBERS, "warmup_target": SCALAR, "warmup_steps": SCALAR}

SCHEDULES: Mapping[str, Callable[..., Native]] = {
    "ExponentialDecay": _step_by_step(schedules.exponential_decay),
    "InverseTimeDecay": _step_by_step(schedules.inverse_time_decay),
    "PolynomialDecay": polynomial_decay,
    "PiecewiseConstantDecay": piecewise_constant_decay,
    "CosineDecay": cosine_decay,
    "CosineDecayRestarts": cosine_decay_restarts,
}


def members() -> dict[str, Native]:
    """The names below `tf.` that this file offers."""
    homes = ("keras.optimizers.schedules", "optimizers.schedules")
    paths = {f"{home}.{name}": make for home in homes for name, make in SCHEDULES.items()}
    return {path: Native(f"tf.{path}", make, arguments=RATES) for path, make in paths.items()}
