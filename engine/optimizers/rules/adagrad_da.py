"""Adagrad with dual averaging: every step starts again from zero, with the sum of all gradients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.graph import Tensor
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Array
from engine.ops.common.passing import identity
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rule import Rule, Scalar, Slots


@dataclass(frozen=True, slots=True)
class AdagradDA(Rule):
    """The point that minimises the sum of all linearised losses plus regularisation.

    Slots:   gradient_accumulator (s in the formula, starts at zero) and gradient_squared_accumulator
             (a, starts at initial_gradient_squared_accumulator_value), both shaped like theta.
    Variant: theta is computed anew from the sums; the start value of the variable is forgotten at the
             first step. t is the global step, from 1.
    Source:  Duchi, Hazan & Singer (2011), section 5; Xiao (2010).
    """

    learning_rate: Scalar = 0.01
    initial_gradient_squared_accumulator_value: float = 0.1
    l1_regularization_strength: Scalar = 0.0
    l2_regularization_strength: Scalar = 0.0
    global_step: Any = 0

    name: ClassVar[str] = "AdagradDA"
    apply_name: ClassVar[str] = "ApplyAdagradDA"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate",)
    slots: ClassVar[Mapping[str, str]] = {
        "gradient_accumulator": "Const",
        "gradient_squared_accumulator": "Const",
    }
    takes: ClassVar[tuple[str, ...]] = (
        "slots.gradient_accumulator",
        "slots.gradient_squared_accumulator",
        "g",
        "learning_rate",
        "l1_regularization_strength",
        "l2_regularization_strength",
        "t",
    )
    doc_zh: ClassVar[str] = "对偶平均：每一步都由全部梯度之和重新算出变量，初始值在第一步后不再起作用。"
    latex: ClassVar[tuple[str, ...]] = (
        r"s_t = s_{t-1} + g_t",
        r"a_t = a_{t-1} + g_t^2",
        r"\theta_t = -\frac{\eta\, \mathrm{sign}(s_t) \max(|s_t| - \lambda_1 t,\, 0)}"
        r"{\lambda_2\, t\, \eta + \sqrt{a_t}}",
    )

    def init(self, theta: Array) -> Slots:
        """No gradient seen; the squares as if small ones had been. The first step is number 1."""
        squares = np.full_like(theta, self.initial_gradient_squared_accumulator_value)
        return {
            "gradient_accumulator": np.zeros_like(theta),
            "gradient_squared_accumulator": squares,
            "t": 1,
        }

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both sums, then theta from them alone. Shapes: theta, g, sums (*S), t () -> (*S)."""
        t = np.asarray(slots["t"], dtype=theta.dtype)
        s = slots["gradient_accumulator"] + g
        a = slots["gradient_squared_accumulator"] + g * g
        shrunk = np.sign(s) * np.maximum(np.abs(s) - self.l1_regularization_strength * t, 0)
        scale = self.l2_regularization_strength * t * self.learning_rate + np.sqrt(a)
        new = -self.learning_rate * shrunk / scale
        return new, {"gradient_accumulator": s, "gradient_squared_accumulator": a, "t": slots["t"] + 1}

    def prepare(self, constants: dict[str, Tensor]) -> None:
        """The number of the step that is about to be made: the global step plus one."""
        rate = constants["learning_rate"]
        with rate.graph.colocate_with(rate.node):
            step: Any = identity(convert_to_tensor(self.global_step)) + 1
        constants["t"] = step

    def inputs(self, found: Mapping[str, Any]) -> Mapping[str, Any]:
        """The step number for this variable; the regularisation is cast where it is used."""
        strengths = {
            name: getattr(self, name) for name in ("l1_regularization_strength", "l2_regularization_strength")
        }
        return {**found, **strengths, "t": identity(found["t"])}


apply_op(
    AdagradDA(),
    inputs="var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step",
    latex=r"{var} \leftarrow \mathrm{AdagradDA}({grad}; {lr}, {l1}, {l2}, {global_step})",
    doc="A step of AdagradDA. Shapes: var, sums, grad (*S), the others () -> (*S).",
    doc_zh="AdagradDA 的一步更新。",
    sparse=True,
)


def adagrad_da_optimizer(
    learning_rate: Any,
    global_step: Any,
    initial_gradient_squared_accumulator_value: float = 0.1,
    l1_regularization_strength: float = 0.0,
    l2_regularization_strength: float = 0.0,
    use_locking: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.AdagradDAOptimizer`; its global step is an int64 variable."""
    rule = AdagradDA(
        learning_rate,
        initial_gradient_squared_accumulator_value,
        l1_regularization_strength,
        l2_regularization_strength,
        global_step,
    )
    return Optimizer(rule, name=name, use_locking=use_locking)
