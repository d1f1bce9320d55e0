"""PyTorch's RAdam: Adam that waits until its mean square is reliable."""

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
    shrunk,
    zeros,
)

RELIABLE = 5.0  # the length rho_t of the mean square from which on it counts


@dataclass(frozen=True, slots=True)
class RAdam(TorchRule):
    """Momentum alone in the first steps, then Adam with a rate that grows with what the mean square has seen.

    Slots:  exp_avg (m) and exp_avg_sq (v), shaped like theta; step (t). All start at zero.
    Source: Liu et al. (2020), algorithm 2; PyTorch takes rho_t > 5.
    """

    learning_rate: Scalar = 0.001
    beta1: Scalar = 0.9
    beta2: Scalar = 0.999
    epsilon: Scalar = 1e-8
    weight_decay: Scalar = 0.0
    decoupled_weight_decay: bool = False
    maximize: bool = False

    name: ClassVar[str] = "RAdam"
    apply_name: ClassVar[str] = "ApplyTorchRAdam"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        *("learning_rate", "beta1", "beta2", "epsilon", "weight_decay"),
    )
    slots: ClassVar[Mapping[str, str]] = {"exp_avg": ZEROS, "exp_avg_sq": ZEROS, "step": START}
    state: ClassVar[str] = "step exp_avg exp_avg_sq"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.exp_avg", "slots.exp_avg_sq", "slots.step"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "PyTorch 的 RAdam：最初几步只用动量，均方可靠之后才像 Adam 那样走。"
    latex: ClassVar[tuple[str, ...]] = (
        r"\hat m_t = m_t / (1 - \beta_1^t)",
        r"\rho_\infty = \frac{2}{1 - \beta_2} - 1,\quad"
        r" \rho_t = \rho_\infty - \frac{2 t \beta_2^t}{1 - \beta_2^t}",
        r"r_t = \sqrt{\frac{(\rho_t - 4)(\rho_t - 2)\, \rho_\infty}"
        r"{(\rho_\infty - 4)(\rho_\infty - 2)\, \rho_t}}",
        r"\theta_t = \theta_{t-1} - \eta\, \hat m_t\, r_t"
        r"\, \frac{\sqrt{1 - \beta_2^t}}{\sqrt{v_t} + \epsilon}"
        r" \quad (\rho_t > 5)",
        r"\theta_t = \theta_{t-1} - \eta\, \hat m_t \quad (\rho_t \le 5)",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, no steps made."""
        return zeros(theta, "exp_avg", "exp_avg_sq")

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both means, how reliable they are, the step. Shapes: theta, g, means (*S), step () -> (*S)."""
        step = slots["step"] + 1
        t = double(step)
        g = following(g, self.maximize)
        if self.decoupled_weight_decay:
            theta = shrunk(theta, self.learning_rate, self.weight_decay)
        else:
            g = decayed(g, theta, self.weight_decay)
        m = drawn_to(slots["exp_avg"], g, 1 - self.beta1)
        v = mean_square(slots["exp_avg_sq"], g, self.beta2)
        step_size = m / like(theta, 1 - self.beta1**t) * like(theta, self.learning_rate)
        rho, corrected = self._rho(t), 1 - self.beta2**t
        root = np.sqrt(v) + like(theta, self.epsilon)
        adaptive = (
            step_size * (1 / root * like(theta, np.sqrt(corrected))) * like(theta, self._rectified(rho))
        )
        new = theta - np.where(rho > RELIABLE, adaptive, step_size)
        return new, {"exp_avg": m, "exp_avg_sq": v, "step": step}

    def _rho(self, t: Any) -> Any:
        """rho_t. Shapes: t () -> ()."""
        return self._longest - 2 * t * self.beta2**t / (1 - self.beta2**t)

    @property
    def _longest(self) -> Any:
        """rho_infinity."""
        return 2 / (1 - self.beta2) - 1

    def _rectified(self, rho: Any) -> Any:
        """r_t; where rho_t is small it is not used. Shapes: rho () -> ()."""
        longest = self._longest
        ratio = (rho - 4) * (rho - 2) * longest / ((longest - 4) * (longest - 2) * rho)
        return np.sqrt(np.where(rho > RELIABLE, ratio, 0.0))

    @property
    def attributes(self) -> Mapping[str, Any]:
        """How the weight decay counts, and whether it goes up."""
        return {"decoupled_weight_decay": self.decoupled_weight_decay, "maximize": self.maximize}


apply_op(
    RAdam(),
    inputs="var exp_avg exp_avg_sq step lr beta1 beta2 eps weight_decay grad",
    latex=r"{var} \leftarrow {var} - {lr}\, \hat m\, r_t"
    r"\, \frac{\sqrt{1 - {beta2}^t}}{\sqrt{{exp_avg_sq}} + {eps}}",
    doc="A step of PyTorch's RAdam. Shapes: var, exp_avg, exp_avg_sq, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 RAdam 的一步更新。",
)
