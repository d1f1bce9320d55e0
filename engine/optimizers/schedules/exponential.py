"""Schedules that fall by a factor: exponential, natural exponential, inverse time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Tensor
from engine.ops.common.casting import cast
from engine.ops.elementwise.arithmetic import add, mul
from engine.ops.elementwise.division import true_divide
from engine.ops.elementwise.exponentials import exp
from engine.ops.elementwise.powers import power
from engine.ops.elementwise.rounding import floor
from engine.ops.elementwise.signs import neg
from engine.optimizers.schedules.schedule import Scaled, Schedule, as_type_of


@dataclass(frozen=True, slots=True)
class ExponentialDecay(Scaled):
    """The rate times decay_rate once every decay_steps steps, smoothly or (staircase) in jumps."""

    learning_rate: Any
    decay_steps: Any
    decay_rate: Any
    staircase: bool = False

    name: ClassVar[str] = "exponential_decay"
    scope: ClassVar[str] = "ExponentialDecay"
    latex: ClassVar[tuple[str, ...]] = (r"\eta_s = \eta_0\, d^{\,s / T}",)
    doc_zh: ClassVar[str] = "每 decay_steps 步把学习率乘以 decay_rate，可平滑变化，也可阶梯式变化。"

    def rate(self, step: int) -> float:
        """At decay_steps it is decay_rate times the first."""
        turns = _turns(step, self.decay_steps, self.staircase)
        return float(self.learning_rate * self.decay_rate**turns)

    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """Casts, quotient, power, product."""
        decay_steps, decay_rate, now = as_type_of(rate, self.decay_steps, self.decay_rate, step)
        turns = now / decay_steps
        if self.staircase:
            turns = floor(turns)
        return mul(rate, power(decay_rate, turns), name=scope)


@dataclass(frozen=True, slots=True)
class NaturalExpDecay(Schedule):
    """The rate times e to the minus decay_rate once every decay_steps steps."""

    learning_rate: Any
    decay_steps: Any
    decay_rate: Any
    staircase: bool = False

    name: ClassVar[str] = "natural_exp_decay"
    scope: ClassVar[str] = "ExponentialDecay"
    latex: ClassVar[tuple[str, ...]] = (r"\eta_s = \eta_0\, e^{-d\, s / T}",)
    doc_zh: ClassVar[str] = "每 decay_steps 步把学习率乘以 e 的 −decay_rate 次方。"

    def rate(self, step: int) -> float:
        """At decay_steps it is e^-decay_rate times the first."""
        turns = _turns(step, self.decay_steps, self.staircase)
        return float(self.learning_rate * math.exp(-self.decay_rate * turns))

    def build(self, global_step: Any, name: str | None = None) -> Tensor:
        """TensorFlow computes the factor outside of the scope, then decays exponentially by it."""
        factor = exp(neg(self.decay_rate))
        decay = ExponentialDecay(self.learning_rate, self.decay_steps, factor, self.staircase)
        return decay.build(global_step, name)


@dataclass(frozen=True, slots=True)
class InverseTimeDecay(Scaled):
    """The rate over one plus a multiple of the time."""

    learning_rate: Any
    decay_steps: Any
    decay_rate: Any
    staircase: bool = False

    name: ClassVar[str] = "inverse_time_decay"
    scope: ClassVar[str] = "InverseTimeDecay"
    latex: ClassVar[tuple[str, ...]] = (r"\eta_s = \frac{\eta_0}{1 + d\, s / T}",)
    doc_zh: ClassVar[str] = "学习率除以（1 + decay_rate × 步数 / decay_steps）。"

    def rate(self, step: int) -> float:
        """At decay_steps it is the first over 1 + decay_rate."""
        turns = _turns(step, self.decay_steps, self.staircase)
        return float(self.learning_rate / (1 + self.decay_rate * turns))

    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """Casts, quotient, one plus product, quotient."""
        decay_steps, decay_rate, now = as_type_of(rate, self.decay_steps, self.decay_rate, step)
        turns = now / decay_steps
        if self.staircase:
            turns = floor(turns)
        one = cast(convert_to_tensor(1), rate.dtype)
        return true_divide(rate, add(one, mul(decay_rate, turns)), name=scope)


def _turns(step: int, decay_steps: int, staircase: bool) -> float:
    return step // decay_steps if staircase else step / decay_steps
