"""PyTorch's Rprop: steps by the sign of the gradient alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.torch.rule import START, ZEROS, TorchRule, following, full, like, zeros


@dataclass(frozen=True, slots=True)
class Rprop(TorchRule):
    """Each number has a step of its own, which grows while its gradient keeps its sign, and shrinks after a
    turn.

    Slots:   prev (g of the last step), shaped like theta; starts at zero. step_size (s) starts at the rate.
             step.
    Variant: PyTorch. After a turn there is no step, and no sign to compare with in the next one.
    Source:  Riedmiller & Braun (1993).
    """

    learning_rate: float = 0.01
    eta_minus: Scalar = 0.5
    eta_plus: Scalar = 1.2
    smallest: Scalar = 1e-6
    largest: Scalar = 50.0
    maximize: bool = False

    name: ClassVar[str] = "Rprop"
    apply_name: ClassVar[str] = "ApplyTorchRprop"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("eta_minus", "eta_plus", "smallest", "largest")
    slots: ClassVar[Mapping[str, str]] = {"prev": ZEROS, "step_size": START, "step": START}
    state: ClassVar[str] = "step prev step_size"
    takes: ClassVar[tuple[str, ...]] = ("slots.prev", "slots.step_size", "slots.step", *hyper_parameters, "g")
    doc_zh: ClassVar[str] = "PyTorch 的 Rprop：只看梯度的符号，每个数有自己的步长，同号变大、变号变小。"
    latex: ClassVar[tuple[str, ...]] = (
        r"s_t = \min(\eta_+\, s_{t-1},\ s_{\max}) \quad (g_{t-1}\, g_t > 0)",
        r"s_t = \max(\eta_-\, s_{t-1},\ s_{\min}),\quad g_t = 0 \quad (g_{t-1}\, g_t < 0)",
        r"\theta_t = \theta_{t-1} - s_t\, \operatorname{sign}(g_t)",
    )

    def init(self, theta: Array) -> Slots:
        """No gradient yet; every step as large as the rate."""
        return {**zeros(theta, "prev"), "step_size": full(theta, self.learning_rate)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The sizes of the steps, and the steps. Shapes: theta, g, prev, step_size (*S), step () -> (*S)."""
        g = following(g, self.maximize)
        same = g * slots["prev"]
        shrink, grow = like(theta, self.eta_minus), like(theta, self.eta_plus)
        factor = np.where(same > 0, grow, np.where(same < 0, shrink, like(theta, 1)))
        bounds = like(theta, self.smallest), like(theta, self.largest)
        s = np.minimum(np.maximum(slots["step_size"] * factor, bounds[0]), bounds[1])
        g = np.where(factor == shrink, like(theta, 0), g)
        return theta - np.sign(g) * s, {"prev": g, "step_size": s, "step": slots["step"] + 1}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it goes up."""
        return {"maximize": self.maximize}


apply_op(
    Rprop(),
    inputs="var prev step_size step eta_minus eta_plus smallest largest grad",
    latex=r"{var} \leftarrow {var} - {step_size}\, \operatorname{sign}({grad})",
    doc="A step of PyTorch's Rprop. Shapes: var, prev, step_size, grad (*S), the others () -> (*S).",
    doc_zh="PyTorch 的 Rprop 的一步更新。",
)
