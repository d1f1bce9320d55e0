"""PyTorch's Adamax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.torch.rule import (
    START,
    ZEROS,
    TorchRule,
    decayed,
    double,
    drawn_to,
    following,
    like,
    moved,
    zeros,
)


@dataclass(frozen=True, slots=True)
class Adamax(TorchRule):
    """Adam with the largest gradient so far, which fades, in place of the root of a mean square.

    Slots:   exp_avg (m) and exp_inf (u), shaped like theta; step (t). All start at zero.
    Variant: PyTorch. epsilon is added to the magnitude of the gradient.
    Source:  Kingma & Ba (2015), algorithm 2.
    """

    learning_rate: Scalar = 0.002
    beta1: Scalar = 0.9
    beta2: Scalar = 0.999
    epsilon: Scalar = 1e-8
    weight_decay: Scalar = 0.0
    maximize: bool = False

    name: ClassVar[str] = "Adamax"
    apply_name: ClassVar[str] = "ApplyTorchAdamax"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        *("learning_rate", "beta1", "beta2", "epsilon", "weight_decay"),
    )
    slots: ClassVar[Mapping[str, str]] = {"exp_avg": ZEROS, "exp_inf": ZEROS, "step": START}
    state: ClassVar[str] = "step exp_avg exp_inf"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.exp_avg", "slots.exp_inf", "slots.step"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "PyTorch 的 Adamax：用逐渐衰减的最大梯度代替均方根。"
    latex: ClassVar[tuple[str, ...]] = (
        r"g'_t = g_t + \lambda\, \theta_{t-1}",
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g'_t",
        r"u_t = \max(\beta_2\, u_{t-1},\ |g'_t| + \epsilon)",
        r"\theta_t = \theta_{t-1} - \frac{\eta}{1 - \beta_1^t} \frac{m_t}{u_t}",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, no steps made."""
        return zeros(theta, "exp_avg", "exp_inf")

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The mean, the largest, the step. Shapes: theta, g, exp_avg, exp_inf (*S), step () -> (*S)."""
        step = slots["step"] + 1
        g = decayed(following(g, self.maximize), theta, self.weight_decay)
        m = drawn_to(slots["exp_avg"], g, 1 - self.beta1)
        u = np.maximum(slots["exp_inf"] * like(theta, self.beta2), np.abs(g) + like(theta, self.epsilon))
        rate = like(theta, self.learning_rate / (1 - self.beta1 ** double(step)))
        return moved(theta, rate, m, u), {"exp_avg": m, "exp_inf": u, "step": step}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it goes up."""
        return {"maximize": self.maximize}


apply_op(
    Adamax(),
    inputs="var exp_avg exp_inf step lr beta1 beta2 eps weight_decay grad",
    latex=r"{var} \leftarrow {var} - \frac{{lr}}{1 - {beta1}^t} \frac{{exp_avg}}{{exp_inf}}",
    doc="A step of PyTorch's Adamax. Shapes: var, exp_avg, exp_inf, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 Adamax 的一步更新。",
)
