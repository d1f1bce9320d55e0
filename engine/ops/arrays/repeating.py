"""Rows repeated so many times each, and the masks that count lengths."""

from __future__ import annotations

from typing import Any

from engine.errors import DtypeError, ShapeError
from engine.ops.arrays import filling, gathering, joining, reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import axis_within, whole_number
from engine.ops.base.tensors import FLOATS, Tensor
from engine.ops.common import casting, measuring, ranges, reducing
from engine.ops.elementwise import comparison, extremes


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: str = "bool", name: str | None = None) -> Tensor:
    """`tf.sequence_mask`: for each length, so many True and then False, up to the longest or `maxlen`.

    Shapes: lengths (*S) -> (*S, maxlen).
    """
    with name_scope(name, "SequenceMask"):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            longest = reducing.reduce_max(lengths)
            maxlen = extremes.maximum(convert_to_tensor(0, dtype=longest.dtype), longest)
        else:
            maxlen = convert_to_tensor(maxlen)
        zero, one = (convert_to_tensor(number, dtype=maxlen.dtype) for number in (0, 1))
        row = ranges.range_op(zero, maxlen, one)
        column = casting.cast_op(reshaping.expand_dims(lengths, -1), DstT=maxlen.dtype)
        mask = comparison.less(row, column)
        return mask if dtype == "bool" else casting.cast(mask, dtype)


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """`tf.repeat`: each element so many times, or each slice along an axis.

    Shapes: input (…, n, …), repeats () or (n,) -> (…, sum of the repeats, …); without an axis one row.
    """
    if axis is None:
        input, axis = reshaping.reshape(input, [-1]), 0
    with name_scope(name, "Repeat"):
        data = convert_to_tensor(input, name="data")
        counts = _counts(convert_to_tensor(repeats, name="repeats"))
        if data.shape is None or counts.shape is None:
            raise ShapeError(
                "tf.repeat needs tensors whose number of axes is known.",
                message_zh="tf.repeat 需要轴数已知的张量。",
            )
        place = axis_within(whole_number(axis, "axis"), data.shape)
        if counts.shape == ():
            return _equally(data, counts, place)
        if counts.shape[0] not in (None, 1, data.shape[place]) and data.shape[place] is not None:
            raise ShapeError(
                f"{counts.shape[0]} repeats do not fit {data.shape[place]} elements.",
                message_zh=f"{counts.shape[0]} 个重复次数与 {data.shape[place]} 个元素不匹配。",
            )
        return _each(data, counts, place)


def _counts(repeats: Tensor) -> Tensor:
    if repeats.dtype in FLOATS or repeats.dtype == "bool":
        raise DtypeError(
            f"`repeats` counts in whole numbers, not in {repeats.dtype}.",
            message_zh=f"`repeats` 用整数计数，不能是 {repeats.dtype}。",
        )
    return casting.cast_op(repeats, DstT="int64" if repeats.dtype == "int64" else "int32")


def _equally(data: Tensor, count: Tensor, axis: int) -> Tensor:
    lengths = measuring.shape_of(data)
    copies = _copied(data, count, axis)
    return reshaping.reshape(copies, joining.concat([lengths[:axis], [-1], lengths[axis + 1 :]], 0))


def _each(data: Tensor, counts: Tensor, axis: int) -> Tensor:
    """Everything as often as the largest count says, and then a mask that keeps what was asked for."""
    lengths = measuring.shape_of(data)
    if len(counts.shape or ()) != axis + 1:
        own = measuring.shape_of(counts)
        outer = lengths[: (axis + 1) - measuring.rank_of(counts)]
        counts = filling.broadcast_to(counts, joining.concat([outer, own], 0))
    most = extremes.maximum(0, reducing.reduce_max(counts))
    mask = sequence_mask(counts, most)
    kept = gathering.boolean_mask(_copied(data, most, axis), mask)
    if axis == 0:
        return kept
    return reshaping.reshape(kept, joining.concat([lengths[:axis], [-1], lengths[axis + 1 :]], 0))


def _copied(data: Tensor, count: Tensor, axis: int) -> Tensor:
    """Copies side by side along a new axis after this one."""
    wide = reshaping.expand_dims(data, axis + 1)
    multiples: list[Any] = [1] * len(wide.shape or ())
    multiples[axis + 1] = count
    return joining.tile(wide, multiples)
