"""PyTorch's Adagrad."""

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
    TorchRule,
    decayed,
    double,
    following,
    full,
    like,
    moved,
)


@dataclass(frozen=True, slots=True)
class Adagrad(TorchRule):
    """The gradient over the root of the sum of all its squares so far.

    Slots:  sum (s), shaped like theta; starts at initial_accumulator_value. step (t).
    Source: Duchi, Hazan & Singer (2011); the rate decays with lr_decay.
    """

    learning_rate: Scalar = 0.01
    lr_decay: Scalar = 0.0
    weight_decay: Scalar = 0.0
    epsilon: Scalar = 1e-10
    initial_accumulator_value: float = 0.0
    maximize: bool = False

    name: ClassVar[str] = "Adagrad"
    apply_name: ClassVar[str] = "ApplyTorchAdagrad"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "lr_decay", "weight_decay", "epsilon")
    slots: ClassVar[Mapping[str, str]] = {"sum": START, "step": START}
    state: ClassVar[str] = "step sum"
    takes: ClassVar[tuple[str, ...]] = ("slots.sum", "slots.step", *hyper_parameters, "g")
    doc_zh: ClassVar[str] = "PyTorch 的 Adagrad：梯度除以以往全部梯度平方和的根，学习率可随步数衰减。"
    latex: ClassVar[tuple[str, ...]] = (
        r"g'_t = g_t + \lambda\, \theta_{t-1}",
        r"s_t = s_{t-1} + g'^2_t",
        r"\theta_t = \theta_{t-1} - \frac{\eta}{1 + (t - 1)\, \gamma} \frac{g'_t}{\sqrt{s_t} + \epsilon}",
    )

    def init(self, theta: Array) -> Slots:
        """The sum before the first gradient, no steps made."""
        return {
            "sum": full(theta, self.initial_accumulator_value),
            "step": np.zeros((), dtype=theta.dtype),
        }

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The sum of squares, the step. Shapes: theta, g, sum (*S), step () -> (*S)."""
        step = slots["step"] + 1
        g = decayed(following(g, self.maximize), theta, self.weight_decay)
        rate = like(theta, self.learning_rate / (1 + (double(step) - 1) * self.lr_decay))
        s = fused(g, g, slots["sum"])
        return moved(theta, rate, g, np.sqrt(s) + like(theta, self.epsilon)), {"sum": s, "step": step}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it goes up."""
        return {"maximize": self.maximize}


apply_op(
    Adagrad(),
    inputs="var sum step lr lr_decay weight_decay eps grad",
    latex=r"{var} \leftarrow {var} - {lr} \frac{{grad}}{\sqrt{{sum}} + {eps}}",
    doc="A step of PyTorch's Adagrad. Shapes: var, sum, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 Adagrad 的一步更新。",
)
