"""What is computed of matrices taken apart: the logarithm of a determinant, inverses, nearest solutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import real_number, written
from engine.ops.base.tensors import Tensor
from engine.ops.common import reducing
from engine.ops.elementwise import exponentials
from engine.ops.linear_algebra import diagonals, factorization, triangular
from engine.ops.linear_algebra.products import matrix_product as matmul


def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """`tf.linalg.logdet`: the logarithm of the determinant of a positive definite matrix, by its factor."""
    with name_scope(name, "logdet"):
        factor = triangular.cholesky(matrix)
        return 2.0 * reducing.reduce_sum(exponentials.log(diagonals.matrix_diag_part(factor)), [-1])


def lstsq(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: Any = True, name: str | None = None
) -> Tensor:
    """`tf.linalg.lstsq`: the x for which matrix x is nearest to rhs, by the normal equations.

    Shapes: matrix (*B, m, n), rhs (*B, m, k) -> (*B, n, k).
    """
    with name_scope(name, "matrix_solve_ls"):
        matrix, rhs = convert_to_tensor(matrix, name="matrix"), convert_to_tensor(rhs, name="rhs")
        rows, columns = _known_sides(matrix)
        if rows >= columns:
            factor = _gram_factor(matrix, l2_regularizer, first=True)
            return triangular.cholesky_solve(factor, matmul(matrix, rhs, transpose_a=True))
        factor = _gram_factor(matrix, l2_regularizer, first=False)
        return matmul(matrix, triangular.cholesky_solve(factor, rhs), transpose_a=True)


def _gram_factor(matrix: Tensor, l2_regularizer: Any, *, first: bool) -> Tensor:
    """Cholesky's factor of A^T A, or of A A^T, with the penalty on its diagonal."""
    gram = matmul(matrix, matrix, transpose_a=first, transpose_b=not first)
    penalty = real_number(l2_regularizer, "l2_regularizer")
    if penalty:
        rows = (gram.shape or (0,))[-1] or 0
        gram = gram + penalty * diagonals.eye(rows, dtype=gram.dtype)
    return triangular.cholesky(gram)


def _known_sides(matrix: Tensor) -> tuple[int, int]:
    """Rows and columns. Raises: ShapeError where they are not known."""
    shape = matrix.shape
    if shape is None or len(shape) < 2 or shape[-2] is None or shape[-1] is None:
        raise ShapeError(
            f"The rows and columns of the matrix must be known, but its shape is {written(shape)}.",
            message_zh=f"矩阵的行数和列数必须已知，但它的形状是 {written(shape)}。",
        )
    return shape[-2], shape[-1]


def matrix_exponential(matrix: Tensor, norm: float) -> Tensor:
    """The exponential of a matrix by a Padé approximant of order 13 of a power of two's part of it.

    norm: its largest column sum, which says into how many halves it is taken.
    Source: Higham, The scaling and squaring method for the matrix exponential revisited, 2005.
    """
    halvings = max(0, int(np.ceil(np.log2(norm / 5.371920351148152)))) if norm > 0 else 0
    a = matrix * (0.5**halvings)
    rows = (matrix.shape or (0,))[-1] or 0
    one = diagonals.eye(rows, dtype=matrix.dtype)
    b = [float(factor) for factor in PADE_13]
    a2 = matmul(a, a)
    a4 = matmul(a2, a2)
    a6 = matmul(a4, a2)
    high = matmul(a6, b[13] * a6 + b[11] * a4 + b[9] * a2)
    odd = matmul(a, high + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one)
    even = matmul(a6, b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one
    result = factorization.matrix_solve(even - odd, even + odd)
    for _ in range(halvings):
        result = matmul(result, result)
    return result


PADE_13 = (
    *(64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0),
    *(10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0),
    1.0,
)
