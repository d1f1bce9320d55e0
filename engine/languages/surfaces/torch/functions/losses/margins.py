"""Losses with a margin, and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import composite, kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.functions.activations import softplus
from engine.languages.surfaces.torch.functions.bounding import clamp_min
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.elementwise.exponentials import sqrt
from engine.languages.surfaces.torch.functions.elementwise.trigonometry import sigmoid
from engine.languages.surfaces.torch.functions.losses.checks import (
    check_margins,
    check_ranked,
    check_tensors,
    check_triplet,
)
from engine.languages.surfaces.torch.functions.losses.differences import (
    REDUCTIONS,
    check_asks_none,
    how,
    reduced,
    reduced_value,
    share,
)
from engine.languages.surfaces.torch.functions.operands import (
    axis_of,
    check_broadcast,
    plain,
)
from engine.languages.surfaces.torch.functions.reductions import sum, vector_norm
from engine.languages.surfaces.torch.functions.shaping import broadcast_tensors, reshape
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers, of_value


@torch_function("margin_ranking_loss", f=True)
def margin_ranking_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: Any = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """How far pairs are from being ranked as the target says."""
    check_ranked(input1, input2, target)
    return reduced(clamp_min(-target * (input1 - input2) + margin, 0), how(reduction, size_average, reduce))


@torch_function("hinge_embedding_loss", f=True)
def hinge_embedding_loss(
    input: Any,
    target: Any,
    margin: Any = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """The input where the target is 1, else how far it is below the margin."""
    check_tensors("hinge_embedding_loss", input=input, target=target)
    zeros = of_value(ops.zeros(list(input.shape), dtype=input.dtype.held_as))
    far = where(OPERATORS["ne"](target, 1), clamp_min(margin - input, 0), zeros)
    near = where(OPERATORS["ne"](target, -1), input, zeros)
    return reduced(far + near, how(reduction, size_average, reduce))


@differentiable("SoftMarginLossBackward0", saves="self target reduction")
def _soft_margin_loss(self: Any, target: Any, reduction: Any) -> Any:
    losses = ops.softplus(ops.neg(ops.mul(target.value, self)))
    return reduced_value(losses, reduction)


@_soft_margin_loss.backward
def _soft_margin_loss_backward(saved: Any, grad: Any) -> Any:
    return soft_margin_loss_slope(grad, saved.self, saved.target, saved.reduction)


@kernel("SoftMarginLossBackwardBackward0", "grad_output self", "grad_output reduction self target")
def soft_margin_loss_slope(grad_output: Any, self: Any, target: Any, reduction: Any) -> Any:
    """-t σ(-t x) grad_output, divided by n for the mean."""
    return share(reduction, self) * -target * sigmoid(-target * self) * grad_output


@torch_function("soft_margin_loss", f=True)
def soft_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
) -> Any:
    """log(1 + exp(-target * input))."""
    check_asks_none("soft_margin_loss", target=target)
    check_broadcast([input, target])
    return _soft_margin_loss(input, target, REDUCTIONS[how(reduction, size_average, reduce)])


@torch_function("multilabel_soft_margin_loss", f=True)
def multilabel_soft_margin_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """Binary cross entropies of several classes, their mean for each example."""
    losses = target * softplus(-input) + (1 - target) * softplus(input)
    losses = losses if weight is None else losses * weight
    return reduced(sum(losses, -1) / input.shape[-1], how(reduction, size_average, reduce))


@torch_function("triplet_margin_loss", f=True)
def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: Any = 1.0,
    p: Any = 2,
    eps: Any = 1e-6,
    swap: Any = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """How much nearer than the margin the wrong one is than the right one."""
    check_tensors("triplet_margin_loss", anchor=anchor, positive=positive, negative=negative)
    check_triplet(anchor, positive, negative)
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = OPERATORS["minimum"](far, pairwise_distance(positive, negative, p, eps))
    return reduced(clamp_min(margin + near - far, 0), how(reduction, size_average, reduce))


@torch_function("pairwise_distance", f=True)
@torch_function("pairwise_distance")
def pairwise_distance(x1: Any, x2: Any, p: Any = 2.0, eps: Any = 1e-6, keepdim: Any = False) -> Any:
    """The distances of the rows."""
    made = vector_norm(x1 - x2 + eps, p, -1, keepdim)
    if made.node is not None:
        made.node.name, made.node.saved_names = "NormBackward1", ("dim", "keepdim", "p", "result", "self")
    return made


@torch_function("cosine_similarity", f=True)
@torch_function("cosine_similarity")
def cosine_similarity(x1: Any, x2: Any, dim: Any = 1, eps: Any = 1e-8) -> Any:
    """The cosines of the angles between vectors along an axis."""
    check_tensors("cosine_similarity", x1=x1, x2=x2)
    a, b = broadcast_tensors(x1, x2)
    axis = axis_of(dim, a.form.ndim)
    lengths = [clamp_min(vector_norm(one, 2, axis, True), eps) for one in (a, b)]
    return sum((a / lengths[0]) * (b / lengths[1]), axis)


@torch_function("cosine_embedding_loss", f=True)
def cosine_embedding_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: Any = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """1 - cosine where the target is 1, else how far the cosine is above the margin."""
    products = sum(input1 * input2, -1)
    squares = [sum(one * one, -1) + 1e-12 for one in (input1, input2)]
    cosine = products / sqrt(squares[0] * squares[1])
    zeros = of_value(ops.zeros(list(cosine.shape), dtype=cosine.dtype.held_as))
    alike = where(OPERATORS["eq"](target, 1), 1 - cosine, zeros)
    other = where(OPERATORS["eq"](target, -1), clamp_min(cosine - margin, 0), zeros)
    return reduced(alike + other, how(reduction, size_average, reduce))


@torch_function("multi_margin_loss", f=True)
def multi_margin_loss(
    input: Any,
    target: Any,
    p: Any = 1,
    margin: Any = 1.0,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Any:
    """How much of the margin other classes take from the right one."""
    way = how(reduction, size_average, reduce)
    check_asks_none("multi_margin_loss", weight=weight)
    check_margins(input, target, int(plain(p)))
    return _multi_margin(input, target, int(plain(p)), float(plain(margin)), weight, way)


@composite("MultiMarginLossBackward0", "input")
def _multi_margin(
    input: Any, target: Any = None, p: int = 1, margin: float = 1.0, weight: Any = None, way: Any = "mean"
) -> Any:
    """Shapes: input (N, C) or (C,), target (N,) or () -> () or (N,)."""
    rows = input if input.form.ndim == 2 else reshape(input, (1, -1))
    classes = reshape(target, (-1, 1))
    right = OPERATORS["gather"](rows, 1, classes)
    losses = clamp_min(margin - right + rows, 0).__pow__(p)
    hit = of_numbers(np.arange(rows.shape[1])[None] == classes.array)
    losses = OPERATORS["masked_fill"](losses, hit, 0)
    if weight is not None:
        losses = losses * OPERATORS["reshape"](weight[reshape(target, (-1,))], (-1, 1))
    each = sum(losses, 1) / rows.shape[1]
    each = each if input.form.ndim == 2 else each[0]
    return reduced(each, way)
