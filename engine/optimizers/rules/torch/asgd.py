"""PyTorch's ASGD: gradient descent that keeps the mean of the points it went through."""

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
    double,
    following,
    like,
    single,
    zeros,
)


@dataclass(frozen=True, slots=True)
class ASGD(TorchRule):
    """Gradient descent with a rate that decays, and the mean of the weights from step t0 on.

    Slots:   ax (the mean), shaped like theta; step (t) starts at zero, eta at the rate, mu at one. PyTorch
             keeps eta and mu in float32.
    Source:  Polyak & Juditsky (1992).
    """

    learning_rate: Scalar = 0.01
    lambd: Scalar = 1e-4
    alpha: Scalar = 0.75
    t0: Scalar = 1e6
    weight_decay: Scalar = 0.0
    maximize: bool = False

    name: ClassVar[str] = "ASGD"
    apply_name: ClassVar[str] = "ApplyTorchASGD"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "lambd", "alpha", "t0", "weight_decay")
    slots: ClassVar[Mapping[str, str]] = {"ax": ZEROS, "step": START, "eta": START, "mu": START}
    state: ClassVar[str] = "step eta mu ax"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.ax", "slots.step", "slots.eta", "slots.mu"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "PyTorch 的 ASGD：学习率逐渐衰减的梯度下降，从第 t0 步起保存权重的均值。"
    latex: ClassVar[tuple[str, ...]] = (
        r"\eta_t = \frac{\eta}{(1 + \lambda\, \eta\, t)^{\alpha}},\quad \mu_t = \frac{1}{\max(1,\ t - t_0)}",
        r"\theta_t = (1 - \lambda\, \eta_{t-1})\, \theta_{t-1} - \eta_{t-1}\, g_t",
        r"\bar\theta_t = \bar\theta_{t-1} + \mu_{t-1}\, (\theta_t - \bar\theta_{t-1})",
    )

    def init(self, theta: Array) -> Slots:
        """The mean of nothing, no steps made, the rate itself."""
        rate = np.asarray(like(theta, single(self.learning_rate)))
        return {**zeros(theta, "ax"), "eta": rate, "mu": np.ones((), dtype=theta.dtype)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The step, the mean, the next rate. Shapes: theta, g, ax (*S), the others () -> (*S)."""
        step, eta, mu = slots["step"] + 1, slots["eta"], slots["mu"]
        t = double(step)
        g = decayed(following(g, self.maximize), theta, self.weight_decay)
        new = fused(-eta, g, theta * like(theta, 1 - self.lambd * double(eta)))
        mean = np.where(mu == 1, new, slots["ax"] + (new - slots["ax"]) * mu)
        rate = self.learning_rate / (1 + self.lambd * self.learning_rate * t) ** self.alpha
        share = 1 / np.maximum(1, t - self.t0)
        return new, {
            "ax": mean,
            "step": step,
            "eta": like(theta, single(rate)),
            "mu": like(theta, single(share)),
        }

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it goes up."""
        return {"maximize": self.maximize}


apply_op(
    ASGD(),
    inputs="var ax step eta mu lr lambd alpha t0 weight_decay grad",
    latex=r"{var} \leftarrow (1 - {lambd}\, {eta})\, {var} - {eta}\, {grad}",
    doc="A step of PyTorch's ASGD. Shapes: var, ax, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 ASGD 的一步更新。",
)
