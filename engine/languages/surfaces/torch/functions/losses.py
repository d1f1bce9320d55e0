"""Losses of `torch.nn.functional`, and what layers compute: linear, embedding, normalize, one_hot."""

from __future__ import annotations

import math

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.activations import log_softmax, softplus
from engine.languages.surfaces.torch.functions.comparison import clamp_min, where
from engine.languages.surfaces.torch.functions.elementwise import exp, log
from engine.languages.surfaces.torch.functions.matrices import addmm, matmul
from engine.languages.surfaces.torch.functions.operands import axis_of, check_broadcast, common_type, plain, to_type
from engine.languages.surfaces.torch.functions.reductions import mean, sum, vector_norm
from engine.languages.surfaces.torch.functions.shaping import _view, broadcast_tensors, expand, reshape, t
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, of_scalar, of_value

REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}  # as PyTorch's nodes keep it


def how(reduction, size_average=None, reduce=None):
    """The way in which the losses of all elements become one. Raises: ValueError's message of PyTorch."""
    if size_average is not None or reduce is not None:
        if reduce is False:
            return "none"
        return "sum" if size_average is False else "mean"
    if reduction not in REDUCTIONS:
        raise torch_error(
            f"{reduction} is not a valid value for reduction",
            f"reduction 不能是 {reduction}。",
            kind="ValueError",
            hint="It is 'mean', 'sum' or 'none'.",
            hint_zh="它可以是 'mean'、'sum' 或 'none'。",
        )
    return reduction


def reduced(losses, reduction):
    """The mean or the sum of losses, or all of them: tensors."""
    return losses if reduction == "none" else mean(losses) if reduction == "mean" else sum(losses)


def _reduced_value(value, reduction):
    """The same of a value of the graph."""
    if reduction == 0:
        return value
    return ops.reduce_mean(value) if reduction == 1 else ops.reduce_sum(value)


def _each(grad, reduction, like):
    """The gradient of each element's loss."""
    return grad / like.array.size if reduction == 1 else grad


# -- losses of differences -------------------------------------------------------------------------------


@differentiable("MseLossBackward0", saves="self target reduction", inputs="self target")
def _mse_loss(self, target, reduction):
    return _reduced_value(ops.square(ops.sub(self, target)), reduction)


@_mse_loss.backward
def _mse_loss_backward(saved, grad):
    size, factor = saved.self.array.size, 2.0
    scale = factor / size if saved.reduction == 1 else factor
    return (
        lambda: scale * (saved.self - saved.target) * grad,
        lambda: -(scale * (saved.self - saved.target) * grad),
    )


def _pair(input, target, name):
    """Both broadcast to one shape and type, with a note where that was needed."""
    if input.shape != target.shape:
        from engine.languages.surfaces.torch.state import state

        state().interpreter.note(
            "loss_broadcast",
            f"{name}: the target's shape {list(target.shape)} differs from the input's {list(input.shape)}; they are "
            "broadcast, which is seldom meant.",
            f"{name}：目标的形状 {list(target.shape)} 与输入的形状 {list(input.shape)} 不同，会被广播，这通常不是本意。",
            severity="warning",
        )
    check_broadcast([input, target])
    a, b = broadcast_tensors(input, target) if input.shape != target.shape else (input, target)
    dtype = common_type(a, b)
    return to_type(a, dtype), to_type(b, dtype)


@torch_function("mse_loss", f=True)
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean of the squares of the differences."""
    reduction = how(reduction, size_average, reduce)
    return _mse_loss(*_pair(input, target, "mse_loss"), REDUCTIONS[reduction])


@torch_function("l1_loss", f=True)
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean of the distances."""
    a, b = _pair(input, target, "l1_loss")
    return reduced(OPERATORS["abs"](a - b), how(reduction, size_average, reduce))


