"""PyTorch's RMSprop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.ops.common.fused import fused
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.torch.rule import (
    START,
    ZEROS,
    TorchRule,
    decayed,
    drawn_to,
    either,
    following,
    like,
    mean_square,
    moved,
    zeros,
)


@dataclass(frozen=True, slots=True)
class RMSprop(TorchRule):
    """The gradient over the root of a running mean of its square.

    Slots:   square_avg (v), grad_avg (m, where centered), momentum_buffer (b), shaped like theta; step. All
             zero.
    Variant: PyTorch. epsilon outside of the root; the rate outside of the velocity b.
    Source:  Hinton (2012), lecture 6; centered: Graves (2013).
    """

    learning_rate: Scalar = 0.01
    alpha: Scalar = 0.99
    epsilon: Scalar = 1e-8
    weight_decay: Scalar = 0.0
    momentum: Scalar = 0.0
    centered: bool = False
    maximize: bool = False

    name: ClassVar[str] = "RMSprop"
    apply_name: ClassVar[str] = "ApplyTorchRMSprop"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        *("learning_rate", "alpha", "epsilon", "weight_decay", "momentum"),
    )
    slots: ClassVar[Mapping[str, str]] = {
        "square_avg": ZEROS,
        "momentum_buffer": ZEROS,
        "grad_avg": ZEROS,
        "step": START,
    }
    state: ClassVar[str] = "step square_avg momentum_buffer?momentum grad_avg?centered"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.square_avg", "slots.momentum_buffer", "slots.grad_avg", "slots.step"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "PyTorch 的 RMSprop：epsilon 在根号之外，学习率在速度之外；可选居中与动量。"
    latex: ClassVar[tuple[str, ...]] = (
        r"g'_t = g_t + \lambda\, \theta_{t-1}",
        r"v_t = \alpha\, v_{t-1} + (1 - \alpha)\, g'^2_t",
        r"b_t = \mu\, b_{t-1} + \frac{g'_t}{\sqrt{v_t} + \epsilon}",
        r"\theta_t = \theta_{t-1} - \eta\, b_t",
        r"m_t = \alpha\, m_{t-1} + (1 - \alpha)\, g'_t,\quad \sqrt{v_t - m_t^2} \;\text{(centered)}",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, at rest, no steps made."""
        return zeros(theta, "square_avg", "momentum_buffer", "grad_avg")

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The mean square, the velocity, the step. Shapes: theta, g, slots (*S), step () -> (*S)."""
        g = decayed(following(g, self.maximize), theta, self.weight_decay)
        v = mean_square(slots["square_avg"], g, self.alpha)
        m = drawn_to(slots["grad_avg"], g, 1 - self.alpha)
        root = np.sqrt(fused(-m, m, v) if self.centered else v) + like(theta, self.epsilon)
        b = like(theta, self.momentum) * slots["momentum_buffer"] + g / root
        rate = like(theta, self.learning_rate)
        new = either(self.momentum > 0, lambda: fused(-rate, b, theta), lambda: moved(theta, rate, g, root))
        return new, {"square_avg": v, "momentum_buffer": b, "grad_avg": m, "step": slots["step"] + 1}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether the mean is taken off, and whether it goes up."""
        return {"centered": self.centered, "maximize": self.maximize}


apply_op(
    RMSprop(),
    inputs="var square_avg momentum_buffer grad_avg step lr alpha eps weight_decay momentum grad",
    latex=r"{var} \leftarrow {var} - {lr} \frac{{grad}}{\sqrt{{square_avg}} + {eps}}",
    doc="A step of PyTorch's RMSprop. Shapes: var, slots like it, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 RMSprop 的一步更新。",
)
