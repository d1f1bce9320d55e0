"""Tensors filled by a rule: one-hot rows, evenly spaced numbers, values broadcast to a shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, ShapeError, ValueRefused
from engine.ops.arrays import reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import COPIED
from engine.ops.base.shapes import constant_length, constant_shape, whole_numbers, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring, plumbing, reducing


def _hot_shape(indices: Shape, *_: Shape, inputs: Sequence[Tensor], axis: int) -> Shape:
    if indices is None:
        return None
    place = len(indices) if axis == -1 else axis
    return (*indices[:place], constant_length(inputs[1]), *indices[place:])


@op(
    "OneHot",
    inputs="indices depth on_value off_value",
    types="TI int32 T T",
    accepts="any",
    shape=_hot_shape,
    latex=r"[{indices} = i]",
    no_gradient=("it turns integers into rows of two fixed values", "它把整数变成由两个固定值组成的行"),
    ends_path=True,
)
@in_chinese("每个编号一行：该位置上是 on_value，其余是 off_value。")
def one_hot_op(indices: Array, depth: Array, on_value: Array, off_value: Array, axis: int = -1) -> Any:
    """A row per index, on_value at that place, off_value elsewhere. Shapes: indices (*I) -> (*I, depth)."""
    if depth < 0:
        raise ValueRefused(
            f"`depth` counts classes, so it is not negative, but here it is {int(depth)}.",
            message_zh=f"`depth` 是类别数，不能是负数，但这里是 {int(depth)}。",
        )
    hot = indices[..., None] == np.arange(int(depth))
    return np.moveaxis(np.where(hot, on_value, off_value), -1, axis)


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.one_hot`: ones and zeros unless other values are given."""
    with name_scope(name, "one_hot") as scope:
        kinds = [_kind(value) for value in (on_value, off_value) if value is not None]
        kind = dtype or (kinds[0] if kinds else "float32")
        if any(each != kind for each in kinds):
            raise DtypeError(
                f"The values are {' and '.join(dict.fromkeys(kinds))}, but the result is to be {kind}.",
                message_zh=f"给出的值是 {'、'.join(dict.fromkeys(kinds))}，而结果应为 {kind}。",
            )
        on = convert_to_tensor(1, dtype=kind, name="on_value") if on_value is None else on_value
        off = convert_to_tensor(0, dtype=kind, name="off_value") if off_value is None else off_value
        if not isinstance(indices, Tensor):
            indices = whole_numbers(indices, "indices")
        return one_hot_op(indices, depth, on, off, axis=-1 if axis is None else axis, name=scope)


def _kind(value: Any) -> str:
    """The type of a value, known of the tensor it becomes: a plain one leaves a constant behind."""
    return convert_to_tensor(value).dtype


def _evenly(start: Shape, stop: Shape, num: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    for end in (start, stop):
        if end not in (None, ()):
            raise ShapeError(
                f"Evenly spaced numbers lie between two numbers, but one end has the shape {written(end)}.",
                message_zh=f"等间距的数位于两个数之间，但有一端的形状是 {written(end)}。",
            )
    return (constant_length(inputs[2]),)


@op(
    "LinSpace",
    inputs="start stop num",
    types="T T Tidx",
    shape=_evenly,
    latex=r"\mathrm{linspace}({start}, {stop}, {num})",
    no_gradient=("TensorFlow treats evenly spaced numbers as constants", "TensorFlow 把等间距的数当作常量"),
    ends_path=True,
    accepts="floats",
)
@in_chinese("从 start 到 stop 的 `num` 个等间距的数，包括两端。")
def linspace_op(start: Array, stop: Array, num: Array) -> Any:
    """`num` numbers from start to stop, both included, evenly spaced. Shapes: three times () -> y (num,)."""
    return np.linspace(start.item(), stop.item(), int(num)).astype(start.dtype)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None) -> Tensor:
    """`tf.linspace`."""
    with name_scope(name, "LinSpace") as scope:
        return linspace_op(start, stop, num, name=scope)


def _broadcast_shape(x: Shape, shape: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[1])


@op(
    "BroadcastTo",
    inputs="input shape",
    types="T Tidx",
    accepts="any",
    shape=_broadcast_shape,
    latex=r"\mathrm{broadcast}({input})",
    adjoints=[r"\textstyle\sum_{\mathrm{copies}} \bar{y}", "0"],
    derivative=[COPIED, "0"],
    form="linear",
    symbolic="kernel",
    call="numbers",
    names={"tf": "broadcast_to", "numpy": "broadcast_to"},
)
@in_chinese("沿长度为 1 的轴扩展成某个形状。")
def broadcast_to_op(input: Array, shape: Array) -> Any:
    """Broadcast to a shape along axes of length 1. Shapes: input (*S), shape (r,) -> y of that shape."""
    return np.broadcast_to(input, tuple(int(n) for n in shape)).copy()


@broadcast_to_op.gradient
def broadcast_to_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    x, shape = node.inputs
    own = measuring.shape_of(x)
    _, axes = plumbing.broadcast_gradient_args.node(shape, own).outputs
    return [reshaping.reshape(reducing.reduce_sum(dy, axes, keepdims=True), own), None]


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """`tf.broadcast_to`: repeated along axes of length 1 and new first axes. Shapes: input (*S) -> shape."""
    with name_scope(name, "BroadcastTo") as scope:
        return broadcast_to_op(input, shape, name=scope)
