"""What PyTorch's rules share: precise hyper-parameters, a count of steps for each variable, weight decay.

Numbers come out as PyTorch's to the bit in single precision: where its kernels multiply and add, they round
once, and a share of a quotient is a product divided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.ops.common.fused import fused, in_type
from engine.optimizers.rule import Rule

ZEROS, START = "Initializer/zeros", "Initializer/start"


class TorchRule(Rule):
    """A rule of `torch.optim`: its slots have the names that PyTorch gives to a parameter's state.

    PyTorch computes with hyper-parameters in double precision, and rounds what it made of them to the
    variable's type; so they stay float64 here, whatever the variable is.

    state: what PyTorch keeps for a parameter, in its order; `name?setting` where the setting is on, or where
           the parameter is a `matrix` or a `vector`. Other slots are no state of PyTorch's.
    """

    __slots__ = ()
    state: ClassVar[str] = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        cls.exact = cls.__dict__.get("hyper_parameters", ())

    def shown(self, slots: Mapping[str, Any], axes: int) -> Mapping[str, Any]:
        """Those that PyTorch keeps, too."""
        kept = kept_of(self.state, lambda name: getattr(self, name), axes)
        return {name: slot for name, slot in slots.items() if name in kept}


def kept_of(state: str, setting_of: Callable[[str], Any], axes: int) -> list[str]:
    """The names of a parameter's state, for settings and a parameter of so many axes."""
    found = []
    for entry in state.split():
        name, _, setting = entry.partition("?")
        sizes = {"": True, "matrix": axes > 1, "vector": axes < 2}
        if sizes[setting] if setting in sizes else np.any(setting_of(setting)):
            found.append(name)
    return found


def following(g: Any, maximize: bool) -> Any:
    """The gradient of what is minimised. Shapes: g (*S) -> (*S)."""
    return -g if maximize else g


def decayed(g: Any, theta: Any, weight_decay: Any) -> Any:
    """The gradient of the loss plus half of weight_decay times the sum of theta's squares.

    Shapes: (*S) -> (*S).
    """
    return either(weight_decay == 0, lambda: g, lambda: fused(like(theta, weight_decay), theta, g))


def shrunk(theta: Any, learning_rate: Any, weight_decay: Any) -> Any:
    """Weight decay apart from the gradient (decoupled). Shapes: theta (*S) -> (*S)."""
    return theta * like(theta, 1 - learning_rate * weight_decay)


def like(theta: Any, number: Any) -> Any:
    """A number in theta's type. Shapes: number () -> ()."""
    return in_type(number, theta.dtype)


def double(number: Any) -> Any:
    """A count of steps in double precision, to be an exponent. Shapes: () -> ()."""
    return in_type(number, np.float64)


def single(number: Any) -> Any:
    """A number in single precision, as PyTorch keeps some of an optimizer's. Shapes: () -> ()."""
    return in_type(number, np.float32)


def drawn_to(mean: Any, value: Any, share: Any) -> Any:
    """A running mean, drawn to a new value by a share, from the nearer of both (`lerp`).

    Shapes: mean, value (*S), share () -> (*S).
    """
    way, share = value - mean, like(mean, share)
    return either(share < 0.5, lambda: fused(share, way, mean), lambda: fused(-way, 1 - share, value))


def mean_square(mean: Any, g: Any, beta: Any) -> Any:
    """A running mean of squares. Shapes: mean, g (*S), beta () -> (*S)."""
    return fused(like(mean, 1 - beta) * g, g, mean * like(mean, beta))


def moved(theta: Any, rate: Any, direction: Any, root: Any) -> Any:
    """A step against a direction over a root. Shapes: theta, direction, root (*S), rate () -> (*S)."""
    return theta - rate * direction / root


def either(condition: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """One of two arrays: where the condition is a known truth value, the other is not computed."""
    if isinstance(condition, (bool, np.bool_)):
        return yes() if condition else no()
    return np.where(condition, yes(), no())


def full(theta: Array, number: Any) -> Array:
    """A slot that starts at a number; for complex ones both parts do. Shapes: theta (*S) -> (*S)."""
    return np.full_like(theta, number * (1 + 1j) if theta.dtype.kind == "c" else number)


def zeros(theta: Array, *names: str) -> Mapping[str, Any]:
    """Slots that start at zero, and no steps made. Shapes: theta (*S) -> each slot (*S), `step` ()."""
    return {**{name: np.zeros_like(theta) for name in names}, "step": np.zeros((), dtype=theta.dtype)}
