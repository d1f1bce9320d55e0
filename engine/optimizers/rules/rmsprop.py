"""RMSProp: divide by a running root mean square of the gradient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rule import Rule, Scalar, Slots

_HYPER_PARAMETERS = ("learning_rate", "decay", "momentum", "epsilon")


@dataclass(frozen=True, slots=True)
class RMSProp(Rule):
    """Divide the gradient by the root of its running mean square, then take a step with momentum.

    Slots:   rms (r in the formula, starts at ONE), momentum (v, starts at zero) and, where centered, mg
             (m, the running mean, starts at zero); all shaped like theta.
    Variant: epsilon inside the root. Centered: the running variance r - m^2 stands in the root.
    Source:  Tieleman & Hinton (2012), lecture 6e; centered: Graves (2013).
    """

    learning_rate: Scalar = 0.001
    decay: Scalar = 0.9
    momentum: Scalar = 0.0
    epsilon: Scalar = 1e-10
    centered: bool = False

    name: ClassVar[str] = "RMSProp"
    hyper_parameters: ClassVar[tuple[str, ...]] = _HYPER_PARAMETERS
    doc_zh: ClassVar[str] = "梯度除以其滑动均方根，再带动量走一步；均方从 1 开始，epsilon 在根号之内。"
    latex: ClassVar[tuple[str, ...]] = (
        r"r_t = \rho\, r_{t-1} + (1 - \rho)\, g_t^2",
        r"v_t = \mu\, v_{t-1} + \frac{\eta\, g_t}{\sqrt{r_t + \epsilon}}",
        r"v_t = \mu\, v_{t-1} + \frac{\eta\, g_t}{\sqrt{r_t - m_t^2 + \epsilon}} \;\text{(centered)}",
        r"\theta_t = \theta_{t-1} - v_t",
    )

    @property
    def slots(self) -> Mapping[str, str]:
        """TensorFlow makes them in this order."""
        mean = {"mg": "Initializer/zeros"} if self.centered else {}
        return {"rms": "Initializer/ones", **mean, "momentum": "Initializer/zeros"}

    @property
    def takes(self) -> tuple[str, ...]:
        """As ApplyRMSProp and ApplyCenteredRMSProp list them."""
        mean = ("slots.mg",) if self.centered else ()
        return (*mean, "slots.rms", "slots.momentum", *_HYPER_PARAMETERS, "g")

    def init(self, theta: Array) -> Slots:
        """The mean square starts at one, so the first steps are short."""
        mean = {"mg": np.zeros_like(theta)} if self.centered else {}
        return {"rms": np.ones_like(theta), **mean, "momentum": np.zeros_like(theta)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Mean square (and mean), velocity, step. Shapes: theta, g, slots (*S) -> (*S)."""
        r = slots["rms"] + (g * g - slots["rms"]) * (1 - self.decay)
        mean, spread = {}, r
        if self.centered:
            m = slots["mg"] + (g - slots["mg"]) * (1 - self.decay)
            mean, spread = {"mg": m}, r - m * m
        v = self.momentum * slots["momentum"] + self.learning_rate * g / np.sqrt(spread + self.epsilon)
        return theta - v, {"rms": r, **mean, "momentum": v}

    @property
    def apply_name(self) -> str:
        """ApplyRMSProp or ApplyCenteredRMSProp."""
        return "ApplyCenteredRMSProp" if self.centered else "ApplyRMSProp"


apply_op(
    RMSProp(),
    inputs="var ms mom lr rho momentum epsilon grad",
    latex=r"{mom} \leftarrow {momentum}\, {mom} + {lr}\, {grad} / \sqrt{{ms} + {epsilon}};\ "
    r"{var} \leftarrow {var} - {mom}",
    doc="A step of RMSProp. Shapes: var, ms, mom, grad (*S), the others () -> (*S).",
    doc_zh="RMSProp 的一步更新。",
    sparse=True,
)


apply_op(
    RMSProp(centered=True),
    inputs="var mg ms mom lr rho momentum epsilon grad",
    latex=r"{mom} \leftarrow {momentum}\, {mom} + {lr}\, {grad} / \sqrt{{ms} - {mg}^2 + {epsilon}};\ "
    r"{var} \leftarrow {var} - {mom}",
    doc="A step of centered RMSProp. Shapes: var, mg, ms, mom, grad (*S), the others () -> (*S).",
    doc_zh="中心化 RMSProp 的一步更新。",
    sparse=True,
)


def rms_prop_optimizer(
    learning_rate: Any,
    decay: Any = 0.9,
    momentum: Any = 0.0,
    epsilon: Any = 1e-10,
    use_locking: bool = False,
    centered: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.RMSPropOptimizer`."""
    rule = RMSProp(learning_rate, decay, momentum, epsilon, centered)
    return Optimizer(rule, name=name, use_locking=use_locking)
