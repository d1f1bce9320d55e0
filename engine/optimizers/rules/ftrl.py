"""FTRL-Proximal: follow the regularised leader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rule import Rule, Scalar, Slots

_STRENGTHS = ("l1_regularization_strength", "l2_regularization_strength")
_SHRINKAGE = "l2_shrinkage_regularization_strength"


@dataclass(frozen=True, slots=True)
class Ftrl(Rule):
    """The point that minimises all linearised losses so far, with steps bounded as in Adagrad.

    Slots:   accum (a in the formula, of squared gradients; starts at initial_accumulator_value) and
             linear (z, starts at zero), both shaped like theta.
    Variant: theta is computed from z alone, so it is exactly 0 while |z| <= l1. p is the learning rate
             power. With shrinkage s, g + 2 s theta takes the place of g in z (not in a).
    Source:  McMahan et al. (2013), algorithm 1.
    """

    learning_rate: Scalar = 0.01
    learning_rate_power: Scalar = -0.5
    initial_accumulator_value: float = 0.1
    l1_regularization_strength: Scalar = 0.0
    l2_regularization_strength: Scalar = 0.0
    l2_shrinkage_regularization_strength: Scalar = 0.0

    name: ClassVar[str] = "Ftrl"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        "learning_rate",
        *_STRENGTHS,
        _SHRINKAGE,
        "learning_rate_power",
    )
    slots: ClassVar[Mapping[str, str]] = {"accum": "Const", "linear": "Initializer/zeros"}
    doc_zh: ClassVar[str] = "跟随正则化领先者：由累计的线性项直接算出变量；当 |z| 不超过 l1 时变量恰为 0。"
    latex: ClassVar[tuple[str, ...]] = (
        r"a_t = a_{t-1} + g_t^2",
        r"z_t = z_{t-1} + g_t - \frac{a_t^{-p} - a_{t-1}^{-p}}{\eta}\, \theta_{t-1}",
        r"\theta_t = \frac{\mathrm{sign}(z_t)\, \lambda_1 - z_t}{a_t^{-p} / \eta + 2 \lambda_2}"
        r" \;\text{if}\; |z_t| > \lambda_1,\; \text{else}\; 0",
    )

    @property
    def takes(self) -> tuple[str, ...]:
        """As ApplyFtrl and ApplyFtrlV2 list them."""
        shrinkage = (_SHRINKAGE,) if self._shrinks else ()
        return (
            "slots.accum",
            "slots.linear",
            "g",
            "learning_rate",
            *_STRENGTHS,
            *shrinkage,
            "learning_rate_power",
        )

    @property
    def _shrinks(self) -> bool:
        strength = self.l2_shrinkage_regularization_strength
        return bool(strength > 0)

    def init(self, theta: Array) -> Slots:
        """As if small gradients had been seen, that cancelled out."""
        accum = np.full_like(theta, self.initial_accumulator_value)
        return {"accum": accum, "linear": np.zeros_like(theta)}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both sums, then theta from z. Shapes: theta, g, accum, linear (*S) -> (*S)."""
        eta, p = self.learning_rate, self.learning_rate_power
        l1, l2 = self.l1_regularization_strength, self.l2_regularization_strength
        a = slots["accum"] + g * g
        shrunk = g + 2 * self.l2_shrinkage_regularization_strength * theta
        z = slots["linear"] + shrunk - (a**-p - slots["accum"] ** -p) / eta * theta
        new = (np.sign(z) * l1 - z) / (a**-p / eta + 2 * l2)
        return np.where(np.abs(z) > l1, new, np.zeros_like(new)), {"accum": a, "linear": z}

    @property
    def apply_name(self) -> str:
        """ApplyFtrl, or ApplyFtrlV2 where there is shrinkage."""
        return "ApplyFtrlV2" if self._shrinks else "ApplyFtrl"


apply_op(
    Ftrl(),
    inputs="var accum linear grad lr l1 l2 lr_power",
    latex=r"{var} \leftarrow \frac{\mathrm{sign}({linear}) {l1} - {linear}}"
    r"{{accum}^{-{lr_power}} / {lr} + 2 \cdot {l2}}",
    doc="A step of Ftrl. Shapes: var, accum, linear, grad (*S), the others () -> (*S).",
    doc_zh="Ftrl 的一步更新。",
    sparse=True,
)


apply_op(
    Ftrl(l2_shrinkage_regularization_strength=1.0),
    inputs="var accum linear grad lr l1 l2 l2_shrinkage lr_power",
    latex=r"{linear} \leftarrow {linear} + {grad} + 2 \cdot {l2_shrinkage} {var} - \ldots \;"
    r"\text{as in ApplyFtrl}",
    doc="A step of Ftrl with shrinkage. Shapes: var, accum, linear, grad (*S), the others () -> (*S).",
    doc_zh="带收缩的 Ftrl 的一步更新。",
    sparse=True,
)


def ftrl_optimizer(
    learning_rate: Any,
    learning_rate_power: Any = -0.5,
    initial_accumulator_value: float = 0.1,
    l1_regularization_strength: float = 0.0,
    l2_regularization_strength: float = 0.0,
    use_locking: bool = False,
    name: str | None = None,
    accum_name: str | None = None,
    linear_name: str | None = None,
    l2_shrinkage_regularization_strength: float = 0.0,
) -> Optimizer:
    """`tf.train.FtrlOptimizer`."""
    rule = Ftrl(
        learning_rate,
        learning_rate_power,
        initial_accumulator_value,
        l1_regularization_strength,
        l2_regularization_strength,
        l2_shrinkage_regularization_strength,
    )
    names = {"accum": accum_name, "linear": linear_name}
    return Optimizer(rule, name=name, use_locking=use_locking, slot_names=names)
