"""Sums, differences and products: element by element, with broadcasting."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import broadcast, merge
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array, Node, Operators, Tensor
from engine.ops.base.texts import check_bytes, is_texts
from engine.ops.common import passing as control
from engine.ops.elementwise.broadcasting import broadcast_axes, equal_shapes, sum_to


def _sum_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    if equal_shapes(x, y, dz):
        return [dz, dz]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    return [sum_to(dz, rx, sx) if reduce_x else dz, sum_to(dz, ry, sy) if reduce_y else dz]


@op(
    "Add",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} + {y}",
    adjoints=[r"\bar{z}", r"\bar{z}"],
    derivative=["1", "1"],
    form="linear",
    accepts="numbers and texts",
    operator="+",
    analytic="kernel",
)
@in_chinese("两个张量之和，即 `tf.add` 所写的；文本则相连。")
def add(x: Array, y: Array) -> Any:
    """Sum of two tensors, as `tf.add` writes it; texts are joined. Shapes: x, y broadcast to z."""
    if is_texts(x):
        check_bytes(sum(len(a) + len(b) for a, b in np.broadcast(x, y)))
    return np.add(x, y)


add.gradient(_sum_gradient)


@op(
    "AddV2",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} + {y}",
    adjoints=[r"\bar{z}", r"\bar{z}"],
    derivative=["1", "1"],
    form="linear",
    accepts="numbers",
    operator="+",
    analytic="kernel",
)
@in_chinese("两个张量之和，即运算符 `+` 所写的。")
def add_v2(x: Array, y: Array) -> Any:
    """Sum of two tensors, as the operator `+` writes it. Shapes: x, y broadcast to z."""
    return np.add(x, y)


add_v2.gradient(_sum_gradient)


@op(
    "Sub",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} - {y}",
    adjoints=[r"\bar{z}", r"-\bar{z}"],
    derivative=["1", "-1"],
    form="linear",
    accepts="numbers",
    operator="-",
    analytic="kernel",
)
@in_chinese("两个张量之差。")
def sub(x: Array, y: Array) -> Any:
    """Difference of two tensors. Shapes: x, y broadcast to z."""
    return np.subtract(x, y)


@sub.gradient
def sub_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    if equal_shapes(x, y, dz):
        return [dz, -dz]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    dx = sum_to(dz, rx, sx) if reduce_x else dz
    return [dx, sum_to(-dz, ry, sy) if reduce_y else -dz]


@op(
    "Mul",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} \cdot {y}",
    adjoints=[r"\bar{z}\, y", r"\bar{z}\, x"],
    derivative=["{y}", "{x}"],
    partials=lambda x, y, z: [y, x],
    form="bilinear",
    accepts="numbers",
    operator="*",
    analytic="kernel",
)
@in_chinese("逐元素的乘积。")
def mul(x: Array, y: Array) -> Any:
    """Product, element by element. Shapes: x, y broadcast to z."""
    return np.multiply(x, y)


@mul.gradient
def mul_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    if equal_shapes(x, y, dz) and dz.dtype in ("float32", "int32"):
        return [mul(dz, y), mul(dz, x)]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    dx = sum_to(mul(dz, y), rx, sx) if reduce_x else mul(dz, y)
    return [dx, sum_to(mul(x, dz), ry, sy) if reduce_y else mul(x, dz)]


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """`tf.scalar_mul`: a number times a tensor, or times the rows of IndexedSlices."""
    if not isinstance(x, (Operators, IndexedSlices)):
        x = convert_to_tensor(x, name="x")
    factor = convert_to_tensor(scalar, dtype=x.dtype, name="scalar")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(mul(factor, x.values, name=name), x.indices, x.dense_shape)
    return mul(factor, x, name=name)


def _all_merge(*shapes: Any) -> Any:
    total = shapes[0]
    for shape in shapes[1:]:
        total = merge(total, shape)
    return total


@op(
    "AddN",
    inputs="*inputs",
    shape=_all_merge,
    latex=r"\sum_i {x}_i",
    adjoints=[r"\bar{z}"],
    derivative=["1"],
    form="linear",
    accepts="numbers",
    symbolic=lambda *terms: reduce(operator.add, terms),
    written="+",
)
@in_chinese("任意多个形状相同的张量之和；多次使用的张量的各个梯度由它汇总。")
def add_n_op(*inputs: Array) -> Any:
    """Sum of any number of tensors of one shape; it gathers the gradients of a tensor that is used often."""
    total = inputs[0]
    for term in inputs[1:]:
        total = np.add(total, term)
    return total


@add_n_op.gradient
def add_n_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return [dz] * len(node.inputs)


def add_n(inputs: Sequence[Any], name: str | None = None) -> Tensor:
    """`tf.add_n`: the sum of a list of tensors; a list of one is that tensor. Shapes: n times (*S) -> (*S).

    Raises: ValueRefused for an empty list.
    """
    tensors = [item if isinstance(item, IndexedSlices) else convert_to_tensor(item) for item in inputs]
    if not tensors:
        raise ValueRefused("The list of tensors to add is empty.", message_zh="要相加的张量列表是空的。")
    if len(tensors) > 1:
        return add_n_op(tensors, name=name)
    only = convert_to_tensor(tensors[0])
    return control.identity(only, name=name) if name else only
