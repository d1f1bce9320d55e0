"""Elements in order along an axis: the k largest where k is all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused, quoted
from engine.ops.arrays import reshaping
from engine.ops.arrays.ranking import top_k
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import axis_within, constant_value
from engine.ops.base.tensors import Tensor
from engine.ops.common import measuring

DIRECTIONS = ("ASCENDING", "DESCENDING")
VALUES, PLACES = 0, 1  # how the k largest are given


def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """`tf.sort`: ascending is the descending order of the opposite numbers, made opposite again."""
    with name_scope(name, "sort"):
        values, place = _read(values, axis, direction)
        if direction == "DESCENDING":
            return _descending(values, place, VALUES)
        return -_descending(-values, place, VALUES)


def argsort(
    values: Any,
    axis: Any = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
    *,
    nan_first: bool = False,
) -> Tensor:
    """`tf.argsort`: where each element of the sorted row stood; of equal ones the first stands first.

    nan_first: whether nan stands before any number in descending order, instead of behind all.
    """
    with name_scope(name, "argsort"):
        values, place = _read(values, axis, direction)
        if direction == "DESCENDING":
            return _descending(values, place, PLACES, nan_first)
        return _descending(-values, place, PLACES)


def _read(values: Any, axis: Any, direction: Any) -> tuple[Tensor, int]:
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        raise ValueRefused(
            f"`direction` is one of {' and '.join(DIRECTIONS)}, not {quoted(direction)}.",
            message_zh=f"`direction` 只能是 {' 或 '.join(DIRECTIONS)}，不能是 {quoted(direction)}。",
            code="bad_value",
        )
    place = constant_value(convert_to_tensor(axis, name="axis"))
    values = convert_to_tensor(values, name="values")
    if place is None or place.ndim or values.shape is None:
        raise ShapeError(
            "Sorting needs one axis, and a number of axes, that are known before the graph runs.",
            message_zh="排序需要在运行图之前就知道一个轴以及轴的数量。",
        )
    axis_within(int(place), values.shape)
    return values, int(place)


def _descending(values: Tensor, axis: int, part: int, nan_first: bool = False) -> Tensor:
    """The rows along the axis, or their places; another axis than the last changes places with it."""
    length = measuring.shape_of(values)[axis]
    measuring.rank_of(values)  # TensorFlow leaves it in the graph
    rank = len(values.shape or ())
    if axis in (-1, rank - 1):
        found: Tensor = top_k(values, length, nan_first=nan_first)[part]
        return found
    order = np.arange(rank)
    order[[axis, -1]] = order[[-1, axis]]
    swap = convert_to_tensor(order, name="transposition")
    rows = reshaping.transpose(values, swap)
    return reshaping.transpose(top_k(rows, length, nan_first=nan_first)[part], swap)
