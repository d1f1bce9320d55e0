"""Normalization: numbers less their mean, over their spread. Which numbers belong together differs.

Source: Ioffe & Szegedy (2015) for batches; Ba, Kiros & Hinton (2016) for layers; Wu & He (2018) for groups;
        Zhang & Sennrich (2019) without the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.in_place import write
from engine.languages.surfaces.torch.dtypes import DTYPES
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.elementwise.exponentials import rsqrt
from engine.languages.surfaces.torch.functions.operands import to_type
from engine.languages.surfaces.torch.functions.reductions import mean
from engine.languages.surfaces.torch.functions.shaping import expand, reshape
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor
from engine.ops.base.building import constant_node

DOUBLE = DTYPES["float64"]


def _standardized(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    """x less its mean over these axes, over the root of its mean square. Shapes: (*S) -> (*S)."""
    centered = x - mean(x, axes, True)
    return centered * rsqrt(mean(centered * centered, axes, True) + eps)


def _moments(x: Any, axes: tuple[int, ...], eps: float) -> tuple[Tensor, Tensor]:
    """The mean, and one over the root of the variance plus eps, computed in double precision."""
    wide = to_type(x, DOUBLE)
    center = mean(wide, axes, True)
    centered = wide - center
    scale = rsqrt(mean(centered * centered, axes, True) + eps)
    return to_type(center, x.dtype), to_type(scale, x.dtype)


def _line(x: Any, scale: Any, shift: Any) -> Any:
    """x * scale + shift, rounded once, as processors compute it."""
    wide: list[Any] = [to_type(one, DOUBLE) for one in (x, scale, shift)]
    return to_type(wide[0] * wide[1] + wide[2], x.dtype)


def _scaled(x: Any, weight: Any, bias: Any) -> Any:
    if weight is not None:
        x = x * weight
    return x if bias is None else x + bias


def _check_one_type(input: Any, weight: Any, bias: Any, kernel: str = "") -> None:
    """Raises: the messages of PyTorch where numbers and the layer's own are of unlike types.

    kernel: what PyTorch names where whole numbers are given, if it does.
    """
    if kernel and not input.dtype.is_floating:
        raise torch_error(
            f"\"{kernel}\" not implemented for '{input.dtype.scalar_name}'",
            f"归一化不能用于 {input.dtype.scalar_name} 类型。",
            kind="NotImplementedError",
            hint="Write x.float().",
            hint_zh="请写 x.float()。",
        )
    others = [one.dtype for one in (weight, bias) if one is not None]
    if any(one is not input.dtype for one in others) and not _is_half(input.dtype, others):
        raise torch_error(
            "mixed dtype (CPU): all inputs must share same datatype.",
            f"输入的类型 {input.dtype.name} 与这一层的参数的类型不同。",
            hint="Write x.float(), or model.to(x.dtype).",
            hint_zh="请写 x.float()，或 model.to(x.dtype)。",
            code="dtype_mismatch",
        )


def _is_half(dtype: Any, others: Sequence[Any]) -> bool:
    """Whether short floats stand beside parameters in single precision, which PyTorch takes."""
    return dtype.name in ("float16", "bfloat16") and all(one.name == "float32" for one in others)


# -- layers ----------------------------------------------------------------------------------------------


@composite("NativeLayerNormBackward0", "input weight bias")
def _layer_norm(input: Any, weight: Any, bias: Any, rank: int = 1, eps: float = 1e-5) -> Any:
    axes = tuple(range(input.form.ndim - rank, input.form.ndim))
    return _scaled(_standardized(input, axes, eps), weight, bias)


@torch_function("layer_norm", f=True)
def layer_norm(
    input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5
) -> Any:
    """The last axes, of this shape, belong together. Shapes: (*S) -> (*S)."""
    shape = (
        tuple(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else (int(normalized_shape),)
    )
    if tuple(input.form.shape[input.form.ndim - len(shape) :]) != shape or len(shape) > input.form.ndim:
        listed = ", ".join(map(str, shape))
        raise torch_error(
            f"Given normalized_shape=[{listed}], expected input with shape [*, {listed}], but got input of "
            f"size{list(input.form.shape)}",
            f"输入最后几个轴的长度必须是 {list(shape)}，但形状是 {list(input.form.shape)}。",
            code="shape_mismatch",
        )
    _check_one_type(input, weight, bias)
    return _layer_norm(input, weight, bias, len(shape), float(eps))


@torch_function("rms_norm", f=True)
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """Numbers over the root of their mean square. Shapes: (*S) -> (*S)."""
    rank = len(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else 1
    axes = tuple(range(input.form.ndim - rank, input.form.ndim))
    least = float(np.finfo(input.form.dtype).eps) if eps is None else eps
    result = input * rsqrt(mean(OPERATORS["pow"](input, 2), axes, True) + least)
    return result if weight is None else result * weight


# -- groups of channels ----------------------------------------------------------------------------------


@composite("NativeGroupNormBackward0", "input weight bias")
def _group_norm(input: Any, weight: Any, bias: Any, groups: int = 1, eps: float = 1e-5) -> Any:
    shape = input.form.shape
    n, c, *rest = shape
    grouped = reshape(input, (n, groups, -1))
    center, scale = _moments(grouped, (2,), eps)
    per_channel = (n, groups, c // groups, 1)
    scale = expand(reshape(scale, (n, groups, 1, 1)), per_channel)
    scale = scale if weight is None else scale * reshape(weight, (1, groups, c // groups, 1))
    shift = -scale * reshape(center, (n, groups, 1, 1))
    shift = shift if bias is None else shift + reshape(bias, (1, groups, c // groups, 1))
    columns = (n, c, *(1,) * len(rest))
    return _line(input, reshape(scale, columns), reshape(shift, columns))


@torch_function("group_norm", f=True)
def group_norm(input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5) -> Any:
    """So many groups of channels, each normalized by itself. Shapes: (N, C, *S) -> (N, C, *S)."""
    if input.form.ndim < 2:
        raise torch_error(
            f"Expected at least 2 dimensions for input tensor but received {input.form.ndim}",
            "group_norm 的输入至少是二维的。",
            code="shape_mismatch",
        )
    if input.form.shape[1] % int(num_groups):
        raise torch_error(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.form.shape)} and num_groups={num_groups}",
            f"通道数 {input.form.shape[1]} 不能被 num_groups={num_groups} 整除。",
        )
    _check_one_type(input, weight, bias)
    return _group_norm(input, weight, bias, int(num_groups), float(eps))


# -- batches ---------------------------------------------------------------------------------------------


@composite("NativeBatchNormBackward0", "input weight bias")
def _batch_norm_by_itself(input: Any, weight: Any, bias: Any, eps: float = 1e-5) -> Any:
    axes = (0, *range(2, input.form.ndim))
    return _by_channel(input, *_moments(input, axes, eps), weight, bias)


@composite("NativeBatchNormBackward0", "input weight bias")
def _batch_norm_by_memory(
    input: Any, weight: Any, bias: Any, center: Any = None, spread: Any = None, eps: float = 1e-5
) -> Any:
    return _by_channel(input, center, rsqrt(spread + eps), weight, bias)


def _by_channel(input: Any, center: Any, scale: Any, weight: Any, bias: Any) -> Any:
    """Each channel less its center, times its scale. Shapes: input (N, C, *S), the others C numbers each."""
    columns = (1, input.form.shape[1], *(1,) * (input.form.ndim - 2))
    center, scale = reshape(center, (-1,)), reshape(scale, (-1,))
    scale = scale if weight is None else scale * weight
    shift = -center * scale if bias is None else bias - center * scale
    return _line(input, reshape(scale, columns), reshape(shift, columns))


@torch_function("batch_norm", f=True)
def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: Any = False,
    momentum: Any = 0.1,
    eps: Any = 1e-5,
) -> Any:
    """Each channel by itself: by its own mean in training, else by the running one. Shapes: (N, C, *S) -> the
    same.

    In training the running mean and variance are drawn towards those of the batch by `momentum`.
    """
    for name, one in (("running_mean", running_mean), ("running_var", running_var)):
        if one is not None and one.form.size != input.form.shape[1]:
            raise torch_error(
                f"{name} should contain {input.form.shape[1]} elements not {one.form.size}",
                f"输入有 {input.form.shape[1]} 个通道，而这一层是为 {one.form.size} 个通道建立的。",
                code="shape_mismatch",
            )
    if not training:
        if running_mean is None:
            raise torch_error(
                "running_mean must be defined in evaluation mode", "不在训练时，running_mean 不能是 None。"
            )
        _check_one_type(input, weight, bias, "batch_norm")
        made: Any = _batch_norm_by_memory(input, weight, bias, running_mean, running_var, float(eps))
        return made
    shape = input.form.shape
    if prod(shape) == shape[1]:
        raise torch_error(
            f"Expected more than 1 value per channel when training, got input size {_size(shape)}",
            "训练时每个通道需要多于一个数。",
            kind="ValueError",
            hint="Call model.eval() for a single example.",
            hint_zh="对单个样本请先调用 model.eval()。",
        )
    _check_one_type(input, weight, bias, "batch_norm")
    if running_mean is not None:
        _remember(input.array, running_mean, running_var, float(momentum))
    return _batch_norm_by_itself(input, weight, bias, float(eps))


def _size(shape: tuple[int, ...]) -> str:
    return f"torch.Size({list(shape)})"


def _remember(array: Any, running_mean: Any, running_var: Any, momentum: float) -> None:
    axes = (0, *range(2, array.ndim))
    count = array.size // array.shape[1]
    found = (array.mean(axis=axes), array.var(axis=axes) * (count / max(count - 1, 1)))
    with recording(False):
        for target, new in zip((running_mean, running_var), found, strict=True):
            kind = target.form.dtype.type
            mixed = target.array * kind(1 - momentum) + new.astype(kind) * kind(momentum)
            write(target, constant_node(mixed.astype(kind), "running"))


@torch_function("instance_norm", f=True)
@takes_only(running_mean=(None,), running_var=(None,), use_input_stats=(True,))
def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: Any = True,
    momentum: Any = 0.1,
    eps: Any = 1e-5,
) -> Any:
    """Each channel of each image by itself. Shapes: (N, C, *S) -> (N, C, *S)."""
    shape = input.form.shape
    if prod(shape[2:]) == 1:
        raise torch_error(
            f"Expected more than 1 spatial element when training, got input size {_size(shape)}",
            "训练时每个通道需要多于一个数。",
            kind="ValueError",
        )
    _check_one_type(input, weight, bias, "batch_norm")
    as_channels = reshape(input, (1, shape[0] * shape[1], *shape[2:]))
    result = reshape(_batch_norm_by_itself(as_channels, None, None, float(eps)), shape)
    columns = (1, shape[1], *(1,) * (len(shape) - 2))
    return _scaled(result, *(None if one is None else reshape(one, columns) for one in (weight, bias)))
