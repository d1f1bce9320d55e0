"""Triangles of matrices: cutting them out, solving with them, and Cholesky's factor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import whole_numbers
from engine.ops.base.tensors import Array, Node, Operators, Shape, Tensor
from engine.ops.common import measuring
from engine.ops.linear_algebra import diagonals
from engine.ops.linear_algebra.factorization import adjoint as transposed
from engine.ops.linear_algebra.factorization import cubed, solution_shape, solvable, square
from engine.ops.linear_algebra.products import matrix_product as matmul


def _first(input: Shape, *_: Shape) -> Shape:
    return input


@op(
    "MatrixBandPart",
    inputs="input num_lower num_upper",
    types="T Tindex Tindex",
    shape=_first,
    latex=r"\mathrm{band}({input})",
    adjoints=[r"\mathrm{band}(\bar{y})", "0", "0"],
    derivative=[(r"1 \text{ inside the band, else } 0", r"\text{带内为 } 1 \text{，其余为 } 0"), "0", "0"],
)
@in_chinese("只留下一条对角带的矩阵，其余是 0；-1 表示保留整个三角。")
def matrix_band_part_op(input: Array, num_lower: Array, num_upper: Array) -> Any:
    """A matrix with zeros outside of a band of diagonals; -1 keeps a whole triangle.

    Shapes: input (*B, m, n), num_lower () below and num_upper () above the diagonal -> y (*B, m, n).
    """
    rows, columns = np.indices(input.shape[-2:])
    kept = (int(num_lower) < 0) | (rows - columns <= int(num_lower))
    kept &= (int(num_upper) < 0) | (columns - rows <= int(num_upper))
    return np.where(kept, input, np.zeros((), input.dtype))


@matrix_band_part_op.gradient
def matrix_band_part_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    _, below, above = node.inputs
    return [matrix_band_part_op(dy, below, above), None, None]


def matrix_band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """`tf.matrix_band_part`; (-1, 0) is the lower triangle, (0, -1) the upper one."""
    below, above = (_count(number) for number in (num_lower, num_upper))
    return matrix_band_part_op(input, below, above, name=name)


def _count(number: Any) -> Any:
    return number if isinstance(number, Operators) else whole_numbers(number, "num_lower, num_upper")


def _triangle(matrix: Array, lower: bool) -> Array:
    return np.tril(matrix) if lower else np.triu(matrix)


@op(
    "MatrixTriangularSolve",
    inputs="matrix rhs",
    shape=solution_shape,
    effort=cubed,
    latex=r"{matrix}^{-1} {rhs}",
    adjoints=[r"-\bar{b}\, y^{\top} \text{ (its triangle)}", r"\bar{b} = A^{-\top} \bar{y}"],
    derivative=[r"v \mapsto -{matrix}^{-1} v\, {out}", r"v \mapsto {matrix}^{-1} v"],
    accepts="floats",
)
@in_chinese("方程组 matrix y = rhs 的解 y，只看矩阵的一个三角。")
def matrix_triangular_solve(matrix: Array, rhs: Array, lower: bool = True, adjoint: bool = False) -> Any:
    """The solution y of matrix y = rhs, looking at one triangle of the matrix only.

    Shapes: matrix (*B, n, n), rhs (*B, n, k) -> y (*B, n, k).
    """
    triangle = _triangle(matrix, lower)
    return solvable(np.linalg.solve, np.swapaxes(triangle, -1, -2) if adjoint else triangle, rhs)


@matrix_triangular_solve.gradient
def matrix_triangular_solve_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    matrix, _ = node.inputs
    y = node.outputs[0]
    flipped, lower = node.attrs["adjoint"], node.attrs["lower"]
    db = matrix_triangular_solve(matrix, dy, lower=lower, adjoint=not flipped)
    dm = -matmul(y, db, transpose_b=True) if flipped else -matmul(db, y, transpose_b=True)
    return [matrix_band_part(dm, -1, 0) if lower else matrix_band_part(dm, 0, -1), db]


def _factor(matrix: Array) -> Any:
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise ValueRefused(
            "Cholesky decomposition was not successful: the matrix is not positive definite.",
            hint="All of its eigenvalues must be positive; adding a small multiple of tf.eye(n) may help.",
            message_zh="Cholesky 分解失败：矩阵不是正定的。",
            hint_zh="矩阵的特征值必须全部为正；加上一个小倍数的 tf.eye(n) 可能有帮助。",
            code="not_positive_definite",
        ) from None


@op(
    "Cholesky",
    inputs="input",
    shape=square,
    effort=cubed,
    latex=r"\mathrm{chol}({input})",
    adjoints=[r"\tfrac12 L^{-\top} \Phi(L^{\top} \bar{L})\, L^{-1} + \text{its transpose}"],
    derivative=[r"v \mapsto {out}\, \Phi({out}^{-1} v\, {out}^{-\top})"],
    accepts="floats",
)
@in_chinese("对称正定矩阵 x 的下三角矩阵 L，满足 L L^T = x；只读 x 的下半部分。")
def cholesky(input: Array) -> Any:
    """The lower triangle L with L L^T = x, of a symmetric positive definite x; its lower half is read.

    Shapes: input (*B, n, n) -> y (*B, n, n).
    """
    return _factor(input)


@cholesky.gradient
def cholesky_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    """Source: Murray, Differentiation of the Cholesky decomposition, 2016."""
    factor = node.outputs[0]
    rows = measuring.shape_of(factor)[-1]
    batch = measuring.shape_of(factor)[:-2]
    inverse = matrix_triangular_solve(factor, diagonals.eye(rows, batch_shape=batch, dtype=factor.dtype))
    middle = matmul(factor, dy, transpose_a=True)
    middle = diagonals.matrix_set_diag(middle, 0.5 * diagonals.matrix_diag_part(middle))
    middle = matrix_band_part(middle, -1, 0)
    whole = matmul(matmul(inverse, middle, transpose_a=True), inverse)
    return [(whole + transposed(whole)) * 0.5]


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """`tf.cholesky_solve`: the solution y of (L L^T) y = rhs, L being a Cholesky factor."""
    with name_scope(name, "cholesky_solve"):
        chol = convert_to_tensor(chol, name="chol")
        half = matrix_triangular_solve(chol, rhs)
        return matrix_triangular_solve(chol, half, adjoint=True)
