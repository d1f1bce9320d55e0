"""What follows from a tensor's shape: its lengths, how many elements and how many axes it has."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.building import constant_node, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import element_count, is_static, scalar
from engine.ops.base.tensors import Array, Shape, Tensor

DISCRETE = (
    "its output is an integer count, which does not vary smoothly with x",
    "它的输出是整数个数，不随 x 连续变化",
)


def _rank_long(x: Shape) -> Shape:
    return (None,) if x is None else (len(x),)


@op(
    "Shape",
    inputs="x",
    accepts="any",
    outputs=("out_type",),
    shape=_rank_long,
    latex=r"\mathrm{shape}\, {x}",
    no_gradient=DISCRETE,
    ends_path=True,
    names={"tf": "shape"},
    of_shapes=True,
)
@in_chinese("x 每个轴的长度。")
def shape_op(x: Array, out_type: str = "int32") -> Any:
    """The lengths of x, one per axis. Shapes: x (*S) -> y (rank of x,)."""
    return np.asarray(x.shape, dtype=out_type)


@op(
    "Size",
    inputs="x",
    accepts="any",
    outputs=("out_type",),
    shape=scalar,
    latex=r"\#{x}",
    no_gradient=DISCRETE,
    ends_path=True,
    names={"tf": "size"},
    of_shapes=True,
)
@in_chinese("x 有多少个元素。")
def size_op(x: Array, out_type: str = "int32") -> Any:
    """How many elements x has. Shapes: x (*S) -> y ()."""
    return np.asarray(x.size, dtype=out_type)


@op(
    "Rank",
    inputs="x",
    accepts="any",
    outputs=("int32",),
    shape=scalar,
    latex=r"\mathrm{rank}\, {x}",
    no_gradient=DISCRETE,
    ends_path=True,
    names={"tf": "rank"},
    of_shapes=True,
)
@in_chinese("x 有多少个轴。")
def rank_op(x: Array) -> Any:
    """How many axes x has. Shapes: x (*S) -> y ()."""
    return np.asarray(x.ndim, dtype=np.int32)


def shape_of(x: Any, name: str | None = None, out_type: str = "int32") -> Tensor:
    """`tf.shape`: a constant where the shape is known, else a Shape node. Shapes: x (*S) -> (rank of x,)."""
    with name_scope(name, "Shape") as scope:
        x = convert_to_tensor(x)
        if is_static(x.shape):
            return constant_node(np.asarray(x.shape, dtype=out_type), scope)
        return shape_op(x, out_type=out_type, name=scope)


def size_of(x: Any, name: str | None = None, out_type: str = "int32") -> Tensor:
    """`tf.size`: a constant where the shape is known, else a Size node. Shapes: x (*S) -> ()."""
    with name_scope(name, "Size") as scope:
        x = convert_to_tensor(x)
        if is_static(x.shape):
            return constant_node(np.asarray(element_count(x.shape), dtype=out_type), scope)
        return size_op(x, out_type=out_type, name=scope)


def rank_of(x: Any, name: str | None = None) -> Tensor:
    """`tf.rank`: a constant where the rank is known, else a Rank node. Shapes: x (*S) -> ()."""
    with name_scope(name, "Rank") as scope:
        x = convert_to_tensor(x)
        if x.shape is not None:
            return constant_node(np.asarray(len(x.shape), dtype=np.int32), scope)
        return rank_op(x, name=scope)
