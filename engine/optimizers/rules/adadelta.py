"""Adadelta: steps measured by the steps that came before."""

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
class Adadelta(Rule):
    """Scale the gradient by the ratio of two running roots: of past steps, and of gradients.

    Slots:   accum (a in the formula, of squared gradients) and accum_update (u, of squared steps), both
             shaped like theta; start at zero.
    Variant: epsilon inside both roots; the step uses u before it is updated.
    Source:  Zeiler (2012), algorithm 1, with a learning rate in front (the paper has 1).
    """

    learning_rate: Scalar = 0.001
    rho: Scalar = 0.95
    epsilon: Scalar = 1e-8

    name: ClassVar[str] = "Adadelta"
    apply_name: ClassVar[str] = "ApplyAdadelta"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "rho", "epsilon")
    constant_names: ClassVar[Mapping[str, str]] = {"learning_rate": "lr"}
    slots: ClassVar[Mapping[str, str]] = {
        "accum": "Initializer/zeros",
        "accum_update": "Initializer/zeros",
    }
    takes: ClassVar[tuple[str, ...]] = (
        "slots.accum",
        "slots.accum_update",
        "learning_rate",
        "rho",
        "epsilon",
        "g",
    )
    doc_zh: ClassVar[str] = "用过去步长与梯度的滑动均方根之比来缩放梯度；epsilon 在两个根号之内。"
    latex: ClassVar[tuple[str, ...]] = (
        r"a_t = \rho\, a_{t-1} + (1 - \rho)\, g_t^2",
        r"d_t = \frac{\sqrt{u_{t-1} + \epsilon}}{\sqrt{a_t + \epsilon}}\, g_t",
        r"u_t = \rho\, u_{t-1} + (1 - \rho)\, d_t^2",
        r"\theta_t = \theta_{t-1} - \eta\, d_t",
    )

    def init(self, theta: Array) -> Slots:
        """Nothing seen."""
        return {"accum": np.zeros_like(theta), "accum_update": np.zeros_like(theta)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The step d by the old u, then the new u. Shapes: theta, g, accum, accum_update (*S) -> (*S)."""
        a = self.rho * slots["accum"] + (1 - self.rho) * g * g
        d = np.sqrt(slots["accum_update"] + self.epsilon) / np.sqrt(a + self.epsilon) * g
        u = self.rho * slots["accum_update"] + (1 - self.rho) * d * d
        return theta - self.learning_rate * d, {"accum": a, "accum_update": u}


apply_op(
    Adadelta(),
    inputs="var accum accum_update lr rho epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr}\, {grad} \sqrt{{accum_update} + {epsilon}}"
    r" / \sqrt{{accum} + {epsilon}}",
    doc="A step of Adadelta. Shapes: var, accum, accum_update, grad (*S), the others () -> (*S).",
    doc_zh="Adadelta 的一步更新。",
    sparse=True,
)


def adadelta_optimizer(
    learning_rate: Any = 0.001,
    rho: Any = 0.95,
    epsilon: Any = 1e-8,
    use_locking: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.AdadeltaOptimizer`."""
    return Optimizer(Adadelta(learning_rate, rho, epsilon), name=name, use_locking=use_locking)
