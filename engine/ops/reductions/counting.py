"""How often numbers occur, which ones are different, and which of them are not in another list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.arrays import gathering
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import constant_length, written
from engine.ops.base.tensors import Array, Shape, Tensor
from engine.ops.common import casting, measuring, plumbing, reducing
from engine.ops.elementwise import comparison, extremes

WHICH = ("which elements there are does not vary smoothly with x", "有哪些元素并不随 x 连续变化")


def _so_many(arr: Shape, size: Shape, weights: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    return (constant_length(inputs[1]),)


@op(
    "Bincount",
    inputs="arr size weights",
    types="int32 int32 T",
    shape=_so_many,
    latex=r"\#\{j : {arr}_j = i\}",
    no_gradient=("counts do not vary smoothly with what is counted", "个数不随被计数的元素连续变化"),
    ends_path=True,
    accepts="numbers",
)
@in_chinese("0、1、…… 各出现多少次；更大的数不计。")
def bincount_op(arr: Array, size: Array, weights: Array) -> Any:
    """How often each of 0, 1, … occurs; larger numbers are left out. Shapes: arr (*S) -> (size,)."""
    if arr.size and arr.min() < 0:
        raise ValueRefused(
            "bincount counts numbers from 0 on; there are negative ones.",
            message_zh="bincount 只统计不小于 0 的数，但这里有负数。",
        )
    count = int(size)
    return np.bincount(arr[arr < count], minlength=count).astype(weights.dtype)


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: str = "int32",
    name: str | None = None,
) -> Tensor:
    """`tf.math.bincount`: how often each number occurs, or the sums of the weights at each."""
    with name_scope(name, "bincount"):
        arr = convert_to_tensor(arr, dtype="int32", name="arr")
        is_any = comparison.greater(reducing.reduce_prod(measuring.shape_of(arr)), 0)
        size = casting.cast(is_any, "int32") * (reducing.reduce_max(arr) + 1)
        if minlength is not None:
            size = extremes.maximum(convert_to_tensor(minlength, dtype="int32", name="minlength"), size)
        if maxlength is not None:
            size = extremes.minimum(convert_to_tensor(maxlength, dtype="int32", name="maxlength"), size)
        if weights is not None:
            weights = convert_to_tensor(weights, name="weights")
            return gathering.unsorted_segment_sum(weights, arr, size)
        return bincount_op(arr, size, convert_to_tensor(np.zeros(0, dtype=dtype)))


def _one_row(x: Shape) -> int | None:
    """The length of a row. Raises: ShapeError for anything else."""
    if x is not None and len(x) != 1:
        raise ShapeError(
            f"This takes one row of elements, but the shape is {written(x)}.",
            hint="Make it one with tf.reshape(x, [-1]).",
            message_zh=f"这里需要一行元素，但形状是 {written(x)}。",
            hint_zh="请用 tf.reshape(x, [-1]) 变成一行。",
        )
    return None if x is None else x[0]


class Unique(NamedTuple):
    """What `tf.unique` returns."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """What `tf.unique_with_counts` returns."""

    y: Any
    idx: Any
    count: Any


class ListDiff(NamedTuple):
    """What `tf.setdiff1d` returns."""

    out: Any
    idx: Any


def _found_once(x: Array) -> tuple[Array, Array, Array]:
    """The different elements as they first occur, the number of each element's own, how often each occurs."""
    _, first, own, count = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    return x[np.sort(first)], np.argsort(order)[own.reshape(-1)], count[order]


@op(
    "Unique",
    inputs="x",
    accepts="any",
    outputs=("T", "out_idx"),
    shape=lambda x: [(None,), (_one_row(x),)],
    latex=r"\{{x}\}",
    no_gradient=WHICH,
)
@in_chinese("互不相同的元素，按首次出现的顺序排列，以及每个元素在其中的编号。")
def unique_op(x: Array, out_idx: str = "int32") -> Any:
    """The different elements in the order in which they first occur, and each element's number among them.

    Shapes: x (n,) -> y (how many), idx (n,) with x[i] = y[idx[i]].
    """
    y, idx, _ = _found_once(x)
    return [y, idx.astype(out_idx)]


@op(
    "UniqueWithCounts",
    inputs="x",
    accepts="any",
    outputs=("T", "out_idx", "out_idx"),
    shape=lambda x: [(None,), (_one_row(x),), (None,)],
    latex=r"\{{x}\}, \#{x}",
    no_gradient=WHICH,
)
@in_chinese("与 Unique 相同，另外给出每个元素出现的次数。")
def unique_with_counts_op(x: Array, out_idx: str = "int32") -> Any:
    """The same as Unique, and how often each occurs. Shapes: x (n,) -> y (k,), idx (n,), count (k,)."""
    y, idx, count = _found_once(x)
    return [y, idx.astype(out_idx), count.astype(out_idx)]


def unique(x: Any, out_idx: str = "int32", name: str | None = None) -> Unique:
    """`tf.unique`."""
    return Unique(*unique_op.node(x, out_idx=out_idx, name=name).outputs)


def unique_with_counts(x: Any, out_idx: str = "int32", name: str | None = None) -> UniqueWithCounts:
    """`tf.unique_with_counts`."""
    return UniqueWithCounts(*unique_with_counts_op.node(x, out_idx=out_idx, name=name).outputs)


def setdiff1d(x: Any, y: Any, index_dtype: str = "int32", name: str | None = None) -> ListDiff:
    """`tf.setdiff1d`."""
    return ListDiff(*plumbing.list_diff.node(x, y, out_idx=index_dtype, name=name).outputs)
