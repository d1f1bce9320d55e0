"""Keras's Adam and AdamW."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op, apply_rows_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.keras.shares import rest_of
from engine.optimizers.rules.keras.stepping import SteppingRule

_SLOTS = {
    "momentum": "Initializer/zeros",
    "velocity": "Initializer/zeros",
    "velocity_hat": "Initializer/zeros",
}


@dataclass(frozen=True, slots=True)
class Adam(SteppingRule):
    """A running mean of the gradient over the root of a running mean of its square, bias removed.

    Slots:   momentum (m in the formula), velocity (v) and velocity_hat (the largest v so far, used with
             amsgrad), shaped like theta; start at zero. Shared: iterations.
    Variant: Keras. As TensorFlow 1's but epsilon 1e-7; the powers come from the count of steps.
    Source:  Kingma & Ba (2015), end of section 2; amsgrad: Reddi et al. (2018).
    """

    learning_rate: Scalar = 0.001
    beta_1: Scalar = 0.9
    beta_2: Scalar = 0.999
    epsilon: Scalar = 1e-7
    amsgrad: bool = False

    name: ClassVar[str] = "Adam"
    apply_name: ClassVar[str] = "ApplyKerasAdam"
    apply_rows_name: ClassVar[str] = "ApplyKerasAdamOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "beta_1", "beta_2", "epsilon")
    slots: ClassVar[Mapping[str, str]] = _SLOTS
    takes: ClassVar[tuple[str, ...]] = (
        "slots.momentum",
        "slots.velocity",
        "slots.velocity_hat",
        "iterations",
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "Keras 的 Adam：与 TensorFlow 1 的相同，但 epsilon 为 1e-7，可选 amsgrad。"
    latex: ClassVar[tuple[str, ...]] = (
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g_t",
        r"v_t = \beta_2 v_{t-1} + (1 - \beta_2)\, g_t^2",
        r"\eta_t = \eta\, \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t}",
        r"\theta_t = \theta_{t-1} - \eta_t\, \frac{m_t}{\sqrt{v_t} + \epsilon}",
        r"\theta_t = \theta_{t-1} - \eta_t\, \frac{m_t}{\sqrt{\max_{s \le t} v_s} + \epsilon}"
        r" \;\text{(amsgrad)}",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, no steps made."""
        return {**{name: np.zeros_like(theta) for name in _SLOTS}, "iterations": np.int64(0)}

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both means, the corrected rate, the step. Shapes: theta … slots (*S), iterations () -> (*S)."""
        t = np.asarray(slots["iterations"] + 1, dtype=theta.dtype)
        m = slots["momentum"] + (g - slots["momentum"]) * rest_of(self.beta_1, theta.dtype)
        v = slots["velocity"] + (squares - slots["velocity"]) * rest_of(self.beta_2, theta.dtype)
        largest = np.maximum(slots["velocity_hat"], v) if self.amsgrad else slots["velocity_hat"]
        rate = self.learning_rate * np.sqrt(1 - self.beta_2**t) / (1 - self.beta_1**t)
        new = theta - rate * m / (np.sqrt(largest if self.amsgrad else v) + self.epsilon)
        iterations = slots["iterations"] + 1
        return new, {"momentum": m, "velocity": v, "velocity_hat": largest, "iterations": iterations}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether the largest mean square counts."""
        return {"amsgrad": self.amsgrad}


@dataclass(frozen=True, slots=True)
class AdamW(SteppingRule):
    """Adam on weights that shrink by a small share at every step.

    Slots:   as Adam.
    Variant: Keras. theta loses eta times weight_decay of itself first, apart from the adaptive step.
    Source:  Loshchilov & Hutter (2019), decoupled weight decay.
    """

    learning_rate: Scalar = 0.001
    weight_decay: Scalar = 0.004
    beta_1: Scalar = 0.9
    beta_2: Scalar = 0.999
    epsilon: Scalar = 1e-7
    amsgrad: bool = False

    name: ClassVar[str] = "AdamW"
    apply_name: ClassVar[str] = "ApplyKerasAdamW"
    apply_rows_name: ClassVar[str] = "ApplyKerasAdamWOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        "learning_rate",
        "weight_decay",
        "beta_1",
        "beta_2",
        "epsilon",
    )
    slots: ClassVar[Mapping[str, str]] = _SLOTS
    takes: ClassVar[tuple[str, ...]] = (
        "slots.momentum",
        "slots.velocity",
        "slots.velocity_hat",
        "iterations",
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "解耦权重衰减的 Adam：每一步先让权重自身缩小一点，再走 Adam 的一步。"
    latex: ClassVar[tuple[str, ...]] = (
        r"\theta'_{t-1} = \theta_{t-1} - \eta\, \lambda\, \theta_{t-1}",
        r"\theta_t = \mathrm{Adam}(\theta'_{t-1}, g_t)",
    )

    @property
    def _adam(self) -> Adam:
        return Adam(self.learning_rate, self.beta_1, self.beta_2, self.epsilon, self.amsgrad)

    def init(self, theta: Array) -> Slots:
        """As Adam."""
        return self._adam.init(theta)

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """Decay, then a step of Adam. Shapes: theta, g, squares, slots (*S), iterations () -> (*S)."""
        decayed = theta - self.learning_rate * self.weight_decay * theta
        return self._adam.step(decayed, g, squares, slots)

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether the largest mean square counts."""
        return {"amsgrad": self.amsgrad}


apply_op(
    Adam(),
    inputs="var m v v_hat iterations lr beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr} \frac{\sqrt{1 - {beta_2}^t}}{1 - {beta_1}^t}"
    r" \cdot \frac{{m}}{\sqrt{{v}} + {epsilon}}",
    doc="A step of Keras's Adam, in one op. Shapes: var, slots, grad (*S), the others () -> (*S).",
    doc_zh="Keras 的 Adam 的一步更新，合成一个运算。",
)


apply_op(
    AdamW(),
    inputs="var m v v_hat iterations lr weight_decay beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow \mathrm{Adam}({var} - {lr}\, {weight_decay}\, {var}, {grad})",
    doc="A step of Keras's AdamW, in one op. Shapes: var, slots, grad (*S), the others () -> (*S).",
    doc_zh="Keras 的 AdamW 的一步更新，合成一个运算。",
)


apply_rows_op(
    Adam(),
    inputs="var m v v_hat iterations lr beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr} \frac{\sqrt{1 - {beta_2}^t}}{1 - {beta_1}^t}"
    r" \cdot \frac{{m}}{\sqrt{{v}} + {epsilon}}",
    doc="A step of Keras's Adam that adds up a row's gradients and their squares each for itself. "
    "Shapes: var, slots, grad, squares (*S), the others () -> (*S).",
    doc_zh="Keras 的 Adam 的一步更新：同一行的各梯度与它们的平方分别相加。",
)


apply_rows_op(
    AdamW(),
    inputs="var m v v_hat iterations lr weight_decay beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow \mathrm{Adam}({var} - {lr}\, {weight_decay}\, {var}, {grad})",
    doc="A step of Keras's AdamW that adds up a row's gradients and their squares each for itself. "
    "Shapes: var, slots, grad, squares (*S), the others () -> (*S).",
    doc_zh="Keras 的 AdamW 的一步更新：同一行的各梯度与它们的平方分别相加。",
)
