"""Keras's Nadam: Adam with Nesterov's look ahead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op, apply_rows_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.keras.stepping import SteppingRule

FADING = 0.96  # Dozat's constant: how fast the momentum schedule nears beta_1


@dataclass(frozen=True, slots=True)
class Nadam(SteppingRule):
    """Adam that steps by the momentum of the next step, with a momentum that grows towards beta_1.

    Slots:   m and v, shaped like theta, start at zero; u_product, one number (the product of all
             momenta so far), starts at one. Shared: iterations.
    Variant: Keras. epsilon outside the root; momentum schedule as in the paper.
    Source:  Dozat (2016), Incorporating Nesterov momentum into Adam.
    """

    learning_rate: Scalar = 0.001
    beta_1: Scalar = 0.9
    beta_2: Scalar = 0.999
    epsilon: Scalar = 1e-7

    name: ClassVar[str] = "Nadam"
    apply_name: ClassVar[str] = "ApplyKerasNadam"
    apply_rows_name: ClassVar[str] = "ApplyKerasNadamOfRows"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "beta_1", "beta_2", "epsilon")
    slots: ClassVar[Mapping[str, str]] = {
        "m": "Initializer/zeros",
        "v": "Initializer/zeros",
        "u_product": "Initializer/ones",
    }
    takes: ClassVar[tuple[str, ...]] = (
        "slots.m",
        "slots.v",
        "slots.u_product",
        "iterations",
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "带 Nesterov 前瞻的 Adam：用下一步的动量来走这一步。"
    latex: ClassVar[tuple[str, ...]] = (
        r"\mu_t = \beta_1 (1 - \tfrac12 \cdot 0.96^t)",
        r"\Pi_t = \mu_1 \cdots \mu_t",
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g_t",
        r"v_t = \beta_2 v_{t-1} + (1 - \beta_2)\, g_t^2",
        r"\hat{m}_t = \frac{\mu_{t+1} m_t}{1 - \Pi_{t+1}} + \frac{(1 - \mu_t)\, g_t}{1 - \Pi_t}",
        r"\hat{v}_t = \frac{v_t}{1 - \beta_2^t}",
        r"\theta_t = \theta_{t-1} - \eta\, \frac{\hat{m}_t}{\sqrt{\hat{v}_t} + \epsilon}",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, an empty product, no steps made."""
        one = np.ones((), dtype=theta.dtype)
        zeros = np.zeros_like(theta)
        return {"m": zeros, "v": zeros, "u_product": one, "iterations": np.int64(0)}

    def step(self, theta: Array, g: Array, squares: Array, slots: Slots) -> tuple[Array, Slots]:
        """Momenta, means, both corrected, step. Shapes: theta … v (*S), the others () -> (*S)."""
        t = np.asarray(slots["iterations"] + 1, dtype=theta.dtype)
        now, ahead = self._momentum(t), self._momentum(t + 1)
        product = slots["u_product"] * now
        m = slots["m"] + (g - slots["m"]) * (1 - self.beta_1)
        v = slots["v"] + (squares - slots["v"]) * (1 - self.beta_2)
        m_hat = ahead * m / (1 - product * ahead) + (1 - now) * g / (1 - product)
        v_hat = v / (1 - self.beta_2**t)
        new = theta - self.learning_rate * m_hat / (np.sqrt(v_hat) + self.epsilon)
        return new, {"m": m, "v": v, "u_product": product, "iterations": slots["iterations"] + 1}

    def _momentum(self, t: Array) -> Any:
        return self.beta_1 * (1 - 0.5 * FADING**t)


apply_op(
    Nadam(),
    inputs="var m v u_product iterations lr beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr}\, \hat{m} / (\sqrt{\hat{v}} + {epsilon})",
    doc="A step of Nadam, in one op. Shapes: var, m, v, grad (*S), the others () -> (*S).",
    doc_zh="Nadam 的一步更新，合成一个运算。",
)


apply_rows_op(
    Nadam(),
    inputs="var m v u_product iterations lr beta_1 beta_2 epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr}\, \hat{m} / (\sqrt{\hat{v}} + {epsilon})",
    doc="A step of Nadam that adds up a row's gradients and their squares each for itself. "
    "Shapes: var, slots, grad, squares (*S), the others () -> (*S).",
    doc_zh="Keras 的 Nadam 的一步更新：同一行的各梯度与它们的平方分别相加。",
)
