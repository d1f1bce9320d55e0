"""The largest elements of each row, and whether a given one is among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.errors import ShapeError
from engine.ops.arrays import gathering, joining, reshaping
from engine.ops.base.building import name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import TAKEN
from engine.ops.base.shapes import constant_value, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import casting, constants, measuring, ranges, reducing


def _first_k(input: Shape, k: Shape, *, inputs: Sequence[Tensor]) -> list[Shape]:
    count = constant_value(inputs[1])
    if input is None:
        return [None, None]
    if count is not None and input and input[-1] is not None and int(count) > input[-1]:
        raise ShapeError(
            f"There are no {int(count)} largest of {input[-1]} elements (shape {written(input)}).",
            message_zh=f"{input[-1]} 个元素中没有 {int(count)} 个最大的（形状 {written(input)}）。",
        )
    return [(*input[:-1], None if count is None else int(count))] * 2


@op(
    "TopKV2",
    inputs="input k",
    types="T int32",
    outputs=("T", "int32"),
    shape=_first_k,
    latex=r"\mathrm{top}_{{k}}\, {input}",
    adjoints=[r"\bar{y} \text{ at the places of the largest, else } 0", "0"],
    derivative=[TAKEN, "0"],
    accepts="numbers",
)
@in_chinese("每一行最大的 k 个元素和它们的位置；相等时取靠前的。")
def top_k_op(input: Array, k: Array, sorted: bool = True, nan_first: bool = False) -> Any:
    """The k largest of each row and their places; of equal ones the first.

    nan stands last, or with `nan_first` before any number.
    Shapes: input (*B, n), k () -> values (*B, k), indices (*B, k).
    """
    is_float = input.dtype.kind == "f"
    opposite = -input if is_float else ~input  # -1 - x, which every whole number has
    keys = (opposite, ~np.isnan(input)) if nan_first and is_float else (opposite,)
    places = np.lexsort(keys, axis=-1)[..., : int(k)]
    return [np.take_along_axis(input, places, axis=-1), places.astype(np.int32)]


@top_k_op.gradient
def top_k_gradient(node: Node, dy: Tensor, _: Any) -> Sequence[Tensor]:
    """Each gradient goes back to the place that its value came from, counted through all rows."""
    x, places = node.inputs[0], node.outputs[1]
    if places.shape is not None and places.shape[-1] == 0:  # nothing was taken
        return [constants.zeros_like(x), constants.zeros((), "int32")]
    shape, places_shape = measuring.shape_of(x), measuring.shape_of(places)
    rows = reshaping.reshape(places, joining.stack([-1, _last(places_shape)]))
    length = _last(shape)
    row_count = casting.cast(measuring.shape_of(rows)[0], "int64")
    starts = reshaping.expand_dims(ranges.range_of(0, row_count * length, length), -1)
    flat = reshaping.reshape(rows + casting.cast(starts, "int32"), [-1])
    columns, updates = reshaping.expand_dims(flat, -1), reshaping.reshape(dy, [-1])
    spread = gathering.scatter_nd(columns, updates, [reducing.reduce_prod(shape)])
    return [reshaping.reshape(spread, shape), constants.zeros((), "int32")]


def _last(shape: Tensor) -> Tensor:
    """The last of a shape's lengths, as the gradient counts with it."""
    wide = casting.cast(shape, "int64")
    return gathering.gather(wide, measuring.size_of(shape) - 1)


class TopKV2(NamedTuple):
    """What `tf.nn.top_k` returns, as tensors, and a session for it, as arrays."""

    values: Any
    indices: Any


def top_k(
    input: Any, k: Any = 1, sorted: bool = True, name: str | None = None, *, nan_first: bool = False
) -> TopKV2:
    """`tf.nn.top_k`: values and indices of the k largest of each row."""
    more = {"nan_first": True} if nan_first else {}
    return TopKV2(*top_k_op.node(input, k, sorted=bool(sorted), name=name, **more).outputs)


def _one_per_row(predictions: Shape, targets: Shape, k: Shape) -> Shape:
    fits = predictions is None or targets is None or (len(predictions), len(targets)) == (2, 1)
    if not fits or (predictions and targets and not _may_be_equal(predictions[0], targets[0])):
        raise ShapeError(
            f"There is one target for each row: predictions are {written(predictions)}, "
            f"targets {written(targets)}.",
            message_zh=f"每一行对应一个目标：predictions 是 {written(predictions)}，"
            f"targets 是 {written(targets)}。",
        )
    return targets


def _may_be_equal(rows: int | None, targets: int | None) -> bool:
    return None in (rows, targets) or rows == targets


@op(
    "InTopKV2",
    inputs="predictions targets k",
    types="float32 T T",
    outputs=("bool",),
    shape=_one_per_row,
    latex=r"{targets} \in \mathrm{top}_{{k}}\, {predictions}",
    no_gradient=(
        "whether a class is among the largest does not vary smoothly",
        "某一类是否在最大的几类之中，并不连续变化",
    ),
)
@in_chinese("该类别是否在这一行最大的 k 个之中；与最后一个相等的也算。")
def in_top_k_op(predictions: Array, targets: Array, k: Array) -> Any:
    """Whether the class is among the k largest of its row; those equal to the last one count.

    Shapes: predictions (n, classes), targets (n,), k () -> (n,).
    """
    own = predictions[np.arange(len(targets)), targets]
    return (predictions > own[:, None]).sum(axis=1) < int(k)


def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """`tf.nn.in_top_k`."""
    with name_scope(name, "in_top_k"):
        return in_top_k_op(predictions, targets, k, name="InTopKV2")
