"""What pooling refuses, in PyTorch's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.surfaces.torch.errors import torch_error

SPATIAL = "HW"


def check_pooled(axes: int, largest: bool, input: Any) -> None:
    """Raises: the messages of PyTorch for an input of other axes. largest: of max_pool, else of avg_pool."""
    rank = input.form.ndim
    if rank in (axes + 1, axes + 2):
        return
    said, kind = _of_rank(axes, largest, list(input.form.shape))
    raise torch_error(
        said,
        f"池化需要 {axes + 1} 维或 {axes + 2} 维的输入，但形状是 {list(input.form.shape)}。",
        kind=kind,
        code="shape_mismatch",
    )


def _of_rank(axes: int, largest: bool, shape: list[int]) -> tuple[str, str]:
    if axes == 1 and largest:
        return (
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but "
            f"got:{shape}",
            "RuntimeError",
        )
    if len(shape) <= axes and not largest:
        rank = max(len(shape), 1)
        return (
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {-rank - 1})",
            "IndexError",
        )
    return (
        f"non-empty {axes + 1}D or {axes + 2}D (batch mode) tensor expected for input",
        "RuntimeError",
    )


def check_windows(
    axes: int,
    largest: bool,
    size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    **others: Any,
) -> None:
    """Raises: RuntimeError's messages of PyTorch for windows that are empty, stand still or lie outside."""
    dilation = others.get("dilation", (1,) * axes)
    if axes == 1 and largest:
        _check_row(size[0], stride[0], padding[0], dilation[0])
        return
    if 0 in stride:
        raise torch_error("stride should not be zero", "步长不能为零。")
    if any(one <= 0 for one in size):
        named = " ".join(f"k{letter}: {one}" for letter, one in zip(SPATIAL[-axes:], size, strict=False))
        raise torch_error(f"kernel size should be greater than zero, but got {named}", "窗口必须大于零。")
    if any(one <= 0 for one in dilation):
        named = " ".join(
            f"dilation{letter}: {one}" for letter, one in zip(SPATIAL[-axes:], dilation, strict=False)
        )
        raise torch_error(f"dilation should be greater than zero, but got {named}", "dilation 必须大于零。")
    for k, p in zip(size, padding, strict=True):
        if p < 0:
            raise torch_error(f"pad must be non-negative, but got pad: {p}", f"填充 {p} 不能为负。")
        if p > k // 2:
            raise torch_error(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and "
                "dilation=1",
                f"填充 {p} 不能超过窗口 {k} 的一半。",
            )


def _check_row(size: int, stride: int, padding: int, dilation: int) -> None:
    for name, value in (("kernel_size", size), ("stride", stride), ("dilation", dilation)):
        if value <= 0:
            raise torch_error(
                f"max_pool1d() {name} must be greater than zero, but got {value}", f"{name} 必须大于零。"
            )
    if padding < 0:
        raise torch_error(
            f"max_pool1d() padding must be non-negative, but got {padding}", f"填充 {padding} 不能为负。"
        )
    if padding > size // 2:
        raise torch_error(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={padding} and kernel_size={size}",
            f"填充 {padding} 不能超过窗口 {size} 的一半。",
        )


def no_windows(axes: int, largest: bool, shape: Sequence[int], count: Sequence[int]) -> Exception:
    """The images are too small for one window. Shapes: shape (N, C, *S), count of windows along each axis."""
    whole, found = tuple(shape[1:]), (shape[1], *count)
    if axes == 1 and not largest:  # PyTorch computes it as a picture of one row
        whole, found = (whole[0], 1, *whole[1:]), (found[0], 1, *found[1:])
    said = (
        f"max_pool1d() Invalid computed output size: {count[0]}"
        if axes == 1 and largest
        else f"Given input size: ({'x'.join(map(str, whole))}). Calculated output size: "
        f"({'x'.join(map(str, found))}). Output size is too small"
    )
    return torch_error(said, f"输入 {list(shape[1:])} 太小，放不下一个窗口。", code="shape_mismatch")


def check_adaptive(name: str, axes: int, input: Any, output_size: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where adaptive pooling is given other axes."""
    shape = list(input.form.shape)
    if len(shape) not in (axes + 1, axes + 2):
        colon = ":" if "max" in name else ""
        said = (
            f"Expected {axes + 1} to {axes + 2} dimensions, but got {len(shape)}-dimensional tensor for "
            f"argument #1 'self' (while checking arguments for {name})"
            if axes == 1
            else f"{name}(): Expected {axes + 1}D or {axes + 2}D tensor, but got{colon} {shape}"
        )
        raise torch_error(
            said,
            f"{name} 需要 {axes + 1} 维或 {axes + 2} 维的输入，但形状是 {shape}。",
            code="shape_mismatch",
        )
    if isinstance(output_size, (list, tuple)) and len(output_size) != axes:
        raise torch_error(
            f"{name}: output_size must be {axes}", f"output_size 应有 {axes} 个数。", code="shape_mismatch"
        )
    wanted = output_size if isinstance(output_size, (list, tuple)) else (output_size,) * axes
    if any(isinstance(one, int) and one < 0 for one in wanted):
        listed = ", ".join(map(str, wanted))
        raise torch_error(
            f"{name}: elements of output_size must be greater than or equal to 0 but received {{{listed}}}",
            "output_size 不能为负。",
        )
