"""Keras's Lion: the sign of a mean of gradients, so that every step has the same size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.rule import Rule, Scalar, Slots


@dataclass(frozen=True, slots=True)
class Lion(Rule):
    """A step by the sign of a running mean in which the newest gradient counts more.

    Slots:  m, shaped like theta; starts at zero.
    Source: Chen et al. (2023), algorithm 2.
    """

    learning_rate: Scalar = 0.001
    beta_1: Scalar = 0.9
    beta_2: Scalar = 0.99

    name: ClassVar[str] = "Lion"
    apply_name: ClassVar[str] = "ApplyKerasLion"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "beta_1", "beta_2")
    slots: ClassVar[Mapping[str, str]] = {"m": "Initializer/zeros"}
    takes: ClassVar[tuple[str, ...]] = ("slots.m", *hyper_parameters, "g")
    doc_zh: ClassVar[str] = "Lion：按梯度滑动均值的符号走一步，因此每一步大小相同。"
    latex: ClassVar[tuple[str, ...]] = (
        r"\theta_t = \theta_{t-1} - \eta\, \mathrm{sign}(\beta_1 m_{t-1} + (1 - \beta_1)\, g_t)",
        r"m_t = \beta_2 m_{t-1} + (1 - \beta_2)\, g_t",
    )

    def init(self, theta: Array) -> Slots:
        """Nothing seen."""
        return {"m": np.zeros_like(theta)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The sign of the mean, then the mean. Shapes: theta, g, m (*S) -> (*S)."""
        m = slots["m"]
        mean = self.beta_1 * m + (1 - self.beta_1) * g
        after = self.beta_2 * m + (1 - self.beta_2) * g
        return theta - self.learning_rate * np.sign(mean), {"m": after}


apply_op(
    Lion(),
    inputs="var m lr beta_1 beta_2 grad",
    latex=r"{var} \leftarrow {var} - {lr}\, \mathrm{sign}({beta_1} {m} + (1 - {beta_1})\, {grad})",
    doc="A step of Lion, in one op. Shapes: var, m, grad (*S), the others () -> (*S).",
    doc_zh="Lion 的一步更新，合成一个运算。",
)
