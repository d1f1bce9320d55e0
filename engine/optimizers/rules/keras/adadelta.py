"""Keras's Adadelta: TensorFlow 1's rule with another epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from engine.ops.base.tensors import Array
from engine.optimizers.rule import Rule, Scalar, Slots
from engine.optimizers.rules.adadelta import Adadelta as TensorFlowAdadelta


@dataclass(frozen=True, slots=True)
class Adadelta(Rule):
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
