"""Plain gradient descent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.ops.definition import OpDef, op
from engine.ops.tensors import Array, Shape


@dataclass(frozen=True, slots=True)
class GradientDescent:
    """Step against the gradient.

    Slots:  none.
    Source: Cauchy (1847). Converges on a quadratic while the learning rate is below 2 / curvature.
    """

    learning_rate: float = 0.01

    name: ClassVar[str] = "GradientDescent"
    hyper_parameters: ClassVar[tuple[str, ...]] = ("learning_rate",)
    latex: ClassVar[tuple[str, ...]] = (r"\theta_t = \theta_{t-1} - \eta\, g_t",)

    def init(self, theta: Array) -> Mapping[str, Array]:
        """No state."""
        return {}

    def update(self, theta: Array, g: Array, slots: Mapping[str, Array]) -> tuple[Array, Mapping[str, Array]]:
        """theta minus learning_rate times g. Shapes: theta, g (*S) -> (*S)."""
        return theta - self.learning_rate * g, {}

    @property
    def apply_op(self) -> OpDef:
        """The op that applies it: inputs variable, learning rate, gradient."""
        return apply_gradient_descent


def _like_variable(var: Shape, alpha: Shape, delta: Shape) -> Shape:
    return var


@op(
    "ApplyGradientDescent",
    inputs="var alpha delta",
    shape=_like_variable,
    writes=(0,),
    latex=r"{var} \leftarrow {var} - {alpha} \cdot {delta}",
    no_gradient="it writes a variable; differentiate the loss instead",
)
def apply_gradient_descent(var: Array, alpha: Array, delta: Array, use_locking: bool = False) -> Any:
    """The variable less learning rate times gradient. Shapes: var, delta (*S), alpha () -> (*S)."""
    return GradientDescent(alpha).update(var, delta, {})[0]  # type: ignore[arg-type]  # a number of var's type