@differentiable("SmoothL1LossBackward0", saves="self target reduction beta", inputs="self target")
def _smooth_l1_loss(self, target, reduction, beta):
    size = ops.absolute(ops.sub(self, target))
    typed = lambda number: np.asarray(number, dtype=self.dtype)  # noqa: E731  # for two numbers
    inside = ops.mul(ops.square(size), typed(0.5 / beta))
    return _reduced_value(ops.select(ops.less(size, typed(beta)), inside, ops.sub(size, typed(0.5 * beta))), reduction)


@_smooth_l1_loss.backward
def _smooth_l1_loss_backward(saved, grad):
    def of_self():
        x = saved.self - saved.target
        scaled = _each(grad, saved.reduction, saved.self)
        inside = x * scaled / saved.beta
        return where(OPERATORS["lt"](OPERATORS["abs"](x), saved.beta), inside, OPERATORS["sgn"](x) * scaled)

    return of_self, lambda: -of_self()


@torch_function("smooth_l1_loss", f=True)
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squares of small differences, distances of large ones."""
    reduction = how(reduction, size_average, reduce)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    return _smooth_l1_loss(*_pair(input, target, "smooth_l1_loss"), REDUCTIONS[reduction], plain(beta))


@differentiable("HuberLossBackward0", saves="self target reduction delta", inputs="self target")
def _huber_loss(self, target, reduction, delta):
    size = ops.absolute(ops.sub(self, target))
    typed = lambda number: np.asarray(number, dtype=self.dtype)  # noqa: E731  # for three numbers
    inside = ops.mul(ops.square(size), typed(0.5))
    outside = ops.mul(ops.sub(size, typed(0.5 * delta)), typed(delta))
    return _reduced_value(ops.select(ops.less_equal(size, typed(delta)), inside, outside), reduction)


@_huber_loss.backward
def _huber_loss_backward(saved, grad):
    def of_self():
        x = saved.self - saved.target
        scaled = _each(grad, saved.reduction, saved.self)
        inside = OPERATORS["le"](OPERATORS["abs"](x), saved.delta)
        return where(inside, x * scaled, OPERATORS["sgn"](x) * (scaled * saved.delta))

    return of_self, lambda: -of_self()


@torch_function("huber_loss", f=True)
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Half squares of small differences, delta times distances of large ones."""
    return _huber_loss(*_pair(input, target, "huber_loss"), REDUCTIONS[how(reduction)], plain(delta))


# -- losses of probabilities -----------------------------------------------------------------------------


@differentiable("BinaryCrossEntropyBackward0", saves="self target weight reduction", inputs="self target")
def _binary_cross_entropy(self, target, weight, reduction):
    low = np.asarray(-100, dtype=self.dtype)
    one = np.asarray(1, dtype=self.dtype)
    yes = ops.mul(target, ops.maximum(ops.log(self), low))
    no = ops.mul(ops.sub(one, target), ops.maximum(ops.log(ops.sub(one, self)), low))
    losses = ops.neg(ops.add(yes, no))
    if weight is not None:
        losses = ops.mul(losses, weight.value)
    return _reduced_value(losses, reduction)


@_binary_cross_entropy.backward
def _binary_cross_entropy_backward(saved, grad):
    def of_self():
        x, scaled = saved.self, _each(grad, saved.reduction, saved.self)
        found = scaled * (x - saved.target) / clamp_min((1 - x) * x, 1e-12)
        return found if saved.weight is None else found * saved.weight

    def of_target():
        x, scaled = saved.self, _each(grad, saved.reduction, saved.self)
        found = scaled * (clamp_min(log(1 - x), -100) - clamp_min(log(x), -100))
        return found if saved.weight is None else found * saved.weight

    return of_self, of_target


