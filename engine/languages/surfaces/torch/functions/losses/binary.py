"""Losses of yes or no: `F.binary_cross_entropy`, and that of logits."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.activations import logsigmoid
from engine.languages.surfaces.torch.functions.bounding import clamp_min
from engine.languages.surfaces.torch.functions.elementwise.exponentials import log
from engine.languages.surfaces.torch.functions.losses.checks import check_logits, check_shares, check_sized
from engine.languages.surfaces.torch.functions.losses.differences import (
    REDUCTIONS,
    averaged,
    check_asks_none,
    how,
    reduced_value,
)
from engine.languages.surfaces.torch.functions.numbers import more_by
from engine.languages.surfaces.torch.functions.operands import check_broadcast, common_type, to_type
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import cast_value
from engine.languages.surfaces.torch.tensor import OPERATORS


@differentiable("BinaryCrossEntropyBackward0", saves="self target weight reduction", inputs="self target")
def _binary_cross_entropy(self: Any, target: Any, weight: Any, reduction: Any) -> Any:
    low = np.asarray(-100, dtype=self.dtype)
    one = np.asarray(1, dtype=self.dtype)
    yes = ops.mul(target, ops.maximum(ops.log(self), low))
    no = ops.mul(ops.sub(one, target), ops.maximum(ops.log(ops.sub(one, self)), low))
    losses = ops.neg(ops.add(yes, no))
    if weight is not None:
        losses = ops.mul(losses, cast_value(weight.value, self.dtype))
    return reduced_value(losses, reduction)


@_binary_cross_entropy.backward
def _binary_cross_entropy_backward(saved: Any, grad: Any) -> Any:
    def of_target() -> Any:
        x = saved.self
        logit = (
            OPERATORS["logit"](x)
            if state().records
            else clamp_min(log(x), -100) - clamp_min(log(1 - x), -100)
        )
        return _weighed(-logit * grad, saved)

    return (
        lambda: binary_cross_entropy_slope(grad, saved.self, saved.target, saved.weight, saved.reduction),
        of_target,
    )


def _weighed(found: Any, saved: Any) -> Any:
    """The gradients of all elements' losses, by their weights and divided where the mean is taken."""
    weighed = found if saved.weight is None else found * saved.weight
    return averaged(weighed, saved.reduction, saved.self)


@kernel(
    "BinaryCrossEntropyBackwardBackward0",
    "grad_output self target",
    "grad_output reduction self target weight",
)
def binary_cross_entropy_slope(grad_output: Any, self: Any, target: Any, weight: Any, reduction: Any) -> Any:
    """grad_output (p - t) / ((1 - p) p)."""
    found = grad_output * (self - target) / clamp_min((1 - self) * self, 1e-12)
    found = found if weight is None else found * weight
    return averaged(found, reduction, self)


@torch_function("binary_cross_entropy", f=True)
def binary_cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """The mean of -(t log p + (1 - t) log(1 - p))."""
    check_sized(target, input)
    if input.shape != target.shape:
        raise torch_error(
            f"Using a target size (torch.Size({list(target.shape)})) that is different to the input size "
            f"(torch.Size({list(input.shape)})) is deprecated. Please ensure they have the same size.",
            f"目标的形状 {list(target.shape)} 与输入的形状 {list(input.shape)} 不同。",
            kind="ValueError",
            code="shape_mismatch",
        )
    check_shares(input, target)
    check_asks_none("binary_cross_entropy", weight=weight)
    return _binary_cross_entropy(input, target, weight, REDUCTIONS[how(reduction, size_average, reduce)])


@differentiable(
    "BinaryCrossEntropyWithLogitsBackward0",
    saves="self target weight pos_weight reduction",
    inputs="self target",
)
def _bce_with_logits(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: Any) -> Any:
    one = np.asarray(1, dtype=self.dtype)
    minus_log = ops.softplus(ops.neg(self))
    if pos_weight is None:
        losses = ops.add(ops.mul(ops.sub(one, target), self), minus_log)
    else:
        factor = ops.add(ops.mul(ops.sub(cast_value(pos_weight.value, self.dtype), one), target), one)
        losses = ops.add(ops.mul(ops.sub(one, target), self), ops.mul(factor, minus_log))
    if weight is not None:
        losses = ops.mul(losses, cast_value(weight.value, self.dtype))
    return reduced_value(losses, reduction)


@_bce_with_logits.backward
def _bce_with_logits_backward(saved: Any, grad: Any) -> Any:
    def of_self() -> Any:
        s = OPERATORS["sigmoid"](saved.self)
        if saved.pos_weight is None:
            slope = s - saved.target
        else:
            yes = saved.pos_weight * saved.target
            slope = (more_by(yes, 1) - saved.target) * s - yes
        return _weighed(slope * grad, saved)

    def of_target() -> Any:
        if saved.pos_weight is None:
            slope = -saved.self
        else:
            slope = logsigmoid(-saved.self) - saved.pos_weight * logsigmoid(saved.self)
        return _weighed(slope * grad, saved)

    return of_self, of_target


@torch_function("binary_cross_entropy_with_logits", f=True)
def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    pos_weight: Any = None,
) -> Any:
    """The binary cross entropy of sigmoid(input)."""
    check_sized(target, input)
    if input.shape != target.shape:
        raise torch_error(
            f"Target size (torch.Size({list(target.shape)})) must be the same as input size "
            f"(torch.Size({list(input.shape)}))",
            f"目标的形状 {list(target.shape)} 与输入的形状 {list(input.shape)} 不同。",
            kind="ValueError",
            code="shape_mismatch",
        )
    check_asks_none("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
    check_logits(input, target)
    if pos_weight is not None:
        check_broadcast([pos_weight, target])
    if weight is not None:
        check_broadcast([input, weight])
    kind = common_type(input, target)
    return _bce_with_logits(
        to_type(input, kind),
        to_type(target, kind),
        weight,
        pos_weight,
        REDUCTIONS[how(reduction, size_average, reduce)],
    )
