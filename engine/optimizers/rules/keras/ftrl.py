"""Keras's Ftrl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op, apply_rows_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.keras.of_rows import SquaringRule


@dataclass(frozen=True, slots=True)
class Ftrl(SquaringRule):
    """The point that minimises all linearised losses so far, with steps bounded as in Adagrad.

    Slots:   accumulator (a in the formula, of squared gradients; starts at initial_accumulator_value) and
             linear (z, starts at zero), both shaped like theta.
    Variant: Keras. As TensorFlow 1's; beta joins the l2 strength. With shrinkage s, 2 s theta joins g in z.
    Source:  McMahan et al. (2013), algorithm 1.
    """

    learning_rate: Scalar = 0.001
    learning_rate_power: Scalar = -0.5
    initial_accumulator_value: float = 0.1
    l1_regularization_strength: Scalar = 0.0
    l2_regularization_strength: Scalar = 0.0
    l2_shrinkage_regularization_strength: Scalar = 0.0
    beta: Scalar = 0.0

    name: ClassVar[str] = "Ftrl"
    apply_name: ClassVar[str] = "ApplyKerasFtrl"
    apply_rows_name: ClassVar[str] = "ApplyKerasFtrlOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        "learning_rate",
        "learning_rate_power",
        "l1_regularization_strength",
        "l2_regularization_strength",
        "l2_shrinkage_regularization_strength",
        "beta",
    )
    slots: ClassVar[Mapping[str, str]] = {
        "accumulator": "Initializer/Const",
        "linear": "Initializer/zeros",
    }
    takes: ClassVar[tuple[str, ...]] = ("slots.accumulator", "slots.linear", *hyper_parameters, "g")
    doc_zh: ClassVar[str] = "Keras 的 FTRL：与 TensorFlow 1 的相同，另有 beta 并入 l2 强度。"
    latex: ClassVar[tuple[str, ...]] = (
        r"a_t = a_{t-1} + g_t^2",
        r"z_t = z_{t-1} + g_t + 2 s\, \theta_{t-1} - \frac{a_t^{-p} - a_{t-1}^{-p}}{\eta}\, \theta_{t-1}",
        r"\theta_t = \frac{\mathrm{clip}(z_t, -\lambda_1, \lambda_1) - z_t}"
        r"{a_t^{-p} / \eta + 2 (\lambda_2 + \beta / (2 \eta))}",
    )

    def init(self, theta: Array) -> Slots:
        """As if small gradients had been seen, that cancelled out."""
        accumulator = np.full_like(theta, self.initial_accumulator_value)
        return {"accumulator": accumulator, "linear": np.zeros_like(theta)}

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both sums, then theta from z. Shapes: theta, g, squares, accumulator, linear (*S) -> (*S)."""
        eta, p, l1 = self.learning_rate, self.learning_rate_power, self.l1_regularization_strength
        l2 = self.l2_regularization_strength + self.beta / (2 * eta)
        a = slots["accumulator"] + squares
        shrunk = g + 2 * self.l2_shrinkage_regularization_strength * theta
        z = slots["linear"] + shrunk - (a**-p - slots["accumulator"] ** -p) / eta * theta
        new = (np.clip(z, -l1, l1) - z) / (a**-p / eta + 2 * l2)
        return new, {"accumulator": a, "linear": z}


apply_op(
    Ftrl(),
    inputs="var accum linear lr lr_power l1 l2 l2_shrinkage beta grad",
    latex=r"{var} \leftarrow \frac{\mathrm{clip}({linear}, -{l1}, {l1}) - {linear}}"
    r"{{accum}^{-{lr_power}} / {lr} + 2 \cdot {l2} + {beta} / {lr}}",
    doc="A step of Keras's Ftrl, in one op. Shapes: var, accum, linear, grad (*S), the others () -> (*S).",
    doc_zh="Keras 的 Ftrl 的一步更新，合成一个运算。",
)


apply_rows_op(
    Ftrl(),
    inputs="var accum linear lr lr_power l1 l2 l2_shrinkage beta grad",
    latex=r"{var} \leftarrow \frac{\mathrm{clip}({linear}, -{l1}, {l1}) - {linear}}"
    r"{{accum}^{-{lr_power}} / {lr} + 2 \cdot {l2} + {beta} / {lr}}",
    doc="A step of Keras's Ftrl that adds up a row's gradients and their squares each for itself. "
    "Shapes: var, slots, grad, squares (*S), the others () -> (*S).",
    doc_zh="Keras 的 Ftrl 的一步更新：同一行的各梯度与它们的平方分别相加。",
)
