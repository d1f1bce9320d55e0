"""Rows taken together by number, the numbers in ascending order: sums, means, extremes of each group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.arrays import joining, reshaping
from engine.ops.arrays.gathering import gather
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.derivatives import AVERAGED, SUMMED, Words, extreme_of
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import casting, constants, measuring
from engine.ops.elementwise import comparison


def _grouped(data: Shape, segment_ids: Shape) -> Shape:
    return None if data is None else (None, *data[1:])


def _starts(data: Array, segment_ids: Array) -> Array:
    """Where each group begins. Raises: ValueRefused where the numbers fall, or are not one for each row."""
    if segment_ids.shape != data.shape[:1]:
        raise ValueRefused(
            f"The segment ids must be one for each row, but they are {segment_ids.tolist()}.",
            hint="Give as many numbers as the data have rows.",
            message_zh=f"每一行需要一个分段编号，但这里是 {segment_ids.tolist()}。",
            hint_zh="编号的个数应与数据的行数相同。",
            code="bad_value",
        )
    if segment_ids.size and (segment_ids[0] < 0 or (np.diff(segment_ids) < 0).any()):
        raise ValueRefused(
            f"The segment ids must not fall and must not be negative, but they are {segment_ids.tolist()}.",
            hint="Sort the rows by number first, or use tf.unsorted_segment_sum.",
            message_zh=f"分段编号不能下降，也不能为负，但这里是 {segment_ids.tolist()}。",
            hint_zh="请先按编号排序，或使用 tf.unsorted_segment_sum。",
            code="bad_value",
        )
    return np.flatnonzero(np.diff(segment_ids, prepend=-1))


def _segment_op(
    name: str, combine: Callable[..., Any], what: str, what_zh: str, latex: str, adjoint: str, slope: Words
) -> OpDef:
    def kernel(data: Array, segment_ids: Array) -> Any:
        starts = _starts(data, segment_ids)
        groups = int(segment_ids[-1]) + 1 if segment_ids.size else 0
        y = np.zeros((groups, *data.shape[1:]), data.dtype)
        y[segment_ids[starts]] = combine(data, starts)
        return y

    kernel.__doc__ = (
        f"{what} of each group of rows; rows of one group stand together, and a number without rows gives 0. "
        "Shapes: data (n, *S), segment_ids (n,) in ascending order -> y (groups, *S)."
    )
    return op(
        name,
        inputs="data segment_ids",
        types="T Tindices",
        shape=_grouped,
        latex=latex,
        adjoints=[adjoint, "0"],
        derivative=[slope, "0"],
        accepts="numbers",
    )(in_chinese(f"{what_zh}；同组的行相邻，没有行的编号得 0。")(kernel))


def _mean(data: Array, starts: Array) -> Any:
    counts = np.diff(np.append(starts, len(data)))
    return np.add.reduceat(data, starts) / counts.reshape(-1, *[1] * (data.ndim - 1))


segment_sum = _segment_op(
    "SegmentSum",
    np.add.reduceat,
    "The sum",
    "每组行之和",
    r"\sum_{{segment\_ids} = i} {data}",
    r"\bar{y}_{segment\_ids}",
    SUMMED,
)
segment_mean = _segment_op(
    "SegmentMean",
    _mean,
    "The mean",
    "每组行的平均值",
    r"\mathrm{mean}_{{segment\_ids} = i} {data}",
    r"\bar{y}_{segment\_ids} / n_{segment\_ids}",
    AVERAGED,
)
segment_max = _segment_op(
    "SegmentMax",
    np.maximum.reduceat,
    "The largest",
    "每组行中最大的元素",
    r"\max_{{segment\_ids} = i} {data}",
    r"\bar{y}_{segment\_ids} \text{ where largest}",
    extreme_of("{data}"),
)
segment_min = _segment_op(
    "SegmentMin",
    np.minimum.reduceat,
    "The smallest",
    "每组行中最小的元素",
    r"\min_{{segment\_ids} = i} {data}",
    r"\bar{y}_{segment\_ids} \text{ where smallest}",
    extreme_of("{data}"),
)


@segment_sum.gradient
def segment_sum_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [gather(dy, node.inputs[1]), None]


@segment_mean.gradient
def segment_mean_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """The gradient of each mean over the number of its rows."""
    data, ids = node.inputs
    rank = measuring.rank_of(data)
    lengths = [measuring.shape_of(ids), constants.fill(reshaping.expand_dims(rank - 1, 0), 1)]
    ones = constants.fill(joining.concat(lengths, 0), convert_to_tensor(1, dtype=dy.dtype))
    return [gather(dy / segment_sum(ones, ids), ids), None]


def _extreme_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """To the rows that are the extreme of their group, shared evenly where several tie."""
    data, ids = node.inputs
    zeros = constants.zeros_like(data)
    chosen = comparison.equal(data, gather(node.outputs[0], ids))
    count = segment_sum(casting.cast(chosen, dy.dtype), ids)
    return [comparison.select(chosen, gather(dy / count, ids), zeros), None]


segment_max.gradient(_extreme_gradient)
segment_min.gradient(_extreme_gradient)
