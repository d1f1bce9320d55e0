"""`keras.activations`: those that Keras 3 has beside the ones every network uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import ops
from engine.errors import ValueRefused
from engine.ops.base.building import convert_to_tensor


def celu(x: Any, alpha: Any = 1.0) -> Any:
    """max(0, x) + min(0, α (e^(x/α) - 1))."""
    x = convert_to_tensor(x)
    return ops.maximum(x, 0.0) + alpha * ops.expm1(ops.minimum(x, 0.0) / alpha)


def glu(x: Any, axis: Any = -1) -> Any:
    """The first half along an axis, times the sigmoid of the second."""
    x = convert_to_tensor(x)
    if x.shape is None or x.shape[axis] % 2:
        raise ValueRefused(
            f"axis size must be divisible by 2. Received: x.shape={x.shape} with axis={axis}",
            message_zh=f"该轴的长度必须能被 2 整除：x.shape={x.shape}，axis={axis}。",
            kind="ValueError",
        )
    first, second = ops.split(x, 2, axis=axis)
    return first * ops.sigmoid(second)


def hard_shrink(x: Any, threshold: Any = 0.5) -> Any:
    """x where it is farther than the threshold from 0, else 0."""
    x = convert_to_tensor(x)
    return ops.where(ops.absolute(x) > threshold, x, ops.zeros_like(x))


def hard_silu(x: Any) -> Any:
    """x times the hard sigmoid of x."""
    x = convert_to_tensor(x)
    return x * ops.relu6(x + 3.0) / 6.0


def hard_tanh(x: Any) -> Any:
    """x between -1 and 1."""
    return ops.clip_by_value(convert_to_tensor(x), -1.0, 1.0)


def log_sigmoid(x: Any) -> Any:
    """log(1 / (1 + e^-x))."""
    return -ops.softplus(-convert_to_tensor(x))


def soft_shrink(x: Any, threshold: Any = 0.5) -> Any:
    """x nearer to 0 by the threshold, and 0 where it is not farther than that."""
    x = convert_to_tensor(x)
    return ops.where(
        x > threshold, x - threshold, ops.where(x < -threshold, x + threshold, ops.zeros_like(x))
    )


def sparse_plus(x: Any) -> Any:
    """0 up to -1, (x + 1)² / 4 up to 1, x beyond."""
    x = convert_to_tensor(x)
    between = 0.25 * (x + 1.0) * (x + 1.0)
    return ops.where(x <= -1.0, ops.zeros_like(x), ops.where(x < 1.0, between, x))


def sparse_sigmoid(x: Any) -> Any:
    """0 up to -1, (x + 1) / 2 up to 1, 1 beyond."""
    x = convert_to_tensor(x)
    rising = 0.5 * (x + 1.0)
    return ops.where(x <= -1.0, ops.zeros_like(x), ops.where(x >= 1.0, ops.ones_like(x), rising))


def squareplus(x: Any, b: Any = 4.0) -> Any:
    """(x + √(x² + b)) / 2."""
    x = convert_to_tensor(x)
    return (x + ops.sqrt(x * x + b)) / 2.0


def tanh_shrink(x: Any) -> Any:
    """x - tanh x."""
    x = convert_to_tensor(x)
    return x - ops.tanh(x)


def threshold(x: Any, threshold: Any, default_value: Any) -> Any:
    """x where it is larger than the threshold, else another value."""
    x = convert_to_tensor(x)
    return ops.where(x > threshold, x, ops.ones_like(x) * default_value)


FURTHER: Mapping[str, Callable[..., Any]] = {
    "celu": celu,
    "glu": glu,
    "hard_shrink": hard_shrink,
    "hard_silu": hard_silu,
    "hard_swish": hard_silu,
    "hard_tanh": hard_tanh,
    "log_sigmoid": log_sigmoid,
    "soft_shrink": soft_shrink,
    "sparse_plus": sparse_plus,
    "sparse_sigmoid": sparse_sigmoid,
    "squareplus": squareplus,
    "tanh_shrink": tanh_shrink,
    "threshold": threshold,
}