@torch_function("binary_cross_entropy", f=True)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The mean of -(t log p + (1 - t) log(1 - p))."""
    if input.shape != target.shape:
        raise torch_error(
            f"Using a target size ({target.shape!s}) that is different to the input size ({input.shape!s}) is deprecated. "
            "Please ensure they have the same size.".replace(str(target.shape), f"torch.Size({list(target.shape)})", 1).replace(
                f"({input.shape!s})", f"(torch.Size({list(input.shape)}))", 1
            ),
            f"目标的形状 {list(target.shape)} 与输入的形状 {list(input.shape)} 不同。",
            kind="ValueError",
            code="shape_mismatch",
        )
    if np.any((input.array < 0) | (input.array > 1)):
        raise torch_error(
            "all elements of input should be between 0 and 1",
            "输入必须在 0 与 1 之间。",
            hint="Apply torch.sigmoid first, or use binary_cross_entropy_with_logits.",
            hint_zh="请先使用 torch.sigmoid，或改用 binary_cross_entropy_with_logits。",
        )
    return _binary_cross_entropy(input, target, weight, REDUCTIONS[how(reduction, size_average, reduce)])


@differentiable(
    "BinaryCrossEntropyWithLogitsBackward0",
    saves="self target weight pos_weight reduction",
    inputs="self target",
)
def _bce_with_logits(self, target, weight, pos_weight, reduction):
    one = np.asarray(1, dtype=self.dtype)
    minus_log = ops.softplus(ops.neg(self))
    if pos_weight is None:
        losses = ops.add(ops.mul(ops.sub(one, target), self), minus_log)
    else:
        factor = ops.add(ops.mul(ops.sub(pos_weight.value, one), target), one)
        losses = ops.add(ops.mul(ops.sub(one, target), self), ops.mul(factor, minus_log))
    if weight is not None:
        losses = ops.mul(losses, weight.value)
    return _reduced_value(losses, reduction)


@_bce_with_logits.backward
def _bce_with_logits_backward(saved, grad):
    def of_self():
        s, scaled = OPERATORS["sigmoid"](saved.self), _each(grad, saved.reduction, saved.self)
        if saved.pos_weight is None:
            found = (s - saved.target) * scaled
        else:
            yes = saved.pos_weight * saved.target
            found = ((yes + 1 - saved.target) * s - yes) * scaled
        return found if saved.weight is None else found * saved.weight

    def of_target():
        scaled = _each(grad, saved.reduction, saved.self)
        found = -saved.self * scaled
        return found if saved.weight is None else found * saved.weight

    return of_self, of_target


@torch_function("binary_cross_entropy_with_logits", f=True)
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """The binary cross entropy of sigmoid(input)."""
    if input.shape != target.shape:
        raise torch_error(
            f"Target size (torch.Size({list(target.shape)})) must be the same as input size (torch.Size({list(input.shape)}))",
            f"目标的形状 {list(target.shape)} 与输入的形状 {list(input.shape)} 不同。",
            kind="ValueError",
            code="shape_mismatch",
        )
    return _bce_with_logits(input, target, weight, pos_weight, REDUCTIONS[how(reduction, size_average, reduce)])


@differentiable(
    "NllLossBackward0",
    saves="self target weight reduction ignore_index total_weight",
    outputs="result (total_weight)",
)
def _nll_loss(self, target, weight, reduction, ignore_index):
    shares, picked, total = _picked(self.array, target, weight, ignore_index, self.dtype)
    rows = np.stack([np.arange(picked.size), picked], 1) if self.array.ndim == 2 else picked.reshape(1, 1)
    losses = ops.neg(ops.mul(ops.gather_nd(self, rows.astype("int64")), shares))
    if reduction == 0:
        return (ops.reshape(losses, list(target.array.shape)), np_value(total, self.dtype))
    summed = ops.reduce_sum(losses)
    if reduction == 1:
        summed = ops.divide(summed, np.asarray(total, dtype=self.dtype))
    return summed, np_value(total, self.dtype)


def np_value(number, dtype):
    """A number as a value of the graph."""
    return ops.constant(number, dtype=dtype)


def _picked(scores, target, weight, ignore_index, dtype):
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
def _nll_loss_backward(saved, grad, _=None):
    scores = saved.self
    shares, picked, total = _picked(scores.array, saved.target, saved.weight, saved.ignore_index, scores.dtype.name)
    weights = np.zeros(scores.array.shape, dtype=scores.dtype.name)
    weights.reshape(-1, scores.array.shape[-1])[np.arange(picked.size), picked] = -shares
    if saved.reduction == 1:
        weights = weights / np.asarray(total, dtype=weights.dtype)
    if saved.reduction == 0 and scores.array.ndim == 2:
        grad = OPERATORS["unsqueeze"](grad, 1)
    return grad * of_numbers(weights)


@torch_function("nll_loss", f=True)
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """The mean of minus the logarithmic probabilities of the right classes."""
    reduction = how(reduction, size_average, reduce)
    if input.array.ndim > 2:
        return _nll_of_many(input, target, weight, ignore_index, reduction)
    if target.dtype.is_floating:
        raise torch_error(
            f"expected scalar type Long but found {target.dtype.scalar_name}",
            "目标类别必须是整数（int64）。",
            hint="Write target.long().",
            hint_zh="请写 target.long()。",
        )
    if input.array.ndim == 2 and input.shape[0] != (target.shape[0] if target.shape else -1):
        raise torch_error(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]}).",
            f"输入有 {input.shape[0]} 个样本，而目标有 {target.shape[0]} 个。",
            kind="ValueError",
            code="shape_mismatch",
        )
    return _nll_loss(input, target, weight, REDUCTIONS[reduction], plain(ignore_index))[0]


def _nll_of_many(input, target, weight, ignore_index, reduction):
    """Classes along the second axis, several targets for each example."""
    classes = input.shape[1]
    rows = reshape(OPERATORS["movedim"](input, 1, -1), (-1, classes))
    found = _nll_loss(rows, reshape(target, (-1,)), weight, REDUCTIONS[reduction], plain(ignore_index))[0]
    return reshape(found, target.shape) if reduction == "none" else found


@torch_function("cross_entropy", f=True)
def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    """The cross entropy of softmax(input) and classes, or probabilities of them."""
    reduction = how(reduction, size_average, reduce)
    axis = 0 if input.array.ndim == 1 else 1
    if target.shape == input.shape and target.dtype.is_floating:
        return _soft_cross_entropy(input, target, weight, reduction, plain(label_smoothing), axis)
    if target.dtype.is_floating:
        raise torch_error(
            f"expected scalar type Long but found {target.dtype.scalar_name}",
            "目标类别必须是整数（int64），或与输入同形状的概率。",
            hint="Write target.long().",
            hint_zh="请写 target.long()。",
        )
    scores = log_softmax(input, axis)
    right = nll_loss(scores, target, weight, ignore_index=ignore_index, reduction=reduction)
    if not label_smoothing:
        return right
    return _smoothed(scores, target, weight, ignore_index, reduction, plain(label_smoothing), right, axis)


def _smoothed(scores, target, weight, ignore_index, reduction, smoothing, right, axis):
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
    return (1 - smoothing) * right + spread * (smoothing / classes)


def _soft_cross_entropy(input, target, weight, reduction, smoothing, axis):
    scores, classes = log_softmax(input, axis), input.shape[axis]
    if smoothing:
        target = target * (1 - smoothing) + smoothing / classes
    products = scores * target if weight is None else scores * target * weight
    if reduction == "none":
        return -sum(products, axis)
    total = -sum(products)
    return total if reduction == "sum" else total / (input.array.size // classes)


@torch_function("kl_div", f=True)
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """The divergence of the target from exp(input)."""
    if log_target:
        losses = exp(target) * (target - input)
    else:
        losses = OPERATORS["xlogy"](target, target) - target * input
    if reduction == "batchmean":
        return sum(losses) / input.shape[0] if input.array.ndim else sum(losses)
    return reduced(losses, how(reduction, size_average, reduce))


@torch_function("poisson_nll_loss", f=True)
def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
    """Minus the logarithm of Poisson's distribution."""
    losses = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        stirling = target * log(target) - target + 0.5 * log(2 * math.pi * target)
        losses = losses + OPERATORS["masked_fill"](stirling, OPERATORS["le"](target, 1), 0)
    return reduced(losses, how(reduction, size_average, reduce))


