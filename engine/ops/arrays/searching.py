"""Where values belong in rows that are in order."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.arrays import reshaping
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.tensors import Array, Shape, Tensor
from engine.ops.common import measuring

PLACES = ("its output are positions, which do not vary smoothly", "它的输出是位置，不连续变化")


def _per_value(sorted_inputs: Shape, values: Shape) -> Shape:
    return values


def _bound(name: str, side: Any, latex: str, what: str, what_zh: str) -> OpDef:
    def kernel(sorted_inputs: Array, values: Array, out_type: str = "int32") -> Any:
        rows = [np.searchsorted(row, one, side) for row, one in zip(sorted_inputs, values, strict=True)]
        return np.asarray(rows, dtype=out_type).reshape(values.shape)

    kernel.__doc__ = f"{what} Shapes: sorted_inputs (b, n), values (b, m) -> y (b, m)."
    return op(
        name,
        inputs="sorted_inputs values",
        outputs=("out_type",),
        shape=_per_value,
        effort=lambda made, arguments: 16 * made + int(np.size(arguments[0])),
        latex=latex,
        no_gradient=PLACES,
        accepts="numbers",
    )(in_chinese(what_zh)(kernel))


lower_bound = _bound(
    "LowerBound",
    "left",
    r"\#\{i : {sorted_inputs}_i < {values}\}",
    "How many elements of an ordered row are smaller than each value.",
    "有序的一行中，比每个值小的元素个数。",
)
upper_bound = _bound(
    "UpperBound",
    "right",
    r"\#\{i : {sorted_inputs}_i \le {values}\}",
    "How many elements of an ordered row are not larger than each value.",
    "有序的一行中，不大于每个值的元素个数。",
)


def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: str = "int32", name: str | None = None
) -> Tensor:
    """`tf.searchsorted`: the places at which values would stand in rows that are in order.

    Shapes: sorted_sequence (*B, n), values (*B, m) -> (*B, m).
    """
    length = measuring.shape_of(convert_to_tensor(sorted_sequence, name="Shape/Const"))[-1]
    count = measuring.shape_of(convert_to_tensor(values, name="Shape_1/Const"))[-1]
    rows = reshaping.reshape(sorted_sequence, [-1, length])
    wanted = reshaping.reshape(values, [-1, count])
    bound = lower_bound if side == "left" else upper_bound
    found = bound(rows, wanted, out_type=out_type, name=name)
    return reshaping.reshape(found, measuring.shape_of(convert_to_tensor(values, name="Shape_2/Const")))
