"""What convolutions refuse, in PyTorch's words and in its order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.languages.surfaces.torch.errors import torch_error


def check_types(input: Any, bias: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where images and biases are of unlike types."""
    if bias is not None and bias.dtype is not input.dtype:
        found, wanted = input.dtype.cpp_name, bias.dtype.cpp_name
        raise torch_error(
            f"Input type ({found}) and bias type ({wanted}) should be the same",
            f"输入的类型 {found} 与偏置的类型 {wanted} 不同。",
            hint="Write x.float(), or model.to(x.dtype).",
            hint_zh="请写 x.float()，或 model.to(x.dtype)。",
        )


def check_same_type(input: Any, weight: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where the weights are of another type than the images."""
    if weight.dtype is not input.dtype:
        found, wanted = weight.dtype.scalar_name, input.dtype.scalar_name
        raise torch_error(
            f"expected scalar type {wanted} but found {found}",
            f"权重的类型 {found} 与输入的类型 {wanted} 不同。",
            hint="Write x.float(), or model.to(x.dtype).",
            hint_zh="请写 x.float()，或 model.to(x.dtype)。",
        )


def check_settings(axes: int, groups: int, **settings: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch for settings of another length, or below their bounds.

    settings: stride, dilation and others by name, as the program gives them.
    """
    for name, value in settings.items():
        if isinstance(value, (list, tuple)) and len(value) not in (1, axes):
            of = "a single integer value or a list of 1 values" if axes == 1 else f"a list of {axes} values"
            of = of if axes == 1 else f"a single integer value or {of}"
            raise torch_error(
                f"expected {name} to be {of} to match the convolution dimensions, but got "
                f"{name}={list(value)}",
                f"{name} 应是一个整数，或 {axes} 个整数。",
            )
    if groups <= 0:
        raise torch_error("non-positive groups is not supported", "groups 必须大于零。")
    numbers = {name: _listed(value, axes) for name, value in settings.items()}
    for name, least, said in BOUNDS:
        found = numbers.get(name, [])
        if any(one < least for one in found if isinstance(one, int)):
            raise torch_error(said.format(found), f"{name} 的值 {found} 太小。")


BOUNDS = (
    ("padding", 0, "negative padding is not supported"),
    ("output_padding", 0, "negative output_padding is not supported"),
    ("stride", 1, "non-positive stride is not supported"),
    ("dilation", 1, "dilation should be greater than zero, but got {}"),
)


def _listed(value: Any, axes: int) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return list(value) * (axes if len(value) == 1 else 1)
    return [value] * axes


def check_weights(weight: Any, groups: int) -> None:
    """Raises: RuntimeError's messages of PyTorch where groups do not share the weights evenly."""
    size = list(weight.form.shape)
    if size[0] < groups:
        raise torch_error(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight "
            f"of size {size} instead",
            f"groups={groups} 至少需要 {groups} 个卷积核。",
            code="shape_mismatch",
        )
    if size[0] % groups:
        raise torch_error(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got "
            f"weight of size [{size}] instead",
            f"卷积核的个数 {size[0]} 不能被 groups={groups} 整除。",
            code="shape_mismatch",
        )


def check_bias(weight: Any, bias: Any, count: int, said: str = "") -> None:
    """Raises: RuntimeError's message of PyTorch where there is not one bias for each output channel."""
    if bias is not None and tuple(bias.form.shape) != (count,):
        raise torch_error(
            f"Given {said}weight of size {list(weight.form.shape)}, expected bias to be 1-dimensional with "
            f"{count} elements, but got bias of size {list(bias.form.shape)} instead",
            f"需要 {count} 个偏置，但形状是 {list(bias.form.shape)}。",
            code="shape_mismatch",
        )


def check_words(padding: Any) -> None:
    """Raises: RuntimeError's message of PyTorch for a word that names no padding."""
    if isinstance(padding, str) and padding not in ("same", "valid"):
        raise torch_error(f"Invalid padding string: '{padding}'", f"padding 不能是 '{padding}'。")


def check_layer(facts: Mapping[str, Any]) -> None:
    """Raises: ValueError's messages of PyTorch where a layer is given a padding that it has not."""
    padding, stride = facts["padding"], facts["stride"]
    if not isinstance(padding, str):
        return
    if padding not in ("same", "valid"):
        raise torch_error(
            f"Invalid padding string '{padding}', should be one of {{'same', 'valid'}}",
            f"padding 不能是 '{padding}'。",
            kind="ValueError",
        )
    if padding == "same" and any(one != 1 for one in stride):
        raise torch_error(
            "padding='same' is not supported for strided convolutions",
            "padding='same' 要求步长为 1。",
            kind="ValueError",
        )
