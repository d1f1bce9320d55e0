"""Keras's RMSprop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op, apply_rows_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.keras.of_rows import SquaringRule
from engine.optimizers.rules.keras.shares import as_written, rest_of


@dataclass(frozen=True, slots=True)
class RMSprop(SquaringRule):
    """Divide the gradient by the root of its running mean square, then take a step with momentum.

    Slots:   velocity (r in the formula), momentum (v) and average_gradient (m, used where centered); all
             shaped like theta, start at zero.
    Variant: Keras. The mean square starts at zero (TensorFlow 1: at one), so the first steps are long;
             epsilon inside the root.
    Source:  Tieleman & Hinton (2012), lecture 6e.
    """

    learning_rate: Scalar = 0.001
    rho: Scalar = 0.9
    momentum: Scalar = 0.0
    epsilon: Scalar = 1e-7
    centered: bool = False

    name: ClassVar[str] = "RMSprop"
    apply_name: ClassVar[str] = "ApplyKerasRMSprop"
    apply_rows_name: ClassVar[str] = "ApplyKerasRMSpropOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "rho", "momentum", "epsilon")
    slots: ClassVar[Mapping[str, str]] = {
        "velocity": "Initializer/zeros",
        "momentum": "Initializer/zeros",
        "average_gradient": "Initializer/zeros",
    }
    takes: ClassVar[tuple[str, ...]] = (
        "slots.velocity",
        "slots.momentum",
        "slots.average_gradient",
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "Keras 的 RMSprop：均方从 0 开始（TensorFlow 1 从 1 开始），epsilon 在根号之内。"
    latex: ClassVar[tuple[str, ...]] = (
        r"r_t = \rho\, r_{t-1} + (1 - \rho)\, g_t^2",
        r"v_t = \mu\, v_{t-1} + \frac{\eta\, g_t}{\sqrt{r_t + \epsilon}}",
        r"v_t = \mu\, v_{t-1} + \frac{\eta\, g_t}{\sqrt{r_t - m_t^2 + \epsilon}} \;\text{(centered)}",
        r"\theta_t = \theta_{t-1} - v_t",
    )

    def init(self, theta: Array) -> Slots:
        """Nothing seen."""
        return {name: np.zeros_like(theta) for name in self.slots}

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """Mean square, mean, velocity, step. Shapes: theta, g, squares, slots (*S) -> (*S)."""
        rho, rest = as_written(self.rho, theta.dtype), rest_of(self.rho, theta.dtype)
        r = rho * slots["velocity"] + rest * squares
        m = slots["average_gradient"]
        spread = r
        if self.centered:
            m = rho * m + rest * g
            spread = r - m * m
        v = self.momentum * slots["momentum"] + self.learning_rate * g / np.sqrt(spread + self.epsilon)
        return theta - v, {"velocity": r, "momentum": v, "average_gradient": m}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether the mean is taken off."""
        return {"centered": self.centered}


apply_op(
    RMSprop(),
    inputs="var velocity mom average lr rho momentum epsilon grad",
    latex=r"{mom} \leftarrow {momentum}\, {mom} + {lr}\, {grad} / \sqrt{{velocity} + {epsilon}};\ "
    r"{var} \leftarrow {var} - {mom}",
    doc="A step of Keras's RMSprop, in one op. Shapes: var, slots, grad (*S), the others () -> (*S).",
    doc_zh="Keras 的 RMSprop 的一步更新，合成一个运算。",
)


apply_rows_op(
    RMSprop(),
    inputs="var velocity mom average lr rho momentum epsilon grad",
    latex=r"{mom} \leftarrow {momentum}\, {mom} + {lr}\, {grad} / \sqrt{{velocity} + {epsilon}};\ "
    r"{var} \leftarrow {var} - {mom}",
    doc="A step of Keras's RMSprop that adds up a row's gradients and their squares each for itself. "
    "Shapes: var, slots, grad, squares (*S), the others () -> (*S).",
    doc_zh="Keras 的 RMSprop 的一步更新：同一行的各梯度与它们的平方分别相加。",
)
