"""Learning-rate schedules: as pure rules, and as the graph that TensorFlow 1.15 builds for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ops.base.tensors import Tensor
from engine.optimizers.schedules.cosine import CosineDecay, CosineDecayRestarts, LinearCosineDecay
from engine.optimizers.schedules.exponential import ExponentialDecay, InverseTimeDecay, NaturalExpDecay
from engine.optimizers.schedules.piecewise import PiecewiseConstant, WarmUp
from engine.optimizers.schedules.polynomial import PolynomialDecay
from engine.optimizers.schedules.schedule import Schedule

SCHEDULES: dict[str, type[Schedule]] = {
    schedule.name: schedule
    for schedule in (
        ExponentialDecay,
        NaturalExpDecay,
        InverseTimeDecay,
        PolynomialDecay,
        PiecewiseConstant,
        CosineDecay,
        CosineDecayRestarts,
        LinearCosineDecay,
        WarmUp,
    )
}


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """`tf.train.exponential_decay`."""
    return ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase).build(global_step, name)


def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """`tf.train.natural_exp_decay`."""
    return NaturalExpDecay(learning_rate, decay_steps, decay_rate, staircase).build(global_step, name)


def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """`tf.train.inverse_time_decay`."""
    return InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase).build(global_step, name)


def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Tensor:
    """`tf.train.polynomial_decay`."""
    decay = PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)
    return decay.build(global_step, name)


def piecewise_constant(
    x: Any, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None
) -> Tensor:
    """`tf.train.piecewise_constant`."""
    return PiecewiseConstant(boundaries, values).build(x, name)


def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0, name: str | None = None
) -> Tensor:
    """`tf.train.cosine_decay`."""
    return CosineDecay(learning_rate, decay_steps, alpha).build(global_step, name)


def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: float = 2.0,
    m_mul: float = 1.0,
    alpha: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """`tf.train.cosine_decay_restarts`."""
    decay = CosineDecayRestarts(learning_rate, first_decay_steps, t_mul, m_mul, alpha)
    return decay.build(global_step, name)


def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Tensor:
    """`tf.train.linear_cosine_decay`."""
    return LinearCosineDecay(learning_rate, decay_steps, num_periods, alpha, beta).build(global_step, name)


__all__ = [
    "SCHEDULES",
    "CosineDecay",
    "CosineDecayRestarts",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LinearCosineDecay",
    "NaturalExpDecay",
    "PiecewiseConstant",
    "PolynomialDecay",
    "Schedule",
    "WarmUp",
    "cosine_decay",
    "cosine_decay_restarts",
    "exponential_decay",
    "inverse_time_decay",
    "linear_cosine_decay",
    "natural_exp_decay",
    "piecewise_constant",
    "polynomial_decay",
]
