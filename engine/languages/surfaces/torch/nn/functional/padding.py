"""`torch.nn.functional.pad`: numbers around a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing import index_select
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import cat, narrow
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers

MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}  # as numpy calls them


def _constant(input: Any, pad: Sequence[int], value: float) -> Any:
    """Shapes: pad names the last axis first, two numbers each; negative ones cut off."""
    result = input
    for place in range(0, len(pad), 2):
        axis = input.form.ndim - 1 - place // 2
        parts = [_block(result, axis, pad[place], value), result, _block(result, axis, pad[place + 1], value)]
        cut = [min(pad[place], 0), min(pad[place + 1], 0)]
        if any(cut):
            length = result.form.shape[axis] + sum(cut)
            parts[1] = narrow(result, axis, -cut[0], length)
        present = [one for one in parts if one is not None]
        result = cat(present, axis) if len(present) > 1 else present[0]
    return result


def _block(tensor: Any, axis: int, length: int, value: float) -> Tensor | None:
    if length <= 0:
        return None
    shape = list(tensor.form.shape)
    shape[axis] = length
    state().graph.meter.check_elements(shape)
    return of_numbers(np.full(shape, value, dtype=tensor.form.dtype))


padded = composite("ConstantPadNdBackward0", "input")(_constant)


def _by_places(input: Any, pad: Sequence[int], mode: str) -> Any:
    """Numbers of the tensor itself around it, taken by their places along each axis."""
    result = input
    for place in range(0, len(pad), 2):
        axis = input.form.ndim - 1 - place // 2
        around: Any = (pad[place], pad[place + 1])
        places = np.pad(np.arange(result.form.shape[axis]), around, mode=MODES[mode])  # type: ignore[call-overload]
        result = index_select(result, axis, of_numbers(places.astype(INT64.name)))
    return result


NAMES = {"reflect": "ReflectionPad{}DBackward0", "replicate": "ReplicationPad{}DBackward0"}
PADDINGS = {
    (mode, axes): composite(NAMES.get(mode, "CopySlices").format(axes), "input")(_by_places)
    for mode in MODES
    for axes in (1, 2, 3)
}


@torch_function("pad", f=True)
def pad(input: Any, pad: Any, mode: Any = "constant", value: Any = None) -> Any:
    """Numbers before and after the last axes. Raises: in PyTorch's words."""
    amounts = [int(plain(one)) for one in pad]
    _check_amounts(amounts, input.form)
    if mode == "constant":
        number = 0 if value is None else plain(value)
        made: Any = padded(input, amounts, number)
        return made
    if mode not in MODES:
        raise torch_error(
            f"Unrecognised padding mode {mode}", f"未知的填充方式 {mode}。", kind="NotImplementedError"
        )
    for place in range(0, len(amounts), 2):
        length = input.form.shape[-1 - place // 2]
        if mode == "reflect" and max(amounts[place : place + 2]) >= length:
            raise torch_error(
                "Argument #4: Padding size should be less than the corresponding input dimension, but got: "
                f"padding ({amounts[place]}, {amounts[place + 1]}) at dimension "
                f"{input.form.ndim - 1 - place // 2} of input {list(input.form.shape)}",
                "反射填充的长度必须小于对应轴的长度。",
            )
    return PADDINGS[mode, min(len(amounts) // 2, 3)](input, amounts, mode)


def _check_amounts(amounts: Sequence[int], form: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where there are not two amounts for each axis."""
    if len(amounts) % 2:
        raise torch_error("Padding length must be divisible by 2", "pad 的长度必须是偶数。")
    if len(amounts) // 2 > form.ndim:
        raise torch_error(
            "Padding length should be less than or equal to two times the input dimension but got padding "
            f"length {len(amounts)} and input of dimension {form.ndim}",
            f"pad 有 {len(amounts)} 个数，超过了输入维数 {form.ndim} 的两倍。",
        )
    for place in range(0, len(amounts), 2):
        length = form.shape[-1 - place // 2]
        if length + sum(min(one, 0) for one in amounts[place : place + 2]) < 0:
            raise torch_error("narrow(): length must be non-negative.", "pad 裁去的比这一轴的长度还多。")
