"""Gradient descent with momentum, in TensorFlow 1's form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rule import Rule, Scalar, Slots


@dataclass(frozen=True, slots=True)
class Momentum(Rule):
    """Gradient descent with heavy-ball momentum, or with Nesterov's look ahead.

    Slots:   momentum, shaped like theta; starts at zero (v in the formula).
    Variant: the learning rate scales v, so a changed rate acts on the next step at once (Keras puts the
             rate inside v). Nesterov: theta moves by g + mu v with the new v.
    Source:  Polyak (1964); Nesterov (1983), in the form of Sutskever et al. (2013).
    """

    learning_rate: Scalar = 0.01
    momentum: Scalar = 0.9
    use_nesterov: bool = False

    name: ClassVar[str] = "Momentum"
    apply_name: ClassVar[str] = "ApplyMomentum"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "momentum")
    slots: ClassVar[Mapping[str, str]] = {"momentum": "Initializer/zeros"}
    takes: ClassVar[tuple[str, ...]] = ("slots.momentum", "learning_rate", "g", "momentum")
    doc_zh: ClassVar[str] = "带重球动量的梯度下降，或 Nesterov 的前瞻形式。学习率乘在速度 v 之外。"
    latex: ClassVar[tuple[str, ...]] = (
        r"v_t = \mu\, v_{t-1} + g_t",
        r"\theta_t = \theta_{t-1} - \eta\, v_t",
        r"\theta_t = \theta_{t-1} - \eta\,(g_t + \mu\, v_t) \;\text{(Nesterov)}",
    )

    def init(self, theta: Array) -> Slots:
        """At rest."""
        return {"momentum": np.zeros_like(theta)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Old velocity, damped, plus the gradient; then a step along it. Shapes: theta, g, v (*S) -> (*S)."""
        v = self.momentum * slots["momentum"] + g
        step = g + self.momentum * v if self.use_nesterov else v
        return theta - self.learning_rate * step, {"momentum": v}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it looks ahead."""
        return {"use_nesterov": self.use_nesterov}


apply_op(
    Momentum(),
    inputs="var accum lr grad momentum",
    latex=r"{accum} \leftarrow {momentum}\, {accum} + {grad};\ {var} \leftarrow {var} - {lr}\, {accum}",
    doc="A step of Momentum. Shapes: var, accum, grad (*S), lr and momentum () -> (*S).",
    doc_zh="Momentum 的一步更新。",
    sparse=True,
)


def momentum_optimizer(
    learning_rate: Any,
    momentum: Any,
    use_locking: bool = False,
    name: str | None = None,
    use_nesterov: bool = False,
) -> Optimizer:
    """`tf.train.MomentumOptimizer`."""
    return Optimizer(Momentum(learning_rate, momentum, use_nesterov), name=name, use_locking=use_locking)
