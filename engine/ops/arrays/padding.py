"""Padding with a value of one's own, or with the tensor's mirror image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ValueRefused, quoted
from engine.ops.arrays import indexing, joining, reshaping
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import COPIED, PLACED, SUMMED
from engine.ops.base.shapes import constant_value
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring


def _padded(x: Shape, paddings: Shape, *_: Shape, inputs: Sequence[Tensor]) -> Shape:
    return joining.padded_shape(x, inputs[1])


def _pairs(paddings: Array) -> list[tuple[int, int]]:
    return [(int(before), int(after)) for before, after in paddings]


@op(
    "PadV2",
    inputs="input paddings constant_values",
    types="T Tpaddings T",
    shape=_padded,
    latex=r"\mathrm{pad}({input}, {constant_values})",
    adjoints=[r"\bar{y}_{\mathrm{inside}}", "0", "0"],
    derivative=[
        PLACED,
        "0",
        (
            r"1 \text{ in the padding (TensorFlow passes no gradient to it)}",
            r"\text{填充处为 } 1 \text{（TensorFlow 不向它传递梯度）}",
        ),
    ],
)
@in_chinese("每个轴的前后补同一个值。")
def pad_v2(input: Array, paddings: Array, constant_values: Array) -> Any:
    """One value before and after, per axis. Shapes: input (n_i), paddings (r, 2), () -> y."""
    return np.pad(input, _pairs(paddings), constant_values=constant_values)


@pad_v2.gradient
def pad_v2_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """The part of the upstream gradient that is not padding; the padding value counts as fixed."""
    x, paddings, _ = node.inputs
    column = joining.stack([measuring.rank_of(x), 1])
    begin = reshaping.reshape(indexing.slice_op(paddings, [0, 0], column), [-1])
    return [indexing.slice_op(dy, begin, measuring.shape_of(x)), None, None]


@op(
    "MirrorPad",
    inputs="input paddings",
    types="T Tpaddings",
    shape=_padded,
    latex=r"\mathrm{mirror}({input})",
    adjoints=[r"\bar{y} \text{ folded back}", "0"],
    derivative=[COPIED, "0"],
)
@in_chinese("把张量自己的元素向外镜像；SYMMETRIC 连边缘也重复。")
def mirror_pad(input: Array, paddings: Array, mode: str = "REFLECT") -> Any:
    """The tensor's own elements mirrored outwards; SYMMETRIC repeats the edge. Shapes: as Pad."""
    return np.pad(input, _pairs(paddings), mode="reflect" if mode == "REFLECT" else "symmetric")


@mirror_pad.gradient
def mirror_pad_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [mirror_pad_grad(dy, node.inputs[1], mode=node.attrs["mode"]), None]


def _folded_shape(dy: Shape, paddings: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    value = constant_value(inputs[1])
    if dy is None or value is None:
        return None if dy is None else (None,) * len(dy)
    return tuple(None if n is None else n - int(sum(pair)) for n, pair in zip(dy, value, strict=True))


@op(
    "MirrorPadGrad",
    inputs="input paddings",
    types="T Tpaddings",
    shape=_folded_shape,
    latex=r"\mathrm{fold}({input})",
    adjoints=[r"\mathrm{mirror}(\bar{z})", "0"],
    derivative=[SUMMED, "0"],
)
@in_chinese("MirrorPad 的梯度：镜像中的梯度加到原来的元素上。")
def mirror_pad_grad(input: Array, paddings: Array, mode: str = "REFLECT") -> Any:
    """The gradient of MirrorPad: what stands in the mirror is added to its original. Shapes: Pad undone."""
    lengths = [n - sum(pair) for n, pair in zip(input.shape, _pairs(paddings), strict=True)]
    numbers = np.arange(int(np.prod(lengths, dtype=np.int64))).reshape(lengths)
    total = np.zeros(numbers.size, dtype=input.dtype)
    np.add.at(total, mirror_pad.kernel(numbers, paddings, mode).reshape(-1), input.reshape(-1))
    return total.reshape(lengths)


@mirror_pad_grad.gradient
def mirror_pad_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    return [mirror_pad(dz, node.inputs[1], mode=node.attrs["mode"]), None]


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """`tf.pad`: zeros, another value, or the mirror image (modes CONSTANT, REFLECT, SYMMETRIC)."""
    kind = mode.upper()
    if kind in ("REFLECT", "SYMMETRIC"):
        return mirror_pad(tensor, paddings, mode=kind, name=name)
    if kind != "CONSTANT":
        raise ValueRefused(
            f"tf.pad has no mode {quoted(mode)}.",
            hint="The modes are CONSTANT, REFLECT and SYMMETRIC.",
            message_zh=f"tf.pad 没有 {quoted(mode)} 模式。",
            hint_zh="可用的模式有 CONSTANT、REFLECT 和 SYMMETRIC。",
        )
    if not isinstance(constant_values, Tensor) and constant_values == 0:
        return joining.pad(tensor, paddings, name=name)
    return pad_v2(tensor, paddings, constant_values, name=name)
