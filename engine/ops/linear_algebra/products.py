"""Matrix products: of two matrices, of stacks of them, and of a matrix with a vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.arrays import reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import broadcast, is_static, merge, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring, plumbing
from engine.ops.elementwise import broadcasting


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


def product(a: Array, b: Array) -> Any:
    """a b; of single complex numbers in double, so that what cancels leaves 0. (*B, n, k), (*B, k, m)."""
    if a.dtype == np.complex64:
        return (a.astype(np.complex128) @ b.astype(np.complex128)).astype(np.complex64)
    return a @ b


@op(
    "MatMul",
    inputs="a b",
    shape=_product_shape,
    effort=lambda made, arguments, *, transpose_a: made * arguments[0].shape[0 if transpose_a else 1],
    latex=r"{a} {b}",
    adjoints=[r"\bar{c}\, b^{\top}", r"a^{\top} \bar{c}"],
    derivative=[
        r"\frac{\partial {out}_{ij}}{\partial {a}_{ik}} = {b}_{kj}",
        r"\frac{\partial {out}_{ij}}{\partial {b}_{kj}} = {a}_{ik}",
    ],
    form="bilinear",
    accepts="numbers",
    symbolic="kernel",
)
@in_chinese("矩阵乘积。")
def matmul_op(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """Matrix product. Shapes (before the flags): a (m, k), b (k, n) -> c (m, n)."""
    return product(a.T if transpose_a else a, b.T if transpose_b else b)


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


# -- stacks of matrices -----------------------------------------------------------------------------


def _batch_shape(x: Shape, y: Shape, *, adj_x: bool, adj_y: bool) -> Shape:
    if x is None or y is None:
        return None
    left, right = _transposed(x, adj_x), _transposed(y, adj_y)
    if None not in (left[-1], right[-2]) and left[-1] != right[-2]:
        raise ShapeError(
            f"Matrices {written(left[-2:])} and {written(right[-2:])} cannot be multiplied.",
            hint="The columns of the first must be as many as the rows of the second.",
            message_zh=f"矩阵 {written(left[-2:])} 与 {written(right[-2:])} 不能相乘。",
            hint_zh="第一个矩阵的列数必须等于第二个矩阵的行数。",
        )
    stack = broadcast(left[:-2], right[:-2])
    return None if stack is None else (*stack, left[-2], right[-1])


def _transposed(shape: tuple[int | None, ...], flag: bool) -> tuple[int | None, ...]:
    return (*shape[:-2], shape[-1], shape[-2]) if flag else shape


@op(
    "BatchMatMulV2",
    inputs="x y",
    shape=_batch_shape,
    effort=lambda made, arguments, *, adj_x: made * max(1, int(arguments[0].shape[-2 if adj_x else -1])),
    latex=r"{x}\, {y}",
    adjoints=[r"\bar{z}\, y^{\top}", r"x^{\top} \bar{z}"],
    derivative=[
        r"\frac{\partial {out}_{ij}}{\partial {x}_{ik}} = {y}_{kj}",
        r"\frac{\partial {out}_{ij}}{\partial {y}_{kj}} = {x}_{ik}",
    ],
    form="bilinear",
    accepts="numbers",
    symbolic="kernel",
)
@in_chinese("一叠矩阵的乘积，每个位置一个；叠的形状会广播。")
def batch_matmul(x: Array, y: Array, adj_x: bool = False, adj_y: bool = False) -> Any:
    """Matrix products, one for each place of a stack; stacks broadcast.

    Shapes (before the flags): x (*B, m, k), y (*B, k, n) -> z (*B, m, n).
    """
    left = np.swapaxes(x, -1, -2) if adj_x else x
    right = np.swapaxes(y, -1, -2) if adj_y else y
    return product(left, right)


@batch_matmul.gradient
def batch_matmul_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    dx, dy = _products(x, y, dz, node.attrs["adj_x"], node.attrs["adj_y"])
    if _stacks_match(x.shape, y.shape):
        return [dx, dy]
    sx, sy = measuring.shape_of(x), measuring.shape_of(y)
    rx, ry = plumbing.broadcast_gradient_args.node(sx[:-2], sy[:-2]).outputs
    return [broadcasting.sum_to(dx, rx, sx), broadcasting.sum_to(dy, ry, sy)]


def _stacks_match(x: Shape, y: Shape) -> bool:
    """Whether no stack is broadcast, known without running; a length of 1 leaves it open."""
    return x is not None and y is not None and is_static(x, y) and x[:-2] == y[:-2] and 1 not in x[:-2]


def _products(x: Tensor, y: Tensor, dz: Tensor, adj_x: bool, adj_y: bool) -> tuple[Tensor, Tensor]:
    if not adj_x and not adj_y:
        return matrix_product(dz, y, transpose_b=True), matrix_product(x, dz, transpose_a=True)
    if not adj_x:
        return matrix_product(dz, y), matrix_product(dz, x, transpose_a=True)
    if not adj_y:
        return matrix_product(y, dz, transpose_b=True), matrix_product(x, dz)
    both: dict[str, Any] = {"transpose_a": True, "transpose_b": True}
    return matrix_product(y, dz, **both), matrix_product(dz, x, **both)


def matrix_product(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None
) -> Tensor:
    """`tf.matmul`: a MatMul for two matrices, a BatchMatMulV2 for stacks of them.

    Shapes (before the flags): a (*B, n, k), b (*B, k, m) -> (*B, n, m).
    Raises: ShapeError where the inner lengths differ; DtypeError where the operands' types do.
    """
    if name is None and _are_matrices(a, b):
        if not (transpose_a or transpose_b):
            return matmul_op(a, b)
        return matmul_op(a, b, transpose_a=transpose_a, transpose_b=transpose_b)
    with name_scope(name, "MatMul") as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, dtype=a.dtype, name="b")
        if _may_be_stack(a) or _may_be_stack(b):
            return batch_matmul(a, b, adj_x=transpose_a, adj_y=transpose_b, name=scope)
        return matmul_op(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=scope)


def _are_matrices(a: Any, b: Any) -> bool:
    """Whether these are two tensors of one type with two axes, so that nothing is left to convert."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor) or a.dtype != b.dtype:
        return False
    return all(x.shape is not None and len(x.shape) == 2 for x in (a, b))


