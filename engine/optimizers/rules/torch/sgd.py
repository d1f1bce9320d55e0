"""PyTorch's SGD: gradient descent, plain or with momentum, the learning rate outside of the velocity."""

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
)


@dataclass(frozen=True, slots=True)
class PlainSGD(TorchRule):
    """Gradient descent alone: SGD without momentum and weight decay, which keeps nothing of a variable.

    Slots:  none.
    Source: Robbins and Monro (1951).
    """

    learning_rate: Scalar = 0.001

    name: ClassVar[str] = "SGD"
    apply_name: ClassVar[str] = "ApplyTorchPlainSGD"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate",)
    takes: ClassVar[tuple[str, ...]] = ("learning_rate", "g")
    doc_zh: ClassVar[str] = "PyTorch 的梯度下降，没有动量，也没有权重衰减。"
    latex: ClassVar[tuple[str, ...]] = (r"\theta_t = \theta_{t-1} - \eta\, g_t",)

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """theta minus learning_rate times g. Shapes: theta, g (*S) -> (*S)."""
        return fused(-like(theta, self.learning_rate), g, theta), {}


apply_op(
    PlainSGD(),
    inputs="var lr grad",
    latex=r"{var} \leftarrow {var} - {lr} \cdot {grad}",
    doc="A step of PyTorch's SGD without momentum. Shapes: var, grad (*S), lr () -> (*S).",
    doc_zh="PyTorch 的 SGD 在没有动量时的一步更新。",
)


@dataclass(frozen=True, slots=True)
class SGD(TorchRule):
    """Gradient descent, with momentum where `momentum` is above 0.

    Slots:   momentum_buffer (v in the formula), shaped like theta; `started`, whether it holds a velocity
             yet.
    Variant: PyTorch. The first velocity is the whole gradient, without dampening. The rate scales v, so a
             changed rate acts on the next step.
    Source:  Polyak (1964); Sutskever et al. (2013).
    """

    learning_rate: Scalar = 0.001
    momentum: Scalar = 0.0
    dampening: Scalar = 0.0
    weight_decay: Scalar = 0.0
    nesterov: bool = False
    maximize: bool = False

    name: ClassVar[str] = "SGD"
    apply_name: ClassVar[str] = "ApplyTorchSGD"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "momentum", "dampening", "weight_decay")
    slots: ClassVar[Mapping[str, str]] = {"momentum_buffer": ZEROS, "started": START}
    state: ClassVar[str] = "momentum_buffer?momentum"
    takes: ClassVar[tuple[str, ...]] = ("slots.momentum_buffer", "slots.started", *hyper_parameters, "g")
    doc_zh: ClassVar[str] = "PyTorch 的带动量梯度下降：学习率在速度 v 之外，第一个速度就是整个梯度。"
    latex: ClassVar[tuple[str, ...]] = (
        r"g'_t = g_t + \lambda\, \theta_{t-1}",
        r"v_t = \mu\, v_{t-1} + (1 - \tau)\, g'_t",
        r"\theta_t = \theta_{t-1} - \eta\, v_t",
        r"\theta_t = \theta_{t-1} - \eta\, (g'_t + \mu\, v_t) \;\text{(Nesterov)}",
    )

    def init(self, theta: Array) -> Slots:
        """No velocity yet."""
        return {"momentum_buffer": np.zeros_like(theta), "started": np.zeros((), dtype=theta.dtype)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Velocity, then a step against it; without momentum the velocity stays as it is.

        Shapes: theta, g, momentum_buffer (*S) -> (*S).
        """
        g = decayed(following(g, self.maximize), theta, self.weight_decay)
        mu = like(theta, self.momentum)
        v = fused(like(theta, 1 - self.dampening), g, mu * slots["momentum_buffer"])
        v = np.where(slots["started"] != 0, v, g)
        ahead = np.where(mu != 0, fused(mu, v, g) if self.nesterov else v, g)
        kept = np.where(mu != 0, v, slots["momentum_buffer"])
        started = like(theta, np.logical_or(slots["started"] != 0, mu != 0))
        new = fused(-like(theta, self.learning_rate), ahead, theta)
        return new, {"momentum_buffer": kept, "started": started}

    def completed(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """A velocity has begun where it is not zero."""
        if "momentum_buffer" not in given:
            return given
        return {"started": float(np.any(given["momentum_buffer"])), **given}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it looks ahead, and whether it goes up."""
        return {"nesterov": self.nesterov, "maximize": self.maximize}


apply_op(
    SGD(),
    inputs="var momentum_buffer started lr momentum dampening weight_decay grad",
    latex=r"{momentum_buffer} \leftarrow {momentum}\, {momentum_buffer} + (1 - {dampening})\, {grad};\ "
    r"{var} \leftarrow {var} - {lr}\, {momentum_buffer}",
    doc="A step of PyTorch's SGD. Shapes: var, momentum_buffer, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 SGD 的一步更新。",
)
