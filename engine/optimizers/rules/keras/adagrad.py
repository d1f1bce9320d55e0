"""Keras's Adagrad."""

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
class Adagrad(SquaringRule):
    """Divide by the root of the sum of all squared gradients, element by element.

    Slots:   accumulator, shaped like theta (a in the formula); starts at initial_accumulator_value.
    Variant: Keras. epsilon inside the root (TensorFlow 1 has none).
    Source:  Duchi, Hazan & Singer (2011).
    """

    learning_rate: Scalar = 0.001
    initial_accumulator_value: float = 0.1
    epsilon: Scalar = 1e-7

    name: ClassVar[str] = "Adagrad"
    apply_name: ClassVar[str] = "ApplyKerasAdagrad"
    apply_rows_name: ClassVar[str] = "ApplyKerasAdagradOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "epsilon")
    slots: ClassVar[Mapping[str, str]] = {"accumulator": "Initializer/Const"}
    takes: ClassVar[tuple[str, ...]] = ("slots.accumulator", "learning_rate", "epsilon", "g")
    doc_zh: ClassVar[str] = "Keras 的 Adagrad：epsilon 在根号之内（TensorFlow 1 没有 epsilon）。"
    latex: ClassVar[tuple[str, ...]] = (
        r"a_t = a_{t-1} + g_t^2",
        r"\theta_t = \theta_{t-1} - \frac{\eta\, g_t}{\sqrt{a_t + \epsilon}}",
    )

    def init(self, theta: Array) -> Slots:
        """As if small gradients had been seen before."""
        return {"accumulator": np.full_like(theta, self.initial_accumulator_value)}

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """Add the squares, then divide by the root of the sum. Shapes: theta … accumulator (*S) -> (*S)."""
        a = slots["accumulator"] + squares
        return theta - self.learning_rate * g / np.sqrt(a + self.epsilon), {"accumulator": a}


apply_op(
    Adagrad(),
    inputs="var accum lr epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr}\, {grad} / \sqrt{{accum} + {epsilon}}",
    doc="A step of Keras's Adagrad, in one op. Shapes: var, accum, grad (*S), the others () -> (*S).",
    doc_zh="Keras 的 Adagrad 的一步更新，合成一个运算。",
)


apply_rows_op(
    Adagrad(),
    inputs="var accum lr epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr}\, {grad} / \sqrt{{accum} + {epsilon}}",
    doc="A step of Keras's Adagrad that adds up a row's gradients and their squares each for itself. "
    "Shapes: var, slots, grad, squares (*S), the others () -> (*S).",
    doc_zh="Keras 的 Adagrad 的一步更新：同一行的各梯度与它们的平方分别相加。",
)
