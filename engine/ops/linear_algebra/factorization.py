"""Inverses, determinants and linear systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.arrays import joining, reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring
from engine.ops.linear_algebra.products import matrix_product as matmul


def cubed(made: int, arguments: Sequence[Any]) -> int:
    """Elimination costs about n^3 for each n by n matrix, and n^2 for each right side."""
    return max(made, int(np.size(arguments[0]))) * int(arguments[0].shape[-1])


def square(x: Shape) -> Shape:
    """The shape itself. Raises: ShapeError where the last two lengths differ."""
    if x is not None and (len(x) < 2 or (None not in x[-2:] and x[-1] != x[-2])):
        raise ShapeError(
            f"A square matrix is needed, but this one has the shape {written(x)}.",
            message_zh=f"这里需要方阵，但得到的形状是 {written(x)}。",
        )
    return x


def _without_matrix(x: Shape) -> Shape:
    return None if x is None else (square(x) or ())[:-2]


def solvable(compute: Any, *arrays_: Array) -> Any:
    """What `compute` gives. Raises: ValueRefused where the matrix has no inverse."""
    try:
        return compute(*arrays_)
    except np.linalg.LinAlgError:
        raise ValueRefused(
            "The matrix has no inverse.",
            hint="Its rows depend on each other; its determinant is 0.",
            message_zh="该矩阵不可逆。",
            hint_zh="它的各行线性相关，行列式为 0。",
            code="singular_matrix",
        ) from None


@op(
    "MatrixInverse",
    inputs="input",
    shape=square,
    effort=cubed,
    latex=r"{input}^{-1}",
    adjoints=[r"-y^{\top} \bar{y}\, y^{\top}"],
    derivative=[r"v \mapsto -{out}\, v\, {out}"],
    accepts="floats",
    names={"tf": "linalg.inv", "numpy": "linalg.inv", "math": "inv"},
)
@in_chinese("逆矩阵；有 `adjoint` 时是转置的逆。")
def matrix_inverse(input: Array, adjoint: bool = False) -> Any:
    """The inverse matrix; with `adjoint` that of the transpose. Shapes: input (*B, n, n) -> y (*B, n, n)."""
    inverse = solvable(np.linalg.inv, input)
    return np.swapaxes(inverse, -1, -2) if adjoint else inverse


@matrix_inverse.gradient
def matrix_inverse_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    if node.attrs["adjoint"]:  # TensorFlow 1.15 forgets this case, and errs for what is not symmetric
        return [-matmul(y, matmul(dy, y, transpose_a=True))]
    return [-matmul(y, matmul(dy, y, transpose_b=True), transpose_a=True)]


@op(
    "MatrixDeterminant",
    inputs="input",
    shape=_without_matrix,
    effort=cubed,
    latex=r"\det {input}",
    adjoints=[r"\bar{y}\, y\, x^{-\top}"],
    derivative=[r"{out}\, {input}^{-\top}"],
    accepts="floats",
    names={"tf": "linalg.det", "numpy": "linalg.det", "math": "det"},
)
@in_chinese("行列式。它的梯度需要逆矩阵，所以在行列式为 0 处没有。")
def matrix_determinant(input: Array) -> Any:
    """The determinant. Shapes: input (*B, n, n) -> y (*B). Its gradient needs an inverse, so not at 0."""
    return np.linalg.det(input)


@matrix_determinant.gradient
def matrix_determinant_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    inverse = matrix_inverse(node.inputs[0], adjoint=True)
    return [_as_matrices(dy * y, y) * inverse]


def _as_matrices(scalars: Tensor, like: Tensor) -> Tensor:
    """One number per matrix, ready to be multiplied with it."""
    return reshaping.reshape(scalars, joining.concat([measuring.shape_of(like), [1, 1]], 0))


def _sign_and_log(x: Shape) -> list[Shape]:
    return [_without_matrix(x)] * 2


@op(
    "LogMatrixDeterminant",
    inputs="input",
    outputs=("T", "T"),
    shape=_sign_and_log,
    effort=cubed,
    latex=r"\ln |\det {input}|",
    adjoints=[r"\bar{y}\, x^{-\top}"],
    derivative=[r"{input}^{-\top}"],
    accepts="floats",
)
@in_chinese("行列式的符号，及其绝对值的对数。")
def slogdet(input: Array) -> Any:
    """Sign and logarithm of the determinant. Shapes: input (*B, n, n) -> sign (*B), log (*B)."""
    return list(np.linalg.slogdet(input))


@slogdet.gradient
def slogdet_gradient(node: Node, dsign: Tensor, dlog: Tensor) -> Sequence[Tensor]:
    inverse = matrix_inverse(node.inputs[0], adjoint=True)
    return [_as_matrices(dlog, node.outputs[1]) * inverse]


def solution_shape(matrix: Shape, rhs: Shape) -> Shape:
    """Shaped like the right-hand side. Raises: ShapeError where the two do not fit together."""
    square(matrix)
    if matrix is not None and rhs is not None and None not in (matrix[-1], rhs[-2]) and matrix[-1] != rhs[-2]:
        raise ShapeError(
            f"The matrix {written(matrix)} and the right-hand side {written(rhs)} do not fit together.",
            hint="The right-hand side needs as many rows as the matrix; write a vector as one column.",
            message_zh=f"矩阵 {written(matrix)} 与右端项 {written(rhs)} 不匹配。",
            hint_zh="右端项的行数必须与矩阵相同；向量请写成一列。",
        )
    return rhs


@op(
    "MatrixSolve",
    inputs="matrix rhs",
    shape=solution_shape,
    effort=cubed,
    latex=r"{matrix}^{-1} {rhs}",
    adjoints=[r"-\bar{b}\, y^{\top}", r"\bar{b} = A^{-\top} \bar{y}"],
    derivative=[r"v \mapsto -{matrix}^{-1} v\, {out}", r"v \mapsto {matrix}^{-1} v"],
    accepts="floats",
    names={"tf": "linalg.solve"},
)
@in_chinese("线性方程组 matrix y = rhs 的解 y。")
def matrix_solve(matrix: Array, rhs: Array, adjoint: bool = False) -> Any:
    """The solution y of matrix y = rhs. Shapes: matrix (*B, n, n), rhs (*B, n, k) -> y (*B, n, k)."""
    return solvable(np.linalg.solve, np.swapaxes(matrix, -1, -2) if adjoint else matrix, rhs)


@matrix_solve.gradient
def matrix_solve_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    matrix, _ = node.inputs
    y = node.outputs[0]
    transposed = node.attrs["adjoint"]
    db = matrix_solve(matrix, dy, adjoint=not transposed)
    dm = -matmul(y, db, transpose_b=True) if transposed else -matmul(db, y, transpose_b=True)
    return [dm, db]


def matrix_transpose(x: Any, name: str | None = None) -> Tensor:
    """`tf.matrix_transpose`: rows and columns swapped in each matrix of a stack."""
    with name_scope(name, "matrix_transpose"):
        x = convert_to_tensor(x)
        rank = len(x.shape or ())
        return reshaping.transpose(x, [*range(rank - 2), rank - 1, rank - 2])


def adjoint(x: Any, name: str | None = None) -> Tensor:
    """`tf.linalg.adjoint`: the transpose (all numbers here are real). Shapes: x (*B, n, m) -> (*B, m, n)."""
    with name_scope(name, "adjoint"):
        return matrix_transpose(convert_to_tensor(x, name="matrix"))
