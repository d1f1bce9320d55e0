"""`tf.keras.optimizers.schedules`: learning rates that follow the count of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any

from engine import ops
from engine.graph import Tensor
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.argument_kinds import NUMBERS, SCALAR
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.ops.base.building import convert_to_tensor
from engine.optimizers import schedules

Rate = Callable[[Any], Any]  # from the count of steps


class Scheduled(Native):
    """A learning rate by the count of steps, and what it was made with. kind: the name of its class."""

    def __init__(self, kind: str, rate: Callable[..., Any], config: Mapping[str, Any]) -> None:
        super().__init__("schedule", rate)
        self.kind = kind
        self.config = dict(config)


SCHEDULED = members_of(Scheduled, "LearningRateSchedule")
TYPE_NAMES[Scheduled] = lambda schedule: schedule.kind
SCHEDULED.method("get_config")(lambda schedule: dict(schedule.config))


def _said(kind: str, function: Callable[..., Any]) -> Callable[..., Scheduled]:
    """The same schedule, which keeps its settings by name. kind: its class."""
    own = NAMES.get(kind, kind)

    @wraps(function)
    def make(*args: Any, **keywords: Any) -> Scheduled:
        bound = signature(function).bind(*args, **keywords)
        bound.apply_defaults()
        config = {**bound.arguments, "name": bound.arguments["name"] or own}
        return Scheduled(kind, function(*args, **keywords), config)

    return make


def _step_by_step(decay: Callable[..., Any]) -> Callable[..., Rate]:
    """A rate that changes by the same rule every decay_steps."""

    def schedule(
        initial_learning_rate: Any,
        decay_steps: Any,
        decay_rate: Any,
        staircase: Any = False,
        name: Any = None,
    ) -> Rate:
        how = {"staircase": bool(staircase)}
        return lambda step: decay(initial_learning_rate, step, decay_steps, decay_rate, **how)

    return schedule


def polynomial_decay(
    initial_learning_rate: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: Any = False,
    name: Any = None,
) -> Rate:
    """The rate falls to the end rate along a power."""
    return lambda step: schedules.polynomial_decay(
        initial_learning_rate, step, decay_steps, end_learning_rate, power, cycle=bool(cycle)
    )


def piecewise_constant_decay(boundaries: Any, values: Any, name: Any = None) -> Rate:
    """One rate up to each boundary."""
    rule = schedules.PiecewiseConstant(list(boundaries), list(values))
    return lambda step: rule.chosen(convert_to_tensor(step))


def cosine_decay(
    initial_learning_rate: Any,
    decay_steps: Any,
    alpha: Any = 0.0,
    name: Any = None,
    warmup_target: Any = None,
    warmup_steps: Any = 0,
) -> Rate:
    """The rate falls along half a wave of the cosine, to alpha of what it was, perhaps warmed up before."""
    if warmup_target is None:
        return lambda step: schedules.cosine_decay(initial_learning_rate, step, decay_steps, alpha)

    def rate(step: Any) -> Tensor:
        now = ops.cast(step, "float32")
        falling = schedules.cosine_decay(warmup_target, now - warmup_steps, decay_steps, alpha)
        rising = initial_learning_rate + (warmup_target - initial_learning_rate) * (now / warmup_steps)
        return ops.select(ops.less(now, warmup_steps), rising, falling)

    return rate


def cosine_decay_restarts(
    initial_learning_rate: Any,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: Any = 0.0,
    name: Any = None,
) -> Rate:
    """Half a wave of the cosine after the other, each t_mul as long and m_mul as high as the one before."""
    return lambda step: schedules.cosine_decay_restarts(
        initial_learning_rate, step, first_decay_steps, t_mul, m_mul, alpha
    )


OWN = UserClass(
    "LearningRateSchedule",
    None,
    {
        "__init__": Native("LearningRateSchedule.__init__", lambda self: None, arguments={"self": AN_OBJECT}),
    },
    origin="library",
)  # what a schedule of the program's own inherits from


def is_schedule(rate: Any) -> bool:
    """Whether a learning rate follows the count of steps."""
    return isinstance(rate, Native) or (isinstance(rate, UserObject) and OWN in rate.kind.line())


RATES = {"values": NUMBERS, "warmup_target": SCALAR, "warmup_steps": SCALAR}
NAMES = {"PiecewiseConstantDecay": "PiecewiseConstant", "CosineDecayRestarts": "SGDRDecay"}

SCHEDULES: Mapping[str, Callable[..., Rate]] = {
    "ExponentialDecay": _step_by_step(schedules.exponential_decay),
    "InverseTimeDecay": _step_by_step(schedules.inverse_time_decay),
    "PolynomialDecay": polynomial_decay,
    "PiecewiseConstantDecay": piecewise_constant_decay,
    "CosineDecay": cosine_decay,
    "CosineDecayRestarts": cosine_decay_restarts,
}


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found: dict[str, Any] = {}
    for home in ("keras.optimizers.schedules", "optimizers.schedules"):
        for name, make in SCHEDULES.items():
            kept = _said(name, make)
            found[f"{home}.{name}"] = Native(f"tf.{home}.{name}", kept, arguments=RATES)
        found[f"{home}.{OWN.name}"] = OWN
    return found
