"""Gradient descent followed by a proximal step, which can make elements exactly zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rule import Rule, Scalar, Slots


@dataclass(frozen=True, slots=True)
class ProximalGradientDescent(Rule):
    """A gradient step, then the point nearest to it that also keeps l1 and l2 small.

    Slots:  none.
    Source: Duchi & Singer (2009), forward-backward splitting.
    """

    learning_rate: Scalar = 0.01
    l1_regularization_strength: Scalar = 0.0
    l2_regularization_strength: Scalar = 0.0

    name: ClassVar[str] = "ProximalGradientDescent"
    apply_name: ClassVar[str] = "ApplyProximalGradientDescent"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        "learning_rate",
        "l1_regularization_strength",
        "l2_regularization_strength",
    )
    takes: ClassVar[tuple[str, ...]] = (*hyper_parameters, "g")
    doc_zh: ClassVar[str] = "先走一步梯度下降，再做近端步，使 l1 与 l2 保持较小；元素可以恰好变为 0。"
    latex: ClassVar[tuple[str, ...]] = (
        r"p_t = \theta_{t-1} - \eta\, g_t",
        r"\theta_t = \frac{\mathrm{sign}(p_t)\, \max(|p_t| - \eta \lambda_1,\, 0)}{1 + \eta \lambda_2}",
    )

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The gradient step p, then its proximal point. Shapes: theta, g (*S) -> (*S)."""
        p = theta - self.learning_rate * g
        l1, l2 = self.l1_regularization_strength, self.l2_regularization_strength
        return proximal_point(p, self.learning_rate, l1, l2), {}


def proximal_point(p: Array, rate: Scalar, l1: Scalar, l2: Scalar) -> Array:
    """p drawn towards zero by rate times l1, then scaled down by l2. Shapes: p (*S) -> (*S)."""
    shrunk: Array = np.sign(p) * np.maximum(np.abs(p) - rate * l1, 0) / (1 + rate * l2)
    return shrunk


apply_op(
    ProximalGradientDescent(),
    inputs="var alpha l1 l2 delta",
    latex=r"{var} \leftarrow \mathrm{prox}_{{l1}, {l2}}({var} - {alpha} \cdot {delta})",
    doc="A step of ProximalGradientDescent. Shapes: var, delta (*S), the others () -> (*S).",
    doc_zh="ProximalGradientDescent 的一步更新。",
    sparse=True,
)


def proximal_gradient_descent_optimizer(
    learning_rate: Any,
    l1_regularization_strength: Any = 0.0,
    l2_regularization_strength: Any = 0.0,
    use_locking: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.ProximalGradientDescentOptimizer`."""
    rule = ProximalGradientDescent(learning_rate, l1_regularization_strength, l2_regularization_strength)
    return Optimizer(rule, name=name, use_locking=use_locking)
