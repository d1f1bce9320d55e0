"""Convolution and its transpose: each window of the images times the weights.

A convolution takes the windows as columns of a matrix and multiplies; the transpose puts columns back, and
adds up where they overlap. Source: Dumoulin & Visin (2016), A guide to convolution arithmetic for deep
learning.
"""

from __future__ import annotations

from math import prod
from typing import Any

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.shaping import permute, reshape
from engine.languages.surfaces.torch.nn.functional.checks.convolution import (
    check_bias,
    check_same_type,
    check_settings,
    check_types,
    check_weights,
    check_words,
)
from engine.languages.surfaces.torch.nn.functional.filters import filtered
from engine.languages.surfaces.torch.nn.functional.windows import (
    Lengths,
    batched,
    each,
    folded,
    pad_of,
    places_of_windows,
    surrounded,
    unbatched,
    unfolded,
)
from engine.languages.surfaces.torch.registry import torch_function

FLAT = 2  # axes of a picture


@composite("ConvolutionBackward0", "input weight bias")
def _convolution(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any = None,
    around: Any = None,
    dilation: Any = None,
    groups: int = 1,
) -> Any:
    """Shapes: (N, C, *S), (O, C / groups, *K), (O,) -> (N, O, *windows)."""
    images = surrounded(input, around)
    n, _, *lengths = images.form.shape
    o, per_group, *size = weight.form.shape
    if groups == 1 and len(size) == FLAT:
        result = filtered(images, weight, stride, dilation)
        return result if bias is None else result + reshape(bias, (1, o, 1, 1))
    places, count = places_of_windows(tuple(lengths), tuple(size), stride, dilation)
    columns = reshape(unfolded(images, places), (n, groups, per_group * prod(size), -1))
    kernels = reshape(weight, (1, groups, o // groups, per_group * prod(size)))
    result = reshape(matmul(kernels, columns), (n, o, *count))
    return result if bias is None else result + reshape(bias, (1, o, *(1,) * len(size)))


@composite("ConvolutionBackward0", "input weight bias")
def _transposed(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any = None,
    padding: Any = None,
    output_padding: Any = None,
    dilation: Any = None,
    groups: int = 1,
) -> Any:
    """Shapes: (N, C, *S), (C, O / groups, *K), (O,) -> (N, O, *L)."""
    n, c, *lengths = input.form.shape
    _, per_group, *size = weight.form.shape
    whole = tuple(
        (length - 1) * s + d * (k - 1) + 1 + extra
        for length, s, d, k, extra in zip(lengths, stride, dilation, size, output_padding, strict=True)
    )
    covered = tuple(length - extra for length, extra in zip(whole, output_padding, strict=True))
    places, _ = places_of_windows(covered, tuple(size), stride, dilation)
    places = _in_larger(places, covered, whole)
    kernels = permute(reshape(weight, (1, groups, c // groups, per_group * prod(size))), (0, 1, 3, 2))
    columns = matmul(kernels, reshape(input, (n, groups, c // groups, -1)))
    result = folded(reshape(columns, (n, groups * per_group, prod(size), -1)), places, whole)
    result = surrounded(result, [(-one, -one) for one in padding])
    return result if bias is None else result + reshape(bias, (1, -1, *(1,) * len(size)))


def _in_larger(places: Any, lengths: Lengths, larger: Lengths) -> Any:
    """The same places in an image with more numbers at the end of each axis."""
    import numpy as np

    at = np.unravel_index(places.reshape(-1), lengths)
    return np.ravel_multi_index(at, larger).reshape(places.shape)


def _convolve(
    axes: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: Any
) -> Any:
    images, was_missing = batched(input, axes, f"conv{axes}d")
    check_words(padding)
    check_types(input, bias)
    check_settings(axes, int(groups), stride=stride, padding=padding, dilation=dilation)
    check_weights(weight, int(groups))
    _check_channels(weight, images, int(groups))
    check_bias(weight, bias, weight.form.shape[0])
    steps, apart = each(stride, axes, "stride"), each(dilation, axes, "dilation")
    size = tuple(weight.form.shape[2:])
    around = pad_of(padding, size, apart, steps)
    for length, (before, after), k, d in zip(images.form.shape[2:], around, size, apart, strict=True):
        if d * (k - 1) + 1 > length + before + after:
            raise _too_small(images, around, tuple(d * (k - 1) + 1 for d, k in zip(apart, size, strict=True)))
    check_same_type(input, weight)
    return unbatched(_convolution(images, weight, bias, steps, around, apart, int(groups)), was_missing)


def _check_channels(weight: Any, images: Any, groups: int) -> None:
    expected, given = weight.form.shape[1] * groups, images.form.shape[1]
    if expected != given:
        shapes = f"weight of size {list(weight.form.shape)}, expected input{list(images.form.shape)}"
        raise torch_error(
            f"Given groups={groups}, {shapes} to have {expected} channels, but got {given} channels instead",
            f"卷积核需要 {expected} 个输入通道，但输入有 {given} 个。",
            code="shape_mismatch",
        )


def _too_small(images: Any, around: Any, size: Lengths) -> Exception:
    padded = " x ".join(
        str(length + a + b) for length, (a, b) in zip(images.form.shape[2:], around, strict=True)
    )
    kernel = " x ".join(map(str, size))
    return torch_error(
        f"Calculated padded input size per channel: ({padded}). Kernel size: ({kernel}). Kernel size can't "
        "be greater than actual input size",
        f"填充后的输入每通道为 {padded}，小于卷积核 {kernel}。",
        code="shape_mismatch",
    )


@torch_function("conv1d", f=True)
def conv1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: Any = 1,
) -> Any:
    """A convolution over one axis. Shapes: (N, C, L), (O, C / groups, K) -> (N, O, L')."""
    return _convolve(1, input, weight, bias, stride, padding, dilation, groups)


@torch_function("conv2d", f=True)
def conv2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: Any = 1,
) -> Any:
    """A convolution over two axes. Shapes: (N, C, H, W), (O, C / groups, K, L) -> (N, O, H', W')."""
    return _convolve(2, input, weight, bias, stride, padding, dilation, groups)


@torch_function("conv3d", f=True)
def conv3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: Any = 1,
) -> Any:
    """A convolution over three axes. Shapes: (N, C, *S), (O, C / groups, *K) -> (N, O, *S')."""
    return _convolve(3, input, weight, bias, stride, padding, dilation, groups)


def _check_output_padding(extra: Any, stride: Any, dilation: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where more is added than one step."""
    if all(e < max(s, d) for e, s, d in zip(extra, stride, dilation, strict=True)):
        return
    shown = [(0, *extra), (1, *stride), (1, *dilation)] if len(extra) == 1 else [extra, stride, dilation]
    names = ("depth", "height", "width")[-max(len(extra), 2) :]
    listed = " ".join(
        f"{what}_{name}: {value}"
        for what, values in zip(("output_padding", "stride", "dilation"), shown, strict=True)
        for name, value in zip(names, values, strict=True)
    )
    raise torch_error(
        f"output padding must be smaller than either stride or dilation, but got {listed}",
        "output_padding 必须小于 stride 或 dilation。",
    )


def _transpose(
    axes: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: Any,
    dilation: Any,
) -> Any:
    images, was_missing = batched(input, axes, f"conv_transpose{axes}d")
    settings = (stride, padding, output_padding, dilation)
    names = ("stride", "padding", "output_padding", "dilation")
    check_settings(axes, int(groups), **dict(zip(names, settings, strict=True)))
    found = [each(value, axes, name) for value, name in zip(settings, names, strict=True)]
    _check_output_padding(found[2], found[0], found[3])
    if images.form.shape[1] != weight.form.shape[0]:
        raise torch_error(
            f"Given transposed=1, weight of size {list(weight.form.shape)}, expected input"
            f"{list(images.form.shape)} to have {weight.form.shape[0]} channels, but got "
            f"{images.form.shape[1]} channels instead",
            f"转置卷积需要 {weight.form.shape[0]} 个输入通道，但输入有 {images.form.shape[1]} 个。",
            code="shape_mismatch",
        )
    check_bias(weight, bias, weight.form.shape[1] * int(groups), "transposed=1, ")
    check_same_type(input, weight)
    return unbatched(_transposed(images, weight, bias, *found, int(groups)), was_missing)


@torch_function("conv_transpose1d", f=True)
def conv_transpose1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: Any = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of a convolution over one axis."""
    return _transpose(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@torch_function("conv_transpose2d", f=True)
def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: Any = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of a convolution over two axes."""
    return _transpose(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@torch_function("conv_transpose3d", f=True)
def conv_transpose3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: Any = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of a convolution over three axes."""
    return _transpose(3, input, weight, bias, stride, padding, output_padding, groups, dilation)
