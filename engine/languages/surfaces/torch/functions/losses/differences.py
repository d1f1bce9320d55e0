"""Losses of differences, and how the losses of all elements become one."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.losses.checks import (
    check_kernel,
    check_sized,
    check_threshold,
)
from engine.languages.surfaces.torch.functions.numbers import parted
from engine.languages.surfaces.torch.functions.operands import (
    check_broadcast,
    common_type,
    plain,
    to_type,
)
from engine.languages.surfaces.torch.functions.reductions import mean, sum
from engine.languages.surfaces.torch.functions.shaping import broadcast_tensors
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS

REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}  # as PyTorch's nodes keep it


def how(reduction: Any, size_average: Any = None, reduce: Any = None) -> Any:
    """The way in which the losses of all elements become one. Raises: ValueError's message of PyTorch."""
    if size_average is not None or reduce is not None:
        if reduce is not None and not reduce:
            return "none"
        return "mean" if size_average is None or size_average else "sum"
    if reduction not in REDUCTIONS:
        raise torch_error(
            f"{reduction} is not a valid value for reduction",
            f"reduction 不能是 {reduction}。",
            kind="ValueError",
            hint="It is 'mean', 'sum' or 'none'.",
            hint_zh="它可以是 'mean'、'sum' 或 'none'。",
        )
    return reduction


def check_asks_none(function: str, **arguments: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where a tensor asks for a gradient that is not defined."""
    for name, tensor in arguments.items():
        if tensor is not None and tensor.requires_grad and state().records:
            raise torch_error(
                f"The function '{function}' is not differentiable with respect to argument '{name}'. This "
                "input cannot have requires_grad True.",
                f"{function} 对参数 '{name}' 没有导数，它不能要求梯度。",
                hint=f"Pass {name}.detach().",
                hint_zh=f"请传入 {name}.detach()。",
            )


def reduced(losses: Any, reduction: Any) -> Any:
    """The mean or the sum of losses, or all of them: tensors."""
    return losses if reduction == "none" else mean(losses) if reduction == "mean" else sum(losses)


def reduced_value(value: Any, reduction: Any) -> Any:
    """The same of a value of the graph."""
    if reduction == 0:
        return value
    return ops.reduce_mean(value) if reduction == 1 else ops.reduce_sum(value)


def share(reduction: Any, like: Any) -> float:
    """What each element's loss counts in the reduced one."""
    return 1.0 / like.form.size if reduction == 1 else 1.0


def averaged(grad: Any, reduction: Any, like: Any) -> Any:
    """The gradients of all elements' losses, divided by their number where the mean is taken."""
    return parted(grad, like.form.size) if reduction == 1 else grad


@differentiable("MseLossBackward0", saves="self target reduction", inputs="self target")
def _mse_loss(self: Any, target: Any, reduction: Any) -> Any:
    return reduced_value(ops.square(ops.sub(self, target)), reduction)


@_mse_loss.backward
def _mse_loss_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: mse_loss_slope(grad, saved.self, saved.target, saved.reduction),
        lambda: mse_loss_slope(grad, saved.target, saved.self, saved.reduction),
    )


@kernel("MseLossBackwardBackward0", "grad_output self target", "grad_output reduction self target")
def mse_loss_slope(grad_output: Any, self: Any, target: Any, reduction: Any) -> Any:
    """2 (x - t) grad_output, divided by n for the mean."""
    return 2.0 * share(reduction, self) * (self - target) * grad_output


KERNELS = {"mse_loss": "mse_cpu", "smooth_l1_loss": "smooth_l1_cpu", "huber_loss": "huber_cpu"}


def _pair(input: Any, target: Any, name: Any) -> Any:
    """Both broadcast to one shape and type, with a note where that was needed."""
    check_sized(target, input)
    if input.shape != target.shape:
        state().interpreter.note(
            "loss_broadcast",
            f"{name}: the target's shape {list(target.shape)} differs from the input's "
            f"{list(input.shape)}; they are "
            "broadcast, which is seldom meant.",
            f"{name}：目标的形状 {list(target.shape)} 与输入的形状 {list(input.shape)} 不同，会被广播，"
            "这通常不是本意。",
            severity="warning",
        )
    check_broadcast([input, target])
    a, b = broadcast_tensors(input, target) if input.shape != target.shape else (input, target)
    dtype = common_type(a, b)
    if name in KERNELS:
        check_kernel(KERNELS[name], dtype)
    return to_type(a, dtype), to_type(b, dtype)