@torch_function("gaussian_nll_loss", f=True)
def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """Minus the logarithm of the normal distribution."""
    bounded = var + (of_value(ops.maximum(var.value, np.asarray(eps, var.dtype.name))) - var).detach() if False else OPERATORS["clamp_min"](var, eps)
    losses = 0.5 * (log(bounded) + (input - target).__pow__(2) / bounded)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduced(losses, how(reduction))


# -- margins ---------------------------------------------------------------------------------------------


@torch_function("margin_ranking_loss", f=True)
def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """How far pairs are from being ranked as the target says."""
    return reduced(clamp_min(-target * (input1 - input2) + margin, 0), how(reduction, size_average, reduce))


@torch_function("hinge_embedding_loss", f=True)
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """The input where the target is 1, else how far it is below the margin."""
    zero = of_scalar(0, input.dtype)
    far = where(OPERATORS["eq"](target, 1), zero, clamp_min(margin - input, 0))
    near = where(OPERATORS["eq"](target, -1), zero, input)
    return reduced(far + near, how(reduction, size_average, reduce))


@torch_function("soft_margin_loss", f=True)
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * input))."""
    return reduced(softplus(-target * input), how(reduction, size_average, reduce))


@torch_function("multilabel_soft_margin_loss", f=True)
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Binary cross entropies of several classes, their mean for each example."""
    losses = target * softplus(-input) + (1 - target) * softplus(input)
    losses = losses if weight is None else losses * weight
    return reduced(sum(losses, -1) / input.shape[-1], how(reduction, size_average, reduce))


