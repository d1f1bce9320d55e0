"""Losses of classes: `F.nll_loss`, `F.cross_entropy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.losses.checks import (
    check_class_shares,
    check_classes,
    check_smoothing,
    check_tensors,
)
from engine.languages.surfaces.torch.functions.losses.differences import REDUCTIONS, check_asks_none, how
from engine.languages.surfaces.torch.functions.numbers import parted, scaled
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.reductions import sum
from engine.languages.surfaces.torch.functions.shaping import reshape
from engine.languages.surfaces.torch.functions.softmax import log_softmax
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers, of_value


@differentiable(
    "NllLossBackward0",
    saves="self target weight reduction ignore_index total_weight",
    outputs="result (total_weight)",
)
def _nll_loss(self: Any, target: Any, weight: Any, reduction: Any, ignore_index: Any) -> Any:
    shares, picked, total = _picked(self.form, target, weight, ignore_index, self.dtype)
    rows = np.stack([np.arange(picked.size), picked], 1) if self.form.ndim == 2 else picked.reshape(1, 1)
    losses = ops.neg(ops.mul(ops.gather_nd(self, rows.astype("int64")), shares))
    if reduction == 0:
        return (ops.reshape(losses, list(target.form.shape)), np_value(total, self.dtype))
    summed = ops.reduce_sum(losses)
    if reduction == 1:
        summed = ops.divide(summed, np.asarray(total, dtype=self.dtype))
    return summed, np_value(total, self.dtype)


def np_value(number: Any, dtype: Any) -> Any:
    """A number as a value of the graph."""
    return ops.constant(number, dtype=dtype)


def _picked(scores: Any, target: Any, weight: Any, ignore_index: Any, dtype: Any) -> Any:
    """For each example its weight and its class (0 where it is ignored), and all weights together."""
    classes = target.array.reshape(-1)
    valid = classes != ignore_index
    wrong = classes[valid & ((classes < 0) | (classes >= scores.shape[-1]))]
    if wrong.size:
        raise torch_error(
            f"Target {wrong[0]} is out of bounds.", f"目标类别 {wrong[0]} 超出范围。", kind="IndexError"
        )
    picked = np.where(valid, classes, 0)
    shares = valid.astype(dtype)
    if weight is not None:
        shares = shares * weight.array[picked]
    return shares.astype(dtype), picked, shares.sum()


@_nll_loss.backward
def _nll_loss_backward(saved: Any, grad: Any, _: Any = None) -> Any:
    return nll_loss_slope(grad, saved.self, saved.target, saved.weight, saved.reduction, saved.ignore_index)


@kernel("NllLossBackwardBackward0", "grad_output self", "ignore_index reduction target weight")
def nll_loss_slope(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: Any, ignore_index: Any
) -> Any:
    """-grad_output times its weight at the class of each example, else 0."""
    shares, picked, total = _picked(self.form, target, weight, ignore_index, self.dtype.name)
    weights = np.zeros(self.form.shape, dtype=self.dtype.held_as)
    weights.reshape(-1, self.form.shape[-1])[np.arange(picked.size), picked] = 0 - shares
    if reduction == 1:
        weights = weights / np.asarray(total, dtype=weights.dtype)
    if reduction == 0 and self.form.ndim == 2:
        grad_output = OPERATORS["unsqueeze"](grad_output, 1)
    return grad_output * of_numbers(weights)


@torch_function("nll_loss", f=True)
def nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: Any = -100,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """The mean of minus the logarithmic probabilities of the right classes."""
    reduction = how(reduction, size_average, reduce)
    check_classes(input, target, weight)
    check_asks_none("nll_loss2d_forward" if input.form.ndim > 2 else "nll_loss_forward", weight=weight)
    if input.form.ndim > 2:
        return _nll_of_many(input, target, weight, ignore_index, reduction)
    return _nll_loss(input, target, weight, REDUCTIONS[reduction], plain(ignore_index))[0]


@differentiable(
    "NllLoss2DBackward0",
    saves="self target weight reduction ignore_index total_weight",
    outputs="result (total_weight)",
)
def _nll_loss_of_points(self: Any, target: Any, weight: Any, reduction: Any, ignore_index: Any) -> Any:
    """Shapes: self (N, C, H, W), target (N, H, W) -> () or (N, H, W)."""
    points = ops.transpose(self, [0, 2, 3, 1])
    rows = ops.reshape(points, [-1, self.form.shape[1]])
    result, total = _nll_loss.forward(rows, target, weight, reduction, ignore_index)
    return result, total


@_nll_loss_of_points.backward
def _nll_loss_of_points_backward(saved: Any, grad: Any, _: Any = None) -> Any:
    return points_slope(grad, saved.self, saved.target, saved.weight, saved.reduction, saved.ignore_index)


@kernel("NllLoss2DBackwardBackward0", "grad_output self", "ignore_index reduction target weight")
def points_slope(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: Any, ignore_index: Any
) -> Any:
    """-grad_output times its weight at the class of each point, else 0. Shapes: -> (N, C, H, W)."""
    n, c, h, w = self.form.shape
    rows = of_value(ops.zeros([n * h * w, c], dtype=self.dtype.held_as))
    flat = reshape(grad_output, (-1,)) if reduction == 0 else grad_output
    found = nll_loss_slope.forward(flat, rows, target, weight, reduction, ignore_index)
    return OPERATORS["movedim"](reshape(found, (n, h, w, c)), -1, 1)


def _nll_of_many(input: Any, target: Any, weight: Any, ignore_index: Any, reduction: Any) -> Any:
    """Classes along the second axis, several targets for each example."""
    n, c, *places = input.shape
    points = input if len(places) == OF_A_PICTURE else reshape(input, (n, c, 1, -1))
    where_ = reshape(target, (points.shape[0], *points.shape[2:]))
    found = _nll_loss_of_points(points, where_, weight, REDUCTIONS[reduction], plain(ignore_index))[0]
    return reshape(found, target.shape) if found.form.ndim and found.shape != target.shape else found


OF_A_PICTURE = 2  # axes of the places of a picture


@torch_function("cross_entropy", f=True)
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: Any = -100,
    reduce: Any = None,
    reduction: Any = "mean",
    label_smoothing: Any = 0.0,
) -> Any:
    """The cross entropy of softmax(input) and classes, or probabilities of them."""
    reduction = how(reduction, size_average, reduce)
    check_tensors("cross_entropy_loss", input=input, target=target)
    axis = 0 if input.form.ndim == 1 else 1
    if target.shape == input.shape:
        check_class_shares(input, target, weight)
        check_smoothing(plain(label_smoothing))
        return _soft_cross_entropy(input, target, weight, reduction, plain(label_smoothing), axis)
    scores = log_softmax(input, axis)
    right = nll_loss(scores, target, weight, ignore_index=ignore_index, reduction=reduction)
    if plain(label_smoothing) <= 0:
        return right
    check_smoothing(plain(label_smoothing))
    return _smoothed(scores, target, weight, ignore_index, reduction, plain(label_smoothing), right, axis)


def _smoothed(
    scores: Any,
    target: Any,
    weight: Any,
    ignore_index: Any,
    reduction: Any,
    smoothing: Any,
    right: Any,
    axis: Any,
) -> Any:
    """A share of the loss counts all classes alike."""
    classes = scores.shape[axis]
    weighed = scores if weight is None else scores * weight
    spread = -sum(weighed, axis)
    ignored = of_numbers(target.array == ignore_index)
    spread = OPERATORS["masked_fill"](spread, ignored, 0)
    if reduction == "mean":
        if weight is None:
            spread = sum(spread) / float((~ignored.array).sum())
        else:
            spread = sum(spread) / float(weight.array[target.array[~ignored.array]].sum())
    elif reduction == "sum":
        spread = sum(spread)
    return scaled(right, 1 - smoothing) + scaled(spread, smoothing / classes)


def _soft_cross_entropy(
    input: Any, target: Any, weight: Any, reduction: Any, smoothing: Any, axis: Any
) -> Any:
    scores, classes = log_softmax(input, axis), input.shape[axis]
    if smoothing:
        target = target * (1 - smoothing) + smoothing / classes
    products = scores * target if weight is None else scores * target * weight
    if reduction == "none":
        return -sum(products, axis)
    total = -sum(products)
    return total if reduction == "sum" else parted(total, input.form.size // classes)
