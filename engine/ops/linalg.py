"""Linear algebra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.building import convert_to_tensor, name_scope
from engine.ops.definition import op
from engine.ops.shapes import written
from engine.ops.tensors import Array, Node, Shape, Tensor


def _product_shape(a: Shape, b: Shape, *, transpose_a: bool, transpose_b: bool) -> Shape:
    if (a is not None and len(a) != 2) or (b is not None and len(b) != 2):
        raise _no_product(a, b)
    rows, inner_a = (None, None) if a is None else a[::-1] if transpose_a else a
    inner_b, columns = (None, None) if b is None else b[::-1] if transpose_b else b
    if None not in (inner_a, inner_b) and inner_a != inner_b:
        raise _no_product(a, b)
    return (rows, columns)


def _no_product(a: Shape, b: Shape) -> ShapeError:
    return ShapeError(
        f"MatMul multiplies (m, k) by (k, n), but got {written(a)} by {written(b)}.",
        hint="The columns of the first must be as many as the rows of the second.",
        message_zh=f"MatMul 用 (m, k) 乘 (k, n)，但得到 {written(a)} 乘 {written(b)}。",
        hint_zh="第一个矩阵的列数必须等于第二个矩阵的行数。",
    )


@op(
    "MatMul",
    inputs="a b",
    shape=_product_shape,
    effort=lambda made, arguments: made * int(np.size(arguments[0]) // max(1, arguments[0].shape[0])),
    latex=r"{a} {b}",
    adjoints=[r"\bar{c}\, b^{\top}", r"a^{\top} \bar{c}"],
)
def matmul_op(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """Matrix product. Shapes (before the flags): a (m, k), b (k, n) -> c (m, n)."""
    return (a.T if transpose_a else a) @ (b.T if transpose_b else b)


@matmul_op.gradient
def matmul_gradient(node: Node, dc: Tensor) -> Sequence[Tensor]:
    a, b = node.inputs
    flags = node.attrs["transpose_a"], node.attrs["transpose_b"]
    if flags == (False, False):
        return [matmul_op(dc, b, transpose_b=True), matmul_op(a, dc, transpose_a=True)]
    if flags == (False, True):
        return [matmul_op(dc, b), matmul_op(dc, a, transpose_a=True)]
    if flags == (True, False):
        return [matmul_op(b, dc, transpose_b=True), matmul_op(a, dc)]
    both: dict[str, Any] = {"transpose_a": True, "transpose_b": True}
    return [matmul_op(b, dc, **both), matmul_op(dc, a, **both)]


def matrix_product(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None
) -> Tensor:
    """`tf.matmul`."""
    with name_scope(name, "MatMul") as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, dtype=a.dtype, name="b")
        return matmul_op(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=scope)
