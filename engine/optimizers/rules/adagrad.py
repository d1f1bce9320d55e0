"""Adagrad: a step for each element that shrinks with the gradients it has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.tensors import Array
from engine.optimizers.building import Optimizer
from engine.optimizers.rows import on_rows
from engine.optimizers.rule import WRITES_A_VARIABLE, Rule, Scalar, Slots, like_variable


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
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate",)
    slots: ClassVar[Mapping[str, str]] = {"accumulator": "Initializer/Const"}
    takes: ClassVar[tuple[str, ...]] = ("slots.accumulator", "learning_rate", "g")
    doc_zh: ClassVar[str] = "逐元素地除以历史梯度平方和的平方根。没有 epsilon，累加器从 0.1 开始。"
    latex: ClassVar[tuple[str, ...]] = (
        r"a_t = a_{t-1} + g_t^2",
        r"\theta_t = \theta_{t-1} - \frac{\eta\, g_t}{\sqrt{a_t}}",
    )

    def init(self, theta: Array) -> Slots:
        """As if small gradients had been seen before."""
        return {"accumulator": np.full_like(theta, self.initial_accumulator_value)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Add the square, then divide by the root of the sum. Shapes: theta, g, accumulator (*S) -> (*S)."""
        a = slots["accumulator"] + g * g
        return theta - self.learning_rate * g / np.sqrt(a), {"accumulator": a}

    @property
    def apply_op(self) -> OpDef:
        """ApplyAdagrad."""
        return apply_adagrad


@op(
    "ApplyAdagrad",
    inputs="var accum lr grad",
    shape=like_variable,
    writes=(0, 1),
    latex=r"{accum} \leftarrow {accum} + {grad}^2;\ {var} \leftarrow {var} - {lr}\, {grad} / \sqrt{{accum}}",
    no_gradient=WRITES_A_VARIABLE,
)
@in_chinese("Adagrad 的一步更新。")
def apply_adagrad(
    var: Array, accum: Array, lr: Array, grad: Array, use_locking: bool = False, update_slots: bool = True
) -> Any:
    """A step of Adagrad. Shapes: var, accum, grad (*S), lr () -> (*S)."""
    theta, slots = Adagrad(lr).update(var, grad, {"accumulator": accum})
    return theta, slots["accumulator"]


sparse_apply_adagrad = on_rows(apply_adagrad)


def adagrad_optimizer(
    learning_rate: Any,
    initial_accumulator_value: float = 0.1,
    use_locking: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.AdagradOptimizer`."""
    rule = Adagrad(learning_rate, initial_accumulator_value)
    return Optimizer(rule, name=name, use_locking=use_locking)
