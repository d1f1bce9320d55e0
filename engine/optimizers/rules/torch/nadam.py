"""PyTorch's NAdam: Adam that looks ahead."""

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
    single,
    zeros,
)


@dataclass(frozen=True, slots=True)
class NAdam(TorchRule):
    """Adam with Nesterov's momentum, whose share grows from step to step.

    Slots:   exp_avg (m) and exp_avg_sq (v), shaped like theta, and step (t) start at zero; mu_product, the
             product of the shares mu_1 ... mu_t, at one. PyTorch keeps it in float32.
    Source:  Dozat (2016), algorithm 2.
    """

    learning_rate: Scalar = 0.002
    beta1: Scalar = 0.9
    beta2: Scalar = 0.999
    epsilon: Scalar = 1e-8
    weight_decay: Scalar = 0.0
    momentum_decay: Scalar = 0.004
    decoupled_weight_decay: bool = False
    maximize: bool = False

    name: ClassVar[str] = "NAdam"
    apply_name: ClassVar[str] = "ApplyTorchNAdam"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        *("learning_rate", "beta1", "beta2", "epsilon", "weight_decay", "momentum_decay"),
    )
    slots: ClassVar[Mapping[str, str]] = {
        "exp_avg": ZEROS,
        "exp_avg_sq": ZEROS,
        "step": START,
        "mu_product": START,
    }
    state: ClassVar[str] = "step mu_product exp_avg exp_avg_sq"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.exp_avg", "slots.exp_avg_sq", "slots.step", "slots.mu_product"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "PyTorch 的 NAdam：带 Nesterov 动量的 Adam，动量份额逐步增大。"
    latex: ClassVar[tuple[str, ...]] = (
        r"\mu_t = \beta_1 (1 - \tfrac12\, 0.96^{t \psi})",
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g_t",
        r"v_t = \beta_2 v_{t-1} + (1 - \beta_2)\, g_t^2",
        r"\hat m_t = \frac{\mu_{t+1}\, m_t}{1 - \prod_{i=1}^{t+1} \mu_i}"
        r" + \frac{(1 - \mu_t)\, g_t}{1 - \prod_{i=1}^{t} \mu_i}",
        r"\theta_t = \theta_{t-1} - \eta\, \frac{\hat m_t}{\sqrt{v_t / (1 - \beta_2^t)} + \epsilon}",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, no steps made."""
        return {**zeros(theta, "exp_avg", "exp_avg_sq"), "mu_product": np.ones((), dtype=theta.dtype)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both means, the share of each, the step. Shapes: theta, g, means (*S), the others () -> (*S)."""
        step = slots["step"] + 1
        t = double(step)
        g = following(g, self.maximize)
        if self.decoupled_weight_decay:
            theta = shrunk(theta, self.learning_rate, self.weight_decay)
        else:
            g = decayed(g, theta, self.weight_decay)
        mu, mu_next = self._share(t), self._share(t + 1)
        product = single(slots["mu_product"]) * single(mu)
        m = drawn_to(slots["exp_avg"], g, 1 - self.beta1)
        v = mean_square(slots["exp_avg_sq"], g, self.beta2)
        root = np.sqrt(v / like(theta, 1 - self.beta2**t)) + like(theta, self.epsilon)
        now = like(theta, self.learning_rate * (1 - mu) / (1 - double(product)))
        ahead = like(theta, self.learning_rate * mu_next / (1 - double(product) * mu_next))
        new = moved(moved(theta, now, g, root), ahead, m, root)
        return new, {"exp_avg": m, "exp_avg_sq": v, "step": step, "mu_product": like(theta, product)}

    def _share(self, t: Any) -> Any:
        """mu_t. Shapes: t () -> ()."""
        return self.beta1 * (1 - 0.5 * 0.96 ** (t * self.momentum_decay))

    @property
    def attributes(self) -> Mapping[str, Any]:
        """How the weight decay counts, and whether it goes up."""
        return {"decoupled_weight_decay": self.decoupled_weight_decay, "maximize": self.maximize}


apply_op(
    NAdam(),
    inputs="var exp_avg exp_avg_sq step mu_product lr beta1 beta2 eps weight_decay momentum_decay grad",
    latex=r"{var} \leftarrow {var} - {lr} \frac{\hat m}{\sqrt{{exp_avg_sq} / (1 - {beta2}^t)} + {eps}}",
    doc="A step of PyTorch's NAdam. Shapes: var, exp_avg, exp_avg_sq, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 NAdam 的一步更新。",
)
