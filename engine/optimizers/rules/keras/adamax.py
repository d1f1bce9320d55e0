"""Keras's Adamax: Adam with the largest gradient in place of the mean square."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.ops.elementwise.signs import absolute
from engine.optimizers.apply_ops import apply_op, apply_rows_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.keras.shares import rest_of
from engine.optimizers.rules.keras.stepping import SteppingRule


@dataclass(frozen=True, slots=True)
class Adamax(SteppingRule):
    """A running mean of the gradient over a slowly fading maximum of its size.

    Slots:   m and u, shaped like theta; start at zero. Shared: iterations.
    Variant: Keras. epsilon is added to u (the paper has none).
    Source:  Kingma & Ba (2015), section 7.1.
    """

    learning_rate: Scalar = 0.001
    beta_1: Scalar = 0.9
    beta_2: Scalar = 0.999
    epsilon: Scalar = 1e-7

    name: ClassVar[str] = "Adamax"
    apply_name: ClassVar[str] = "ApplyKerasAdamax"
    apply_rows_name: ClassVar[str] = "ApplyKerasAdamaxOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "beta_1", "beta_2", "epsilon")
    slots: ClassVar[Mapping[str, str]] = {"m": "Initializer/zeros", "u": "Initializer/zeros"}
    takes: ClassVar[tuple[str, ...]] = ("slots.m", "slots.u", "iterations", *hyper_parameters, "g")
    doc_zh: ClassVar[str] = "Adam 的无穷范数形式：梯度的滑动均值除以缓慢衰减的最大值。"
    latex: ClassVar[tuple[str, ...]] = (
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g_t",
        r"u_t = \max(\beta_2 u_{t-1},\, |g_t|)",
        r"\theta_t = \theta_{t-1} - \frac{\eta}{1 - \beta_1^t} \cdot \frac{m_t}{u_t + \epsilon}",
    )

    def init(self, theta: Array) -> Slots:
        """Nothing seen, no steps made."""
        return {"m": np.zeros_like(theta), "u": np.zeros_like(theta), "iterations": np.int64(0)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """One step by the gradient. Shapes: theta, g, m, u (*S), iterations () -> (*S)."""
        return self.step(theta, g, np.abs(g), slots)

    def size(self, values: Any) -> Any:
        """Not the squares, but the sizes of a row's gradients are added up. Shapes: values (*S) -> (*S)."""
        return absolute(values)

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """Mean, maximum of the sizes, step. Shapes: theta … u (*S), iterations () -> (*S)."""
        t = np.asarray(slots["iterations"] + 1, dtype=theta.dtype)
        m = slots["m"] + (g - slots["m"]) * rest_of(self.beta_1, theta.dtype)
        u = np.maximum(self.beta_2 * slots["u"], squares)
        new = theta - self.learning_rate * m / ((1 - self.beta_1**t) * (u + self.epsilon))
        return new, {"m": m, "u": u, "iterations": slots["iterations"] + 1}


apply_op(
    Adamax(),
    inputs="var m u iterations lr beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow {var} - \frac{{lr}}{1 - {beta_1}^t} \cdot \frac{{m}}{{u} + {epsilon}}",
    doc="A step of Adamax, in one op. Shapes: var, m, u, grad (*S), the others () -> (*S).",
    doc_zh="Adamax 的一步更新，合成一个运算。",
)


apply_rows_op(
    Adamax(),
    inputs="var m u iterations lr beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow {var} - \frac{{lr}}{1 - {beta_1}^t} \cdot \frac{{m}}{{u} + {epsilon}}",
    doc="A step of Adamax that adds up a row's gradients and their sizes each for itself. "
    "Shapes: var, slots, grad, sizes (*S), the others () -> (*S).",
    doc_zh="Keras 的 Adamax 的一步更新：同一行的各梯度与它们的绝对值分别相加。",
)
