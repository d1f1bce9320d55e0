"""Keras's Adadelta: TensorFlow 1's rule with another epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_rows_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.adadelta import Adadelta as TensorFlowAdadelta
from engine.optimizers.rules.keras.of_rows import SquaringRule


@dataclass(frozen=True, slots=True)
class Adadelta(SquaringRule):
    """Scale the gradient by the ratio of two running roots: of past steps, and of gradients.

    Slots:   accum (a in the formula, of squared gradients) and accum_update (u, of squared steps), both
             shaped like theta; start at zero.
    Variant: Keras. As TensorFlow 1's, epsilon 1e-7 in place of 1e-8.
    Source:  Zeiler (2012), algorithm 1, with a learning rate in front (the paper has 1).
    """

    learning_rate: Scalar = 0.001
    rho: Scalar = 0.95
    epsilon: Scalar = 1e-7

    name: ClassVar[str] = "Adadelta"
    apply_name: ClassVar[str] = "ApplyAdadelta"
    apply_rows_name: ClassVar[str] = "ApplyKerasAdadeltaOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "rho", "epsilon")
    slots: ClassVar[Mapping[str, str]] = TensorFlowAdadelta.slots
    takes: ClassVar[tuple[str, ...]] = TensorFlowAdadelta.takes
    doc_zh: ClassVar[str] = "Keras 的 Adadelta：与 TensorFlow 1 的相同，但 epsilon 为 1e-7。"
    latex: ClassVar[tuple[str, ...]] = TensorFlowAdadelta.latex

    @property
    def _same(self) -> TensorFlowAdadelta:
        return TensorFlowAdadelta(self.learning_rate, self.rho, self.epsilon)

    def init(self, theta: Array) -> Slots:
        """Nothing seen."""
        return self._same.init(theta)

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """As TensorFlow 1's. Shapes: theta, g, accum, accum_update (*S) -> (*S)."""
        return self._same.update(theta, g, slots)

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """The same by the gradient and its squares, of which those of the step follow. Shapes: all (*S)."""
        a = self.rho * slots["accum"] + (1 - self.rho) * squares
        ratio = np.sqrt(slots["accum_update"] + self.epsilon) / np.sqrt(a + self.epsilon)
        u = self.rho * slots["accum_update"] + (1 - self.rho) * (ratio * ratio * squares)
        return theta - self.learning_rate * (ratio * g), {"accum": a, "accum_update": u}


apply_rows_op(
    Adadelta(),
    inputs="var accum accum_update lr rho epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr}\, {grad} \sqrt{{accum_update} + {epsilon}}"
    r" / \sqrt{{accum} + {epsilon}}",
    doc="A step of Keras's Adadelta that adds up a row's gradients and their squares each for itself. "
    "Shapes: var, slots, grad, squares (*S), the others () -> (*S).",
    doc_zh="Keras 的 Adadelta 的一步更新：同一行的各梯度与它们的平方分别相加。",
)