@torch_function("triplet_margin_loss", f=True)
def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
):
    """How much nearer than the margin the wrong one is than the right one."""
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = OPERATORS["minimum"](far, pairwise_distance(positive, negative, p, eps))
    return reduced(clamp_min(margin + near - far, 0), how(reduction, size_average, reduce))


@torch_function("pairwise_distance", f=True)
@torch_function("pairwise_distance")
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The distances of the rows."""
    return vector_norm(x1 - x2 + eps, p, -1, keepdim)


@torch_function("cosine_similarity", f=True)
@torch_function("cosine_similarity")
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosines of the angles between vectors along an axis."""
    a, b = broadcast_tensors(x1, x2)
    axis = axis_of(dim, a.array.ndim)
    lengths = [clamp_min(vector_norm(one, 2, axis, True), eps) for one in (a, b)]
    return sum((a / lengths[0]) * (b / lengths[1]), axis)


@torch_function("cosine_embedding_loss", f=True)
def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 - cosine where the target is 1, else how far the cosine is above the margin."""
    cosine = cosine_similarity(input1, input2, -1)
    zero = of_scalar(0, cosine.dtype)
    alike = where(OPERATORS["eq"](target, 1), 1 - cosine, zero)
    other = where(OPERATORS["eq"](target, -1), clamp_min(cosine - margin, 0), zero)
    return reduced(alike + other, how(reduction, size_average, reduce))


@torch_function("multi_margin_loss", f=True)
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """How much of the margin other classes take from the right one."""
    rows = input if input.array.ndim == 2 else reshape(input, (1, -1))
    classes = reshape(target, (-1, 1))
    right = OPERATORS["gather"](rows, 1, classes)
    losses = clamp_min(margin - right + rows, 0).__pow__(p)
    hit = of_numbers(np.arange(rows.shape[1])[None] == classes.array)
    losses = OPERATORS["masked_fill"](losses, hit, 0)
    if weight is not None:
        losses = losses * weight[target].reshape(-1, 1)
    each = sum(losses, 1) / rows.shape[1]
    each = each if input.array.ndim == 2 else each[0]
    return reduced(each, how(reduction, size_average, reduce))


# -- layers ----------------------------------------------------------------------------------------------


@torch_function("linear", f=True)
def linear(input, weight, bias=None):
    """input @ weight.T + bias. Shapes: (*, n), (m, n), (m,) -> (*, m)."""
    if bias is not None and input.array.ndim == 2:
        return addmm(bias, input, t(weight))
    if bias is not None and weight.array.ndim == 2:
        flat = _view(input, (int(np.prod(input.shape[:-1], dtype=int)), input.shape[-1]))
        return _view(addmm(bias, flat, t(weight)), (*input.shape[:-1], weight.shape[0]))
    return matmul(input, t(weight))


@torch_function("bilinear", f=True)
def bilinear(input1, input2, weight, bias=None):
    """x1ᵀ W x2 for each output."""
    made = OPERATORS["einsum"]("bn,anm,bm->ba", input1, weight, input2)
    return made if bias is None else made + bias


@differentiable("EmbeddingBackward0", saves="indices padding_idx scale_grad_by_freq sparse", inputs="weight")
def _embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse):
    return ops.gather(weight, indices.value)


_embedding.shown = ("indices", "padding_idx", "scale_grad_by_freq", "sparse", "weight_sym_argsize_0")


@_embedding.backward
def _embedding_backward(saved, grad):
    rows, indices = saved._node.metadata["rows"], saved.indices
    width = grad.shape[-1]
    flat, places = reshape(grad, (-1, width)), reshape(indices, (-1,))
    if saved.padding_idx >= 0:
        keep = of_numbers((places.array != saved.padding_idx).astype(grad.dtype.name).reshape(-1, 1))
        flat = flat * keep
    if saved.scale_grad_by_freq:
        counts = np.bincount(places.array, minlength=rows)[places.array].reshape(-1, 1)
        flat = flat / of_numbers(counts.astype(grad.dtype.name))
    zeros = of_value(ops.zeros([rows, width], dtype=grad.dtype.name))
    return OPERATORS["index_add"](zeros, 0, places, flat)


@torch_function("embedding", f=True)
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """The rows of a table at these places."""
    if max_norm is not None:
        raise not_here("embedding(max_norm=…)")
    array = input.array
    if ((array < 0) | (array >= weight.shape[0])).any():
        raise torch_error("index out of range in self", "下标超出范围。", kind="IndexError", code="index_out_of_range")
    padding = -1 if padding_idx is None else int(padding_idx) % weight.shape[0]
    made = _embedding(weight, to_type(input, INT64), padding, bool(scale_grad_by_freq), bool(sparse))
    if made.node is not None:
        made.node.metadata["rows"] = weight.shape[0]
    return made


@torch_function("one_hot", f=True)
def one_hot(tensor, num_classes=-1):
    """Rows with a 1 at the place of the class."""
    if tensor.dtype is not INT64:
        raise torch_error(
            "one_hot is only applicable to index tensor of type LongTensor.", "one_hot 需要 int64 张量。"
        )
    count = int(num_classes)
    if count == -1:
        count = int(tensor.array.max()) + 1
    if tensor.array.size and tensor.array.max() >= count:
        raise torch_error("Class values must be smaller than num_classes.", "类别必须小于 num_classes。")
    return of_value(ops.cast(ops.one_hot(tensor.value, count), "int64"))


@torch_function("normalize", f=True)
def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Vectors along an axis divided by their lengths."""
    length = clamp_min(vector_norm(input, p, dim, True), eps)
    return input / expand(length, input.shape)


@torch_function("cdist")
def cdist(x1, x2, p=2.0, compute_mode=None):
    """The distances of all rows of one to all of the other."""
    a, b = OPERATORS["unsqueeze"](x1, -2), OPERATORS["unsqueeze"](x2, -3)
    return vector_norm(a - b, p, -1)


__all__ = ["Tensor", "linear"]