def _may_be_stack(x: Tensor) -> bool:
    return x.shape is None or len(x.shape) > 2


def matvec(a: Any, b: Any, transpose_a: bool = False, name: str | None = None) -> Tensor:
    """`tf.linalg.matvec`: a matrix times a vector."""
    with name_scope(name, "MatVec"):
        column = reshaping.expand_dims(b, -1)
        return reshaping.squeeze(matrix_product(a, column, transpose_a=transpose_a), -1)


def _vectors_in_space(a: Shape, b: Shape) -> Shape:
    shape = merge(a, b)
    if shape is not None and (not shape or shape[-1] not in (3, None)):
        raise ShapeError(
            f"Cross takes vectors of length 3 along the last axis, but got {written(a)} and {written(b)}.",
            hint="Only in three dimensions is one direction at right angles to two others.",
            message_zh=f"Cross 的最后一个轴长度必须为 3，但得到 {written(a)} 和 {written(b)}。",
            hint_zh="只有在三维空间中，才有唯一的方向同时垂直于另外两个方向。",
        )
    return shape


@op(
    "Cross",
    inputs="a b",
    shape=_vectors_in_space,
    latex=r"{a} \times {b}",
    adjoints=[r"b \times \bar{y}", r"\bar{y} \times a"],
    derivative=[r"v \mapsto v \times {b}", r"v \mapsto {a} \times v"],
    form="bilinear",
    accepts="numbers",
)
@in_chinese("与两个向量都垂直的向量，长度等于它们围成的平行四边形的面积。")
def cross(a: Array, b: Array) -> Any:
    """The vector at right angles to two others, as long as their parallelogram is large.

    Shapes: a, b (*S, 3) -> y (*S, 3).
    """
    return np.cross(a, b)


@cross.gradient
def cross_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    a, b = node.inputs
    return [cross(b, dy), cross(dy, a)]
