"""Rows dealt out into several tensors by number, and put together again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.arrays import gathering, reshaping
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import PLACED, TAKEN
from engine.ops.base.shapes import constant_value, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring, ranges, reducing


def _one_for_each_part(attributes: Mapping[str, Any]) -> list[str]:
    return ["T"] * int(attributes["num_partitions"])


def _dealt(data: Shape, partitions: Shape, *, num_partitions: int) -> list[Shape]:
    if data is None or partitions is None:
        return [None] * num_partitions
    if any(None not in pair and pair[0] != pair[1] for pair in zip(data, partitions, strict=False)):
        raise ShapeError(
            f"Each row of the data needs one number, but the shapes are {written(data)} "
            f"and {written(partitions)}.",
            message_zh=f"数据的每一行都需要一个编号，但形状是 {written(data)} 和 {written(partitions)}。",
        )
    return [(None, *data[len(partitions) :])] * num_partitions


@op(
    "DynamicPartition",
    inputs="data partitions",
    types="T int32",
    accepts="any",
    outputs=_one_for_each_part,
    shape=_dealt,
    latex=r"\{{data}_j : {partitions}_j = i\}",
    adjoints=[r"\bar{y}_i \text{ at the rows of part } i", "0"],
    derivative=[TAKEN, "0"],
)
@in_chinese("编号为 0 的行、编号为 1 的行，依此类推。")
def dynamic_partition_op(data: Array, partitions: Array, num_partitions: int = 1) -> Any:
    """The rows with number 0, those with number 1, … Shapes: data (*I, *S), partitions (*I) -> (n_i, *S)."""
    gathering.check_inside(partitions, num_partitions)
    return [data[partitions == part] for part in range(num_partitions)]


@dynamic_partition_op.gradient
def dynamic_partition_gradient(node: Node, *dys: Tensor) -> Sequence[Tensor | None]:
    """The places of all rows are dealt out as the rows were; there the gradients are put together."""
    data, partitions = node.inputs
    shape = measuring.shape_of(partitions)
    places = reshaping.reshape(ranges.range_of(0, reducing.reduce_prod(shape)), shape)
    parts = dynamic_partition(places, partitions, node.attrs["num_partitions"])
    rows = dynamic_stitch(parts, list(dys))
    return [reshaping.reshape(rows, measuring.shape_of(data)), None]


def dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: str | None = None
) -> list[Tensor]:
    """`tf.dynamic_partition`: one tensor for each number."""
    if num_partitions < 1:
        raise ValueRefused(
            f"Rows are dealt out into at least one part, not {num_partitions}.",
            message_zh=f"各行至少要分成一份，不能是 {num_partitions}。",
        )
    return list(dynamic_partition_op.node(data, partitions, num_partitions=num_partitions, name=name).outputs)


def _put_together(*shapes: Shape, inputs: Sequence[Tensor]) -> Shape:
    count = len(shapes) // 2
    indices, data = shapes[:count], shapes[count:]
    pairs = [(i, d) for i, d in zip(indices, data, strict=True) if i is not None and d is not None]
    rests = [d[len(i) :] for i, d in pairs]
    if any(rest != rests[0] for rest in rests if None not in (*rest, *rests[0])):
        raise ShapeError(
            f"The rows to be put together differ in shape: {', '.join(map(written, rests))}.",
            message_zh=f"要拼在一起的各行形状不同：{'、'.join(map(written, rests))}。",
        )
    places = [constant_value(tensor) for tensor in inputs[:count]]
    known = [int(place.max(initial=0)) for place in places if place is not None]
    return (max(known) + 1 if len(known) == count else None, *rests[0]) if rests else None


@op(
    "DynamicStitch",
    inputs="*indices *data",
    types="int32 T",
    accepts="any",
    shape=_put_together,
    latex=r"y_{{indices}_i} = {data}_i",
    adjoints=["0", r"\bar{y}_{indices_i}"],
    derivative=["0", PLACED],
)
@in_chinese("把各行放到各自的位置上；同一位置有多行时取最后一行。")
def dynamic_stitch(*given: Array) -> Any:
    """Rows at their places; of several for one place the last.

    Shapes: each indices (*I), its data (*I, *S) -> (n, *S).
    """
    indices, data = given[: len(given) // 2], given[len(given) // 2 :]
    count = max((int(places.max(initial=-1)) + 1 for places in indices), default=0)
    rest = data[0].shape[indices[0].ndim :]
    result = np.zeros((count, *rest), dtype=data[0].dtype)
    for places, rows in zip(indices, data, strict=True):
        result[places] = rows
    return result


@dynamic_stitch.gradient
def dynamic_stitch_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    indices = node.inputs[: len(node.inputs) // 2]
    return [*(None for _ in indices), *(gathering.gather(dy, places) for places in indices)]