@torch_function("mse_loss", f=True)
@takes_only(weight=(None,))
def mse_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    weight: Any = None,
) -> Any:
    """The mean of the squares of the differences."""
    reduction = how(reduction, size_average, reduce)
    return _mse_loss(*_pair(input, target, "mse_loss"), REDUCTIONS[reduction])


@torch_function("l1_loss", f=True)
@takes_only(weight=(None,))
def l1_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    weight: Any = None,
) -> Any:
    """The mean of the distances."""
    a, b = _pair(input, target, "l1_loss")
    return reduced(OPERATORS["abs"](a - b), how(reduction, size_average, reduce))


@differentiable("SmoothL1LossBackward0", saves="self target reduction beta", inputs="self target")
def _smooth_l1_loss(self: Any, target: Any, reduction: Any, beta: Any) -> Any:
    size = ops.absolute(ops.sub(self, target))
    typed = partial(np.asarray, dtype=self.dtype)
    inside = ops.mul(ops.square(size), typed(0.5 / beta))
    return reduced_value(
        ops.select(ops.less(size, typed(beta)), inside, ops.sub(size, typed(0.5 * beta))), reduction
    )


@_smooth_l1_loss.backward
def _smooth_l1_loss_backward(saved: Any, grad: Any) -> Any:
    settings = saved.reduction, saved.beta
    return (
        lambda: smooth_l1_loss_slope(grad, saved.self, saved.target, *settings),
        lambda: smooth_l1_loss_slope(grad, saved.target, saved.self, *settings),
    )


@kernel(
    "SmoothL1LossBackwardBackward0",
    "grad_output self target",
    "beta grad_output reduction self target",
)
def smooth_l1_loss_slope(grad_output: Any, self: Any, target: Any, reduction: Any, beta: Any) -> Any:
    """x grad_output / beta for small differences x, ± grad_output for large ones."""
    x, norm = self - target, share(reduction, self)
    large = OPERATORS["ge"](OPERATORS["abs"](x), beta)
    return where(large, norm * OPERATORS["sgn"](x) * grad_output, norm * x * grad_output / beta)


@torch_function("smooth_l1_loss", f=True)
def smooth_l1_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    beta: Any = 1.0,
) -> Any:
    """Squares of small differences, distances of large ones."""
    reduction = how(reduction, size_average, reduce)
    check_threshold("smooth_l1_loss", "beta", plain(beta), zero_too=True)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    return _smooth_l1_loss(*_pair(input, target, "smooth_l1_loss"), REDUCTIONS[reduction], plain(beta))


@differentiable("HuberLossBackward0", saves="self target reduction delta", inputs="self target")
def _huber_loss(self: Any, target: Any, reduction: Any, delta: Any) -> Any:
    size = ops.absolute(ops.sub(self, target))
    typed = partial(np.asarray, dtype=self.dtype)
    inside = ops.mul(ops.square(size), typed(0.5))
    outside = ops.mul(ops.sub(size, typed(0.5 * delta)), typed(delta))
    return reduced_value(ops.select(ops.less_equal(size, typed(delta)), inside, outside), reduction)


@_huber_loss.backward
def _huber_loss_backward(saved: Any, grad: Any) -> Any:
    settings = saved.reduction, saved.delta
    return (
        lambda: huber_loss_slope(grad, saved.self, saved.target, *settings),
        lambda: huber_loss_slope(grad, saved.target, saved.self, *settings),
    )


@kernel(
    "HuberLossBackwardBackward0",
    "grad_output self target",
    "delta grad_output reduction self target",
)
def huber_loss_slope(grad_output: Any, self: Any, target: Any, reduction: Any, delta: Any) -> Any:
    """x grad_output for small differences x, ± delta grad_output for large ones."""
    x, norm = self - target, share(reduction, self)
    large = OPERATORS["ge"](OPERATORS["abs"](x), delta)
    return where(large, norm * OPERATORS["sgn"](x) * grad_output * delta, norm * x * grad_output)


@torch_function("huber_loss", f=True)
@takes_only(weight=(None,))
def huber_loss(input: Any, target: Any, reduction: Any = "mean", delta: Any = 1.0, weight: Any = None) -> Any:
    """Half squares of small differences, delta times distances of large ones."""
    check_threshold("huber_loss", "delta", plain(delta), zero_too=False)
    return _huber_loss(*_pair(input, target, "huber_loss"), REDUCTIONS[how(reduction)], plain(delta))
