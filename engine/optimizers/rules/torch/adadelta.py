"""PyTorch's Adadelta."""

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
    following,
    like,
    mean_square,
    zeros,
)


@dataclass(frozen=True, slots=True)
class Adadelta(TorchRule):
    """Steps as large as the steps so far, in proportion to the gradient over its mean size.

    Slots:  square_avg (v) and acc_delta (u), shaped like theta; step. All start at zero.
    Source: Zeiler (2012).
    """

    learning_rate: Scalar = 1.0
    rho: Scalar = 0.9
    epsilon: Scalar = 1e-6
    weight_decay: Scalar = 0.0
    maximize: bool = False

    name: ClassVar[str] = "Adadelta"
    apply_name: ClassVar[str] = "ApplyTorchAdadelta"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "rho", "epsilon", "weight_decay")
    slots: ClassVar[Mapping[str, str]] = {"square_avg": ZEROS, "acc_delta": ZEROS, "step": START}
    state: ClassVar[str] = "step square_avg acc_delta"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.square_avg", "slots.acc_delta", "slots.step"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "PyTorch 的 Adadelta：步长与以往步长相当，方向为梯度除以其平均大小。"
    latex: ClassVar[tuple[str, ...]] = (
        r"g'_t = g_t + \lambda\, \theta_{t-1}",
        r"v_t = \rho\, v_{t-1} + (1 - \rho)\, g'^2_t",
        r"\Delta_t = \frac{\sqrt{u_{t-1} + \epsilon}}{\sqrt{v_t + \epsilon}}\, g'_t",
        r"u_t = \rho\, u_{t-1} + (1 - \rho)\, \Delta_t^2",
        r"\theta_t = \theta_{t-1} - \eta\, \Delta_t",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, no steps made."""
        return zeros(theta, "square_avg", "acc_delta")

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both means around the step. Shapes: theta, g, square_avg, acc_delta (*S), step () -> (*S)."""
        g = decayed(following(g, self.maximize), theta, self.weight_decay)
        epsilon = like(theta, self.epsilon)
        v = mean_square(slots["square_avg"], g, self.rho)
        delta = np.sqrt(slots["acc_delta"] + epsilon) / np.sqrt(v + epsilon) * g
        u = mean_square(slots["acc_delta"], delta, self.rho)
        new = fused(-like(theta, self.learning_rate), delta, theta)
        return new, {"square_avg": v, "acc_delta": u, "step": slots["step"] + 1}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it goes up."""
        return {"maximize": self.maximize}


apply_op(
    Adadelta(),
    inputs="var square_avg acc_delta step lr rho eps weight_decay grad",
    latex=r"{var} \leftarrow {var} - {lr}"
    r" \frac{\sqrt{{acc_delta} + {eps}}}{\sqrt{{square_avg} + {eps}}} {grad}",
    doc="A step of PyTorch's Adadelta. Shapes: var, square_avg, acc_delta, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 Adadelta 的一步更新。",
)
