"""Adagrad followed by a proximal step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rule import Rule, Scalar, Slots
from engine.optimizers.rules.proximal_gradient_descent import proximal_point


@dataclass(frozen=True, slots=True)
class ProximalAdagrad(Rule):
    """A step of Adagrad, then the point nearest to it that also keeps l1 and l2 small.

    Slots:   accumulator, shaped like theta (a in the formula); starts at initial_accumulator_value.
    Variant: the proximal step uses each element's own rate.
    Source:  Duchi & Singer (2009); Duchi, Hazan & Singer (2011).
    """

    learning_rate: Scalar = 0.01
    initial_accumulator_value: float = 0.1
    l1_regularization_strength: Scalar = 0.0
    l2_regularization_strength: Scalar = 0.0

    name: ClassVar[str] = "ProximalAdagrad"
    apply_name: ClassVar[str] = "ApplyProximalAdagrad"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        "learning_rate",
        "l1_regularization_strength",
        "l2_regularization_strength",
    )
    slots: ClassVar[Mapping[str, str]] = {"accumulator": "Const"}
    takes: ClassVar[tuple[str, ...]] = ("slots.accumulator", *hyper_parameters, "g")
    doc_zh: ClassVar[str] = "先走一步 Adagrad，再按每个元素自己的步长做近端步。"
    latex: ClassVar[tuple[str, ...]] = (
        r"a_t = a_{t-1} + g_t^2",
        r"\eta_t = \eta / \sqrt{a_t}",
        r"p_t = \theta_{t-1} - \eta_t\, g_t",
        r"\theta_t = \frac{\mathrm{sign}(p_t)\, \max(|p_t| - \eta_t \lambda_1,\, 0)}{1 + \eta_t \lambda_2}",
    )

    def init(self, theta: Array) -> Slots:
        """As if small gradients had been seen before."""
        return {"accumulator": np.full_like(theta, self.initial_accumulator_value)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Own rate of each element, step, proximal point. Shapes: theta, g, accumulator (*S) -> (*S)."""
        a = slots["accumulator"] + g * g
        rate = self.learning_rate / np.sqrt(a)
        l1, l2 = self.l1_regularization_strength, self.l2_regularization_strength
        return proximal_point(theta - rate * g, rate, l1, l2), {"accumulator": a}


apply_op(
    ProximalAdagrad(),
    inputs="var accum lr l1 l2 grad",
    latex=r"{accum} \leftarrow {accum} + {grad}^2;\ {var} \leftarrow "
    r"\mathrm{prox}_{{l1}, {l2}}({var} - {lr}\, {grad} / \sqrt{{accum}})",
    doc="A step of ProximalAdagrad. Shapes: var, accum, grad (*S), the others () -> (*S).",
    doc_zh="ProximalAdagrad 的一步更新。",
    sparse=True,
)


def proximal_adagrad_optimizer(
    learning_rate: Any,
    initial_accumulator_value: float = 0.1,
    l1_regularization_strength: Any = 0.0,
    l2_regularization_strength: Any = 0.0,
    use_locking: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.ProximalAdagradOptimizer`."""
    rule = ProximalAdagrad(
        learning_rate,
        initial_accumulator_value,
        l1_regularization_strength,
        l2_regularization_strength,
    )
    return Optimizer(rule, name=name, use_locking=use_locking)
