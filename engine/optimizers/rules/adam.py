"""Adam, in TensorFlow 1's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.graph import Node, Tensor, Variable
from engine.ops.arrays.scattering import scatter_add
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.ops.common.casting import cast
from engine.ops.common.passing import group
from engine.ops.elementwise.exponentials import sqrt
from engine.ops.sources.state import assign, assign_sub
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.building import Optimizer
from engine.optimizers.rows import sum_rows
from engine.optimizers.rule import Rule, Scalar, Slots


@dataclass(frozen=True, slots=True)
class Adam(Rule):
    """A running mean of the gradient over the root of a running mean of its square, bias removed.

    Slots:   m and v, shaped like theta; start at zero. Shared by all variables: beta1_power and
             beta2_power, the betas to the power of the step's number.
    Variant: epsilon outside the root and beside the uncorrected v ("epsilon hat" of the paper).
    Source:  Kingma & Ba (2015), end of section 2; Nesterov form: Dozat (2016).
    """

    learning_rate: Scalar = 0.001
    beta1: Scalar = 0.9
    beta2: Scalar = 0.999
    epsilon: Scalar = 1e-8
    use_nesterov: bool = False

    name: ClassVar[str] = "Adam"
    apply_name: ClassVar[str] = "ApplyAdam"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate", "beta1", "beta2", "epsilon")
    slots: ClassVar[Mapping[str, str]] = {"m": "Initializer/zeros", "v": "Initializer/zeros"}
    shared: ClassVar[tuple[str, ...]] = ("beta1_power", "beta2_power")
    takes: ClassVar[tuple[str, ...]] = (
        "slots.m",
        "slots.v",
        "beta1_power",
        "beta2_power",
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "梯度的滑动均值除以其平方滑动均值的根，并修正偏差；epsilon 在根号之外。"
    latex: ClassVar[tuple[str, ...]] = (
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1)\, g_t",
        r"v_t = \beta_2 v_{t-1} + (1 - \beta_2)\, g_t^2",
        r"\eta_t = \eta\, \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t}",
        r"\theta_t = \theta_{t-1} - \eta_t\, \frac{m_t}{\sqrt{v_t} + \epsilon}",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing; the powers belong to the first step."""
        zeros = np.zeros_like(theta)
        return {"m": zeros, "v": zeros, "beta1_power": self.beta1, "beta2_power": self.beta2}

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """Both means, the corrected rate, the step. Shapes: theta, g, m, v (*S), powers () -> (*S)."""
        power1, power2 = slots["beta1_power"], slots["beta2_power"]
        m = slots["m"] + (g - slots["m"]) * (1 - self.beta1)
        v = slots["v"] + (g * g - slots["v"]) * (1 - self.beta2)
        rate = self.learning_rate * np.sqrt(1 - power2) / (1 - power1)
        ahead = self.beta1 * m + (1 - self.beta1) * g if self.use_nesterov else m
        new = theta - rate * ahead / (np.sqrt(v) + self.epsilon)
        powers = {"beta1_power": power1 * self.beta1, "beta2_power": power2 * self.beta2}
        return new, {"m": m, "v": v, **powers}

    def update_rows(
        self,
        variable: Variable,
        rows: IndexedSlices,
        slots: Mapping[str, Variable],
        known: Mapping[str, Any],
    ) -> Node:
        """Spelled out, since the means of all rows fade; only these rows receive a gradient."""
        summed = sum_rows(rows)
        found = {name: cast(known[name], variable.dtype) for name in (*self.shared, *self.hyper_parameters)}
        rate = found["learning_rate"] * sqrt(1 - found["beta2_power"]) / (1 - found["beta1_power"])
        g = summed.values
        m = _fade(slots["m"], found["beta1"], summed.indices, g * (1 - found["beta1"]))
        v = _fade(slots["v"], found["beta2"], summed.indices, (g * g) * (1 - found["beta2"]))
        root = sqrt(v)
        updated = assign_sub.node(variable.ref, rate * m / (root + found["epsilon"]))
        waited: Any = group(updated, m, v)
        node: Node = waited
        return node

    def advance(self, shared: Mapping[str, Variable], constants: Mapping[str, Tensor]) -> Sequence[Node]:
        """Each power times its beta, once a step for all variables."""
        updates: list[Any] = []
        with shared["beta1_power"].graph.colocate_with(shared["beta1_power"].node):
            for beta in ("beta1", "beta2"):
                power = shared[f"{beta}_power"]
                updates.append(assign.node(power.ref, power * constants[beta], use_locking=False))
        return updates

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it looks ahead."""
        return {"use_nesterov": self.use_nesterov}


def _fade(slot: Variable, beta: Tensor, indices: Tensor, new: Any) -> Any:
    """The running mean times beta, then the new rows added."""
    faded = assign.node(slot.ref, slot * beta, use_locking=False)
    with slot.graph.control_dependencies([faded]):
        return scatter_add(slot.ref, indices, new)


apply_op(
    Adam(),
    inputs="var m v beta1_power beta2_power lr beta1 beta2 epsilon grad",
    latex=r"{var} \leftarrow {var} - {lr} \frac{\sqrt{1 - {beta2_power}}}{1 - {beta1_power}}"
    r" \cdot \frac{{m}}{\sqrt{{v}} + {epsilon}}",
    doc="A step of Adam. Shapes: var, m, v, grad (*S), the others () -> (*S).",
    doc_zh="Adam 的一步更新。",
)


def adam_optimizer(
    learning_rate: Any = 0.001,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    epsilon: Any = 1e-8,
    use_locking: bool = False,
    name: str | None = None,
) -> Optimizer:
    """`tf.train.AdamOptimizer`."""
    return Optimizer(Adam(learning_rate, beta1, beta2, epsilon), name=name, use_locking=use_locking)
