"""Plain gradient descent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.graph import Node, Variable
from engine.ops.arrays.scattering import scatter_sub
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.ops.common.casting import cast
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rule import Rule, Scalar, Slots


@dataclass(frozen=True, slots=True)
class GradientDescent(Rule):
    """Step against the gradient.

    Slots:  none.
    Source: Cauchy (1847). Converges on a quadratic while the learning rate is below 2 / curvature.
    """

    learning_rate: Scalar = 0.01

    name: ClassVar[str] = "GradientDescent"
    apply_name: ClassVar[str] = "ApplyGradientDescent"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate",)
    takes: ClassVar[tuple[str, ...]] = ("learning_rate", "g")
    latex: ClassVar[tuple[str, ...]] = (r"\theta_t = \theta_{t-1} - \eta\, g_t",)
    doc_zh: ClassVar[str] = "沿梯度的反方向走一步。"

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """theta minus learning_rate times g. Shapes: theta, g (*S) -> (*S)."""
        return theta - self.learning_rate * g, {}

    def update_rows(
        self,
        variable: Variable,
        rows: IndexedSlices,
        slots: Mapping[str, Variable],
        known: Mapping[str, Any],
    ) -> Node:
        """Rate times rows, taken off; a row that occurs twice is taken off twice, so nothing is summed."""
        step = rows.values * cast(known["learning_rate"], variable.dtype)
        updated: Any = scatter_sub.node(variable.ref, rows.indices, step)
        node: Node = updated
        return node


apply_op(
    GradientDescent(),
    inputs="var alpha delta",
    latex=r"{var} \leftarrow {var} - {alpha} \cdot {delta}",
    doc="The variable less learning rate times gradient. Shapes: var, delta (*S), alpha () -> (*S).",
    doc_zh="变量减去学习率乘以梯度。",
)


def gradient_descent_optimizer(
    learning_rate: Any, use_locking: bool = False, name: str | None = None
) -> Optimizer:
    """`tf.train.GradientDescentOptimizer`."""
    return Optimizer(GradientDescent(learning_rate), name=name, use_locking=use_locking)
