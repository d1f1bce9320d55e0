"""PyTorch's Adam and AdamW."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.torch.rule import (
    START,
    ZEROS,
    TorchRule,
    decayed,
    double,
    drawn_to,
    following,
    like,
    mean_square,
    moved,
    shrunk,
    zeros,
)


@dataclass(frozen=True, slots=True)
class Adam(TorchRule):
    """A running mean of the gradient over the root of a running mean of its square, bias removed.

    Slots:   exp_avg (m), exp_avg_sq (v), max_exp_avg_sq (the largest v so far, with amsgrad), shaped like
             theta; step (t). All start at zero.
    Variant: PyTorch. epsilon beside the corrected root of v. With decoupled_weight_decay it is AdamW: theta
             shrinks by eta times lambda first; else lambda theta is added to the gradient.
    Source:  Kingma & Ba (2015), algorithm 1; Reddi et al. (2018); Loshchilov & Hutter (2019).
    """

    learning_rate: Scalar = 0.001
    beta1: Scalar = 0.9
    beta2: Scalar = 0.999
    epsilon: Scalar = 1e-8
    weight_decay: Scalar = 0.0
    amsgrad: bool = False
    decoupled_weight_decay: bool = False
    maximize: bool = False

    name: ClassVar[str] = "Adam"
    apply_name: ClassVar[str] = "ApplyTorchAdam"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        *("learning_rate", "beta1", "beta2", "epsilon", "weight_decay"),
    )
    slots: ClassVar[Mapping[str, str]] = {
        "exp_avg": ZEROS,
        "exp_avg_sq": ZEROS,
        "max_exp_avg_sq": ZEROS,
        "step": START,
    }
    state: ClassVar[str] = "step exp_avg exp_avg_sq max_exp_avg_sq?amsgrad"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.exp_avg", "slots.exp_avg_sq", "slots.max_exp_avg_sq", "slots.step"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = (
        "PyTorch 的 Adam：epsilon 加在校正后的根旁边；可选 amsgrad 与解耦的权重衰减（AdamW）。"
    )
    latex: ClassVar[tuple[str, ...]] = (
        r"g'_t = g_t + \lambda\, \theta_{t-1}",
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g'_t",
        r"v_t = \beta_2 v_{t-1} + (1 - \beta_2)\, g'^2_t",
        r"\theta_t = \theta_{t-1} - \frac{\eta}{1 - \beta_1^t}"
        r" \frac{m_t}{\sqrt{v_t} / \sqrt{1 - \beta_2^t} + \epsilon}",
        r"\theta_t = (1 - \eta\, \lambda)\, \theta_{t-1} - \dots \;\text{(decoupled)}",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, no steps made."""
        return zeros(theta, "exp_avg", "exp_avg_sq", "max_exp_avg_sq")

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both means, the corrected rate, the step. Shapes: theta, g, means (*S), step () -> (*S)."""
        step = slots["step"] + 1
        t = double(step)
        g = following(g, self.maximize)
        if self.decoupled_weight_decay:
            theta = shrunk(theta, self.learning_rate, self.weight_decay)
        else:
            g = decayed(g, theta, self.weight_decay)
        m = drawn_to(slots["exp_avg"], g, 1 - self.beta1)
        v = mean_square(slots["exp_avg_sq"], g, self.beta2)
        largest = np.maximum(slots["max_exp_avg_sq"], v)
        root = np.sqrt(largest if self.amsgrad else v) / like(theta, np.sqrt(1 - self.beta2**t))
        rate = like(theta, self.learning_rate / (1 - self.beta1**t))
        new = moved(theta, rate, m, root + like(theta, self.epsilon))
        return new, {"exp_avg": m, "exp_avg_sq": v, "max_exp_avg_sq": largest, "step": step}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """How v and the weight decay count, and whether it goes up."""
        return {
            "amsgrad": self.amsgrad,
            "decoupled_weight_decay": self.decoupled_weight_decay,
            "maximize": self.maximize,
        }


apply_op(
    Adam(),
    inputs="var exp_avg exp_avg_sq max_exp_avg_sq step lr beta1 beta2 eps weight_decay grad",
    latex=r"{var} \leftarrow {var} - \frac{{lr}}{1 - {beta1}^t}"
    r" \frac{{exp_avg}}{\sqrt{{exp_avg_sq}} / \sqrt{1 - {beta2}^t} + {eps}}",
    doc="A step of PyTorch's Adam or AdamW. Shapes: var, means, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 Adam 或 AdamW 的一步更新。",
)
