"""Keras's SGD: gradient descent with momentum, the learning rate inside the velocity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.rule import Rule, Scalar, Slots


@dataclass(frozen=True, slots=True)
class SGD(Rule):
    """Gradient descent with momentum.

    Slots:   momentum, shaped like theta; starts at zero (v in the formula).
    Variant: Keras. The rate is inside v, so a changed rate acts on v little by little.
    Source:  Polyak (1964); Sutskever et al. (2013).
    """

    learning_rate: Scalar = 0.01
    momentum: Scalar = 0.0
    nesterov: bool = False

    name: ClassVar[str] = "SGD"
    apply_name: ClassVar[str] = "ApplyKerasSGD"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "momentum")
    slots: ClassVar[Mapping[str, str]] = {"momentum": "Initializer/zeros"}
    takes: ClassVar[tuple[str, ...]] = ("slots.momentum", "learning_rate", "momentum", "g")
    doc_zh: ClassVar[str] = "Keras 的带动量梯度下降：学习率在速度 v 之内。"
    latex: ClassVar[tuple[str, ...]] = (
        r"v_t = \mu\, v_{t-1} - \eta\, g_t",
        r"\theta_t = \theta_{t-1} + v_t",
        r"\theta_t = \theta_{t-1} + \mu\, v_t - \eta\, g_t \;\text{(Nesterov)}",
    )

    def init(self, theta: Array) -> Slots:
        """At rest."""
        return {"momentum": np.zeros_like(theta)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Velocity, then a step by it. Shapes: theta, g, momentum (*S) -> (*S)."""
        v = self.momentum * slots["momentum"] - self.learning_rate * g
        step = self.momentum * v - self.learning_rate * g if self.nesterov else v
        return theta + step, {"momentum": v}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it looks ahead."""
        return {"nesterov": self.nesterov}


apply_op(
    SGD(),
    inputs="var velocity lr momentum grad",
    latex=r"{velocity} \leftarrow {momentum}\, {velocity} - {lr}\, {grad};\ "
    r"{var} \leftarrow {var} + {velocity}",
    doc="A step of Keras's SGD, in one op. Shapes: var, velocity, grad (*S), the others () -> (*S).",
    doc_zh="Keras 的 SGD 的一步更新，合成一个运算。",
)


@dataclass(frozen=True, slots=True)
class PlainSGD(Rule):
    """Gradient descent alone: SGD without momentum, of which Keras keeps nothing.

    Slots:  none.
    Source: Robbins and Monro (1951).
    """

    learning_rate: Scalar = 0.01
    momentum: Scalar = 0.0
    nesterov: bool = False

    name: ClassVar[str] = "SGD"
    apply_name: ClassVar[str] = "ApplyKerasPlainSGD"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate",)
    takes: ClassVar[tuple[str, ...]] = ("learning_rate", "g")
    doc_zh: ClassVar[str] = "Keras 的梯度下降，没有动量。"
    latex: ClassVar[tuple[str, ...]] = (r"\theta_t = \theta_{t-1} - \eta\, g_t",)

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """theta minus learning_rate times g. Shapes: theta, g (*S) -> (*S)."""
        return theta - self.learning_rate * g, {}


apply_op(
    PlainSGD(),
    inputs="var lr grad",
    latex=r"{var} \leftarrow {var} - {lr} \cdot {grad}",
    doc="A step of Keras's SGD without momentum. Shapes: var, grad (*S), lr () -> (*S).",
    doc_zh="Keras 的 SGD 在没有动量时的一步更新。",
)


def plain_where_it_is(rule: Rule) -> Rule:
    """The same rule; SGD without momentum as `PlainSGD`."""
    if type(rule) is not SGD or isinstance(rule.momentum, np.ndarray) or rule.momentum != 0:
        return rule
    return PlainSGD(rule.learning_rate, rule.momentum, rule.nesterov)
