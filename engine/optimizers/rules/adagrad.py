"""Adagrad: a step for each element that shrinks with the gradients it has seen."""

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
class Adagrad(Rule):
    """Divide by the root of the sum of all squared gradients, element by element.

    Slots:   accumulator, shaped like theta (a in the formula); starts at initial_accumulator_value.
    Variant: TensorFlow 1 has no epsilon; the accumulator's start of 0.1 keeps the root from zero.
    Source:  Duchi, Hazan & Singer (2011).
    """

    learning_rate: Scalar = 0.01
    initial_accumulator_value: float = 0.1

    name: ClassVar[str] = "Adagrad"
    apply_name: ClassVar[str] = "ApplyAdagrad"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate",)
    slots: ClassVar[Mapping[str, str]] = {"accumulator": "Initializer/Const"}
    takes: ClassVar[tuple[str, ...]] = ("slots.accumulator", "learning_rate", "g")
    doc_zh: ClassVar[str] = "逐元素地除以历史梯度平方和的平方根。没有 epsilon，累加器从 0.1 开始。"
    latex: ClassVar[tuple[str, ...]] = (
        r"a_t = a_{t-1} + g_t^2",
        r"\theta_t = \theta_{t-1} - \frac{\eta\, g_t}{\sqrt{a_t}}",
    )

    @property
    def attributes(self) -> Mapping[str, Any]:
        """What TensorFlow writes down besides; it changes nothing here."""
        return {"update_slots": True}

    def init(self, theta: Array) -> Slots:
        """As if small gradients had been seen before."""
        return {"accumulator": np.full_like(theta, self.initial_accumulator_value)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Add the square, then divide by the root of the sum. Shapes: theta, g, accumulator (*S) -> (*S)."""
        a = slots["accumulator"] + g * g
        return theta - self.learning_rate * g / np.sqrt(a), {"accumulator": a}


apply_op(
    Adagrad(),
    inputs="var accum lr grad",
    latex=r"{accum} \leftarrow {accum} + {grad}^2;\ {var} \leftarrow {var} - {lr}\, {grad} / \sqrt{{accum}}",
    doc="A step of Adagrad. Shapes: var, accum, grad (*S), lr () -> (*S).",
    doc_zh="Adagrad 的一步更新。",
    sparse=True,
)


def adagrad_optimizer(
    learning_rate: Any,
    initial_accumulator_value: float = 0.1,
    use_locking: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.AdagradOptimizer`."""
    rule = Adagrad(learning_rate, initial_accumulator_value)
    return Optimizer(rule, name=name, use_locking=use_locking)
