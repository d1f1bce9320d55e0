"""PyTorch's Adafactor: mean squares of rows and columns in place of one for each number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.ops.common.fused import fused
from engine.optimizers.apply_ops import apply_op
from engine.optimizers.rule import Scalar, Slots
from engine.optimizers.rules.torch.rule import (
    START,
    TorchRule,
    double,
    drawn_to,
    following,
    like,
    shrunk,
)


@dataclass(frozen=True, slots=True)
class Adafactor(TorchRule):
    """The gradient over the root of a mean square that is known by its rows and columns, with a bounded step.

    Slots:   of a matrix row_var (r) (*S, m, 1) and col_var (c) (*S, 1, n); of a vector variance (v). All
             zero. step.
    Variant: PyTorch. epsilon1 of None is the spacing of numbers at 1 in theta's type.
    Source:  Shazeer & Stern (2018), algorithm 5.
    """

    learning_rate: Scalar = 0.01
    beta2_decay: Scalar = -0.8
    epsilon1: Scalar = -1.0
    epsilon2: Scalar = 1e-3
    d: Scalar = 1.0
    weight_decay: Scalar = 0.0
    maximize: bool = False

    name: ClassVar[str] = "Adafactor"
    apply_name: ClassVar[str] = "ApplyTorchAdafactor"
    hyper_parameters: ClassVar[tuple[str, ...]] = (
        *("learning_rate", "beta2_decay", "epsilon1", "epsilon2", "d", "weight_decay"),
    )
    slots: ClassVar[Mapping[str, str]] = {
        "step": START,
        "row_var": START,
        "col_var": START,
        "variance": START,
    }
    state: ClassVar[str] = "step row_var?matrix col_var?matrix variance?vector"
    takes: ClassVar[tuple[str, ...]] = (
        *("slots.step", "slots.row_var", "slots.col_var", "slots.variance"),
        *hyper_parameters,
        "g",
    )
    doc_zh: ClassVar[str] = "PyTorch 的 Adafactor：矩阵的均方只按行和列保存，步长有上限。"
    latex: ClassVar[tuple[str, ...]] = (
        r"\hat\beta_t = 1 - t^{\gamma},\quad \rho_t = \min(\eta, 1 / \sqrt t),"
        r"\quad \alpha_t = \max(\epsilon_2, \mathrm{RMS}(\theta_{t-1}))\, \rho_t",
        r"r_t = \hat\beta_t\, r_{t-1} + (1 - \hat\beta_t)\, \overline{g_t^2}^{\text{row}},\quad"
        r" c_t = \hat\beta_t\, c_{t-1} + (1 - \hat\beta_t)\, \overline{g_t^2}^{\text{column}}",
        r"u_t = g_t / \sqrt{r_t\, c_t / \overline{r_t}}",
        r"\theta_t = \theta_{t-1} - \alpha_t\, u_t / \max(1, \mathrm{RMS}(u_t) / d)",
    )

    def init(self, theta: Array) -> Slots:
        """Means of nothing, no steps made."""
        none = np.zeros((), dtype=theta.dtype)
        if theta.ndim < 2:
            return {"step": none, "row_var": none, "col_var": none, "variance": np.zeros_like(theta)}
        return {
            "step": none,
            "row_var": np.zeros_like(theta[..., :, :1]),
            "col_var": np.zeros_like(theta[..., :1, :]),
            "variance": none,
        }

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """The means, the bounded step. Shapes: theta, g (*S), slots as in `init` -> (*S)."""
        t = double(slots["step"] + 1)
        g = following(g, self.maximize)
        share = like(theta, t**self.beta2_decay)
        rate = np.minimum(self.learning_rate, 1 / np.sqrt(t))
        alpha = np.maximum(self.epsilon2, double(_root_mean_square(theta))) * rate
        smallest = np.where(np.asarray(self.epsilon1) < 0, np.finfo(theta.dtype).eps, self.epsilon1)
        theta = shrunk(theta, self.learning_rate, self.weight_decay)
        v, after = self._variance(g, slots, share, like(theta, smallest))
        u = 1 / np.sqrt(np.maximum(v, like(theta, smallest * smallest))) * g
        bound = np.maximum(1.0, double(_root_mean_square(u)) / self.d)
        return fused(-like(theta, alpha / bound), u, theta), {**after, "step": slots["step"] + 1}

    def _variance(self, g: Array, slots: Slots, share: Any, smallest: Any) -> tuple[Array, Mapping[str, Any]]:
        """The mean square of each number, and the slots behind it. Shapes: g (*S) -> (*S)."""
        if g.ndim < 2:
            v = drawn_to(slots["variance"], g * g, share)
            return v, {**slots, "variance": v}
        rows, columns = (np.sqrt(np.sum(g * g, axis=axis, keepdims=True)) for axis in (-1, -2))
        r = drawn_to(slots["row_var"], np.square(rows) / g.shape[-1], share)
        c = drawn_to(slots["col_var"], np.square(columns) / g.shape[-2], share)
        mean = np.maximum(np.mean(r, axis=-2, keepdims=True), smallest)
        return r * c / mean, {**slots, "row_var": r, "col_var": c}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Whether it goes up."""
        return {"maximize": self.maximize}


def _root_mean_square(x: Array) -> Any:
    return np.sqrt(np.mean(x * x))


apply_op(
    Adafactor(),
    inputs="var step row_var col_var variance lr beta2_decay eps1 eps2 d weight_decay grad",
    latex=r"{var} \leftarrow {var} - \alpha_t\, \frac{{grad}}{\sqrt{{row_var}\, {col_var} / \overline{r}}}",
    doc="A step of PyTorch's Adafactor. Shapes: var, grad (*S), the means as it is known by -> (*S).",
    doc_zh="PyTorch 的 Adafactor 的一步更新。",
)
