"""What PyTorch's rules share: precise hyper-parameters, a count of steps for each variable, weight decay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from engine.ops.base.tensors import Array
from engine.optimizers.rule import Rule

ZEROS, START = "Initializer/zeros", "Initializer/start"


class TorchRule(Rule):
    """A rule of `torch.optim`: its slots have the names that PyTorch gives to a parameter's state.

    PyTorch computes with hyper-parameters in double precision, and rounds what it made of them to the
    variable's type; so they stay float64 here, whatever the variable is.
    unshown: slots that PyTorch does not have.
    """

    __slots__ = ()

    unshown: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **keywords: Any) -> None:
        cls.exact = cls.__dict__.get("hyper_parameters", ())


def following(g: Any, maximize: bool) -> Any:
    """The gradient of what is minimised. Shapes: g (*S) -> (*S)."""
    return -g if maximize else g


def decayed(g: Any, theta: Any, weight_decay: Any) -> Any:
    """The gradient of the loss plus half of weight_decay times the sum of theta's squares.

    Shapes: (*S) -> (*S).
    """
    return g + like(theta, weight_decay) * theta


def shrunk(theta: Any, learning_rate: Any, weight_decay: Any) -> Any:
    """Weight decay apart from the gradient (decoupled). Shapes: theta (*S) -> (*S)."""
    return theta * like(theta, 1 - learning_rate * weight_decay)


def like(theta: Any, number: Any) -> Any:
    """A number in theta's type. Shapes: number () -> ()."""
    return _as_type(number, theta.dtype)


def double(number: Any) -> Any:
    """A count of steps in double precision, to be an exponent. Shapes: () -> ()."""
    return _as_type(number, np.float64)


def single(number: Any) -> Any:
    """A number in single precision, as PyTorch keeps some of an optimizer's. Shapes: () -> ()."""
    return _as_type(number, np.float32)


def _as_type(number: Any, dtype: Any) -> Any:
    return number.astype(dtype) if hasattr(number, "astype") else np.asarray(number, dtype=dtype)


def drawn_to(mean: Any, value: Any, share: Any) -> Any:
    """A running mean, drawn to a new value by a share below one half.

    Shapes: mean, value (*S), share () -> (*S).
    """
    return mean + like(mean, share) * (value - mean)


def mean_square(mean: Any, g: Any, beta: Any) -> Any:
    """A running mean of squares. Shapes: mean, g (*S), beta () -> (*S)."""
    return mean * like(mean, beta) + like(mean, 1 - beta) * g * g


def zeros(theta: Array, *names: str) -> Mapping[str, Any]:
    """Slots that start at zero, and no steps made. Shapes: theta (*S) -> each slot (*S), `step` ()."""
    return {**{name: np.zeros_like(theta) for name in names}, "step": np.zeros((), dtype=theta.dtype)}
