"""A schedule that falls to an end rate along a power of the time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.graph.control_flow.building import cond
from engine.ops.base.tensors import Operators, Tensor
from engine.ops.elementwise.arithmetic import add, mul
from engine.ops.elementwise.comparison import equal
from engine.ops.elementwise.extremes import minimum
from engine.ops.elementwise.powers import power
from engine.ops.elementwise.rounding import ceil
from engine.optimizers.schedules.schedule import Scaled, as_type_of


@dataclass(frozen=True, slots=True)
class PolynomialDecay(Scaled):
    """From the first rate to end_learning_rate in decay_steps steps; linear for power 1.

    With cycle, the time is extended to the next multiple of decay_steps instead of standing still.
    """

    learning_rate: Any
    decay_steps: Any
    end_learning_rate: Any = 0.0001
    power: Any = 1.0
    cycle: bool = False

    name: ClassVar[str] = "polynomial_decay"
    scope: ClassVar[str] = "PolynomialDecay"
    latex: ClassVar[tuple[str, ...]] = (
        r"\eta_s = (\eta_0 - \eta_T) \left(1 - \frac{\min(s, T)}{T}\right)^{p} + \eta_T",
    )
    doc_zh: ClassVar[str] = "用 decay_steps 步按幂函数从初始学习率降到 end_learning_rate；幂为 1 时是线性的。"

    def rate(self, step: int) -> float:
        """At decay_steps and after it is end_learning_rate."""
        whole = self.decay_steps * (max(1, math.ceil(step / self.decay_steps)) if self.cycle else 1)
        left = 1 - min(step, whole) / whole
        span = self.learning_rate - self.end_learning_rate
        return float(span * left**self.power + self.end_learning_rate)

    @property
    def _steps(self) -> Any:
        """A number as a float beside the step; a tensor as it is."""
        return self.decay_steps if isinstance(self.decay_steps, Operators) else float(self.decay_steps)

    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """Casts, share of the time, power, product and sum."""
        end, exponent, now, whole = as_type_of(
            rate, self.end_learning_rate, self.power, step, self.decay_steps
        )
        if self.cycle:
            turns = cond(rate.graph, equal(now, 0.0), lambda: 1.0, lambda: ceil(now / self._steps))
            whole = mul(whole, turns)
        else:
            now = minimum(now, self._steps)
        share = now / whole
        return add(mul(rate - end, power(1.0 - share, exponent)), end, name=scope)
