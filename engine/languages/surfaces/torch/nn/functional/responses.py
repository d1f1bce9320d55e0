"""Functions of a whole layer that are made of others: responses, noisy choices, unpooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing import gather
from engine.languages.surfaces.torch.functions.losses import how
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import permute, reshape, squeeze, unsqueeze
from engine.languages.surfaces.torch.nn.functional.padding import padded
from engine.languages.surfaces.torch.nn.functional.pooling.means import avg_pool1d, avg_pool2d, avg_pool3d
from engine.languages.surfaces.torch.nn.functional.resizing import factor_of_pixels
from engine.languages.surfaces.torch.nn.functional.windows import Lengths, batched, each, unbatched
from engine.languages.surfaces.torch.random.filling import exponential_
from engine.languages.surfaces.torch.registry import TORCH, F, torch_function
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers


@torch_function("local_response_norm", f=True)
def local_response_norm(input: Any, size: Any, alpha: Any = 1e-4, beta: Any = 0.75, k: Any = 1.0) -> Any:
    """x / (k + α mean(x²))^β, the mean over neighbouring channels. Shapes: (N, C, *S) -> the same.

    Source: Krizhevsky et al. (2012).
    """
    shape = input.array.shape
    if len(shape) < 3:
        raise torch_error(
            f"Expected 3D or higher dimensionality {' ' * 24} input (got {len(shape)} dimensions)",
            f"输入至少要有 3 个轴，但有 {len(shape)} 个。",
            kind="ValueError",
            code="shape_mismatch",
        )
    width = int(plain(size))
    squares = reshape(input * input, (shape[0], 1, shape[1], -1))
    wide = padded(squares, [0, 0, width // 2, (width - 1) // 2], 0.0)
    means = reshape(avg_pool2d(wide, (width, 1), 1), shape)
    return input / (means * plain(alpha) + plain(k)) ** plain(beta)


@torch_function("gumbel_softmax", f=True)
def gumbel_softmax(logits: Any, tau: Any = 1, hard: Any = False, eps: Any = 1e-10, dim: Any = -1) -> Any:
    """Shares that are drawn by Gumbel noise; hard: a 1 at the largest, with the gradient of the shares.

    Source: Jang et al. (2017).
    """
    with recording(False):
        waits = exponential_(of_numbers(np.zeros(logits.array.shape, logits.array.dtype)))
        noise = -OPERATORS["log"](waits)
    shares = OPERATORS["softmax"]((logits + noise) / tau, dim)
    if not hard:
        return shares
    index = OPERATORS["argmax"](shares, dim, True)
    ones = OPERATORS["scatter"](OPERATORS["zeros_like"](logits), dim, index, 1.0)
    return ones - OPERATORS["detach"](shares) + shares


@composite("PixelUnshuffleBackward0", "input")
def _unshuffled(input: Any, factor: int = 1) -> Any:
    *batch, c, h, w = input.array.shape
    n = len(batch)
    split = reshape(input, (*batch, c, h // factor, factor, w // factor, factor))
    order = (*range(n), *(n + place for place in (0, 2, 4, 1, 3)))
    return reshape(permute(split, order), (*batch, c * factor**2, h // factor, w // factor))


@torch_function("pixel_unshuffle", f=True)
def pixel_unshuffle(input: Any, downscale_factor: Any) -> Any:
    """Pixels become channels. Shapes: (*B, C, H r, W r) -> (*B, C r r, H, W)."""
    factor = factor_of_pixels("pixel_unshuffle", input, downscale_factor, "downscale_factor")
    for place, name in ((-2, "height"), (-1, "width")):
        length = input.form.shape[place]
        if length % factor:
            raise torch_error(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({place})"
                f"={length} is not divisible by {factor}",
                f"长度 {length} 必须能被 {factor} 整除。",
                code="shape_mismatch",
            )
    return _unshuffled(input, factor)


@composite("NativeChannelShuffleBackward0", "input")
def _channels_shuffled(input: Any, groups: int = 1) -> Any:
    n, c, *rest = input.array.shape
    split = reshape(input, (n, groups, c // groups, -1))
    return reshape(permute(split, (0, 2, 1, 3)), (n, c, *rest))


@torch_function("channel_shuffle", f=True)
def channel_shuffle(input: Any, groups: Any) -> Any:
    """The channels of all groups in turn. Shapes: (N, C, *S) -> the same."""
    return _channels_shuffled(input, int(plain(groups)))


@torch_function("pdist", f=True)
def pdist(input: Any, p: Any = 2.0) -> Any:
    """The distances between all pairs of rows. Shapes: (n, d) -> (n (n - 1) / 2,)."""
    first, second = np.triu_indices(input.array.shape[0], 1)
    difference = input[of_numbers(first)] - input[of_numbers(second)]
    return OPERATORS["linalg.vector_norm"](difference, plain(p), 1)


@torch_function("lp_pool1d", f=True)
def lp_pool1d(
    input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False
) -> Any:
    """(Σ xᵖ)^(1/p) of each window. Shapes: (N, C, L) -> (N, C, L')."""
    power, count = float(plain(norm_type)), each(kernel_size, 1)[0]
    means = avg_pool1d(input**power, kernel_size, stride, 0, ceil_mode)
    return _root(means, power, count)


@torch_function("lp_pool2d", f=True)
def lp_pool2d(
    input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False
) -> Any:
    """(Σ xᵖ)^(1/p) of each window. Shapes: (N, C, H, W) -> (N, C, H', W')."""
    rows, columns = each(kernel_size, 2)
    power = float(plain(norm_type))
    means = avg_pool2d(input**power, kernel_size, stride, 0, ceil_mode)
    return _root(means, power, rows * columns)


@torch_function("lp_pool3d", f=True)
def lp_pool3d(
    input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False
) -> Any:
    """(Σ xᵖ)^(1/p) of each window. Shapes: (N, C, D, H, W) -> (N, C, D', H', W')."""
    power = float(plain(norm_type))
    means = avg_pool3d(input**power, kernel_size, stride, 0, ceil_mode)
    return _root(means, power, int(np.prod(each(kernel_size, 3))))


def _root(means: Any, power: float, count: int) -> Any:
    sizes = OPERATORS["relu"](OPERATORS["abs"](means)) * OPERATORS["sign"](means)
    return (sizes * count) ** (1.0 / power)


# -- pooling undone --------------------------------------------------------------------------------------


def _unpooled(input: Any, places: Any = None, lengths: Any = None) -> Any:
    """Each number at its place, zeros elsewhere. Shapes: (N, C, *S) -> (N, C, *lengths)."""
    n, c, *_ = input.array.shape
    zeros = of_numbers(np.zeros((n, c, int(np.prod(lengths))), input.array.dtype))
    index = of_numbers(places.reshape(n, c, -1))
    return reshape(OPERATORS["scatter"](zeros, 2, index, reshape(input, (n, c, -1))), (n, c, *lengths))


UNPOOL = {axes: composite(f"MaxUnpool{max(axes, 2)}DBackward0", "input")(_unpooled) for axes in (1, 2, 3)}


def _max_unpool(
    axes: int, input: Any, indices: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Any:
    images, was_missing = batched(input, axes, f"max_unpool{axes}d")
    size = each(kernel_size, axes)
    steps = size if stride is None else each(stride, axes, "stride")
    around = each(padding, axes, "padding")
    usual = tuple(
        (length - 1) * s - 2 * p + k
        for length, s, p, k in zip(images.array.shape[2:], steps, around, size, strict=True)
    )
    lengths: Lengths = usual if output_size is None else tuple(int(one) for one in output_size)[-axes:]
    state().graph.meter.check_elements((*images.array.shape[:2], *lengths))
    places = indices.array[None] if was_missing else indices.array
    if places.size and int(places.max()) >= int(np.prod(lengths)):
        raise torch_error(
            f"Found an invalid max index: {int(places.max())} (output volumes are of size "
            f"{'x'.join(map(str, lengths))}",
            f"位置 {int(places.max())} 超出了输出 {list(lengths)}。",
        )
    return unbatched(UNPOOL[axes](images, places, lengths), was_missing)


def _enter_unpool(axes: int) -> None:
    def max_unpool(
        input: Any,
        indices: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Any:
        return _max_unpool(axes, input, indices, kernel_size, stride, padding, output_size)

    max_unpool.__doc__ = "Numbers put back where max_pool found them, zeros elsewhere."
    torch_function(f"max_unpool{axes}d", f=True)(max_unpool)


for _axes in (1, 2, 3):
    _enter_unpool(_axes)


# -- margins ---------------------------------------------------------------------------------------------


@torch_function("triplet_margin_with_distance_loss", f=True)
def triplet_margin_with_distance_loss(
    interpreter: Any,
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    distance_function: Any = None,
    margin: Any = 1.0,
    swap: Any = False,
    reduction: Any = "mean",
) -> Any:
    """max(0, d(a, p) - d(a, n) + margin), the distance a function of the program."""
    far = TORCH[F + "pairwise_distance"] if distance_function is None else distance_function

    def distance(a: Any, b: Any) -> Any:
        return interpreter.call(far, [a, b], {})

    to_negative = distance(anchor, negative)
    if swap:
        to_negative = OPERATORS["minimum"](to_negative, distance(positive, negative))
    loss = OPERATORS["clamp_min"](plain(margin) + distance(anchor, positive) - to_negative, 0)
    return loss if reduction == "none" else OPERATORS[reduction](loss)


def _multilabel_margin(input: Any, target: Any = None) -> Any:
    """Σ max(0, 1 - (x[target] - x[other])) / classes. Shapes: (N, C) -> (N,)."""
    n, c = input.array.shape
    is_target, wanted, first = np.zeros((n, c), bool), np.zeros((n, c), bool), np.zeros((n, c), np.int64)
    for row in range(n):
        ends = np.flatnonzero(target[row] < 0)
        count = int(ends[0]) if ends.size else c
        first[row, :count], wanted[row, :count] = target[row, :count], True
        is_target[row, target[row, :count]] = True
    chosen = unsqueeze(gather(input, 1, of_numbers(first)), 2)
    gaps = OPERATORS["clamp_min"](1 - (chosen - unsqueeze(input, 1)), 0)
    counted = of_numbers((wanted[:, :, None] & ~is_target[:, None, :]).astype(input.array.dtype))
    return OPERATORS["sum"](gaps * counted, (1, 2)) / c


@torch_function("multilabel_margin_loss", f=True)
def multilabel_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
) -> Any:
    """How far below its classes' scores others are. Shapes: (N, C), (N, C) -> () or (N,)."""
    flat, way = input.array.ndim == 1, how(reduction, size_average, reduce)
    rows = unsqueeze(input, 0) if flat else input
    marks = target.array[None] if flat else target.array
    name = "MultilabelMarginLossBackward0"
    if way == "none":
        found = composite(name, "input")(_multilabel_margin)(rows, marks)
        return squeeze(found, 0) if flat else found

    def reduced(input: Any, target: Any = None) -> Any:
        return OPERATORS[way](_multilabel_margin(input, target))

    return composite(name, "input")(reduced)(rows, marks)
