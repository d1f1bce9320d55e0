"""Matrices taken apart: eigenvalues, singular values, an orthonormal matrix times a triangle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.arrays import joining
from engine.ops.arrays.reshaping import expand_dims
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import constants
from engine.ops.elementwise.powers import reciprocal
from engine.ops.elementwise.powers import square as squared
from engine.ops.linear_algebra import diagonals
from engine.ops.linear_algebra.factorization import adjoint, solvable, square
from engine.ops.linear_algebra.products import matrix_product as matmul
from engine.ops.linear_algebra.triangular import matrix_band_part, matrix_triangular_solve

SWEEPS = 10  # a matrix is gone through about so many times until its values stand still


def _effort(made: int, arguments: Sequence[Any]) -> int:
    return SWEEPS * int(np.size(arguments[0])) * max(arguments[0].shape[-2:], default=1)


def _sides(x: Shape) -> tuple[int | None, int | None]:
    """Rows and columns. Raises: ShapeError where there are none."""
    if x is not None and len(x) < 2:
        raise ShapeError(
            f"A matrix is needed, but this tensor has the shape {written(x)}.",
            message_zh=f"这里需要矩阵，但得到的形状是 {written(x)}。",
        )
    return (None, None) if x is None else (x[-2], x[-1])


def _apart(values: Tensor) -> Tensor:
    """1 / (v_j - v_i) off the diagonal, 0 on it."""
    slopes = reciprocal(expand_dims(values, -2) - expand_dims(values, -1))
    return diagonals.matrix_set_diag(slopes, constants.zeros_like(values))


# -- eigenvalues -----------------------------------------------------------------------------------


def _eigen_shapes(x: Shape, *, compute_v: bool) -> list[Shape]:
    whole = square(x)
    return [None if whole is None else whole[:-1], whole if compute_v else (0,)]


@op(
    "SelfAdjointEigV2",
    inputs="input",
    outputs=("T", "T"),
    shape=_eigen_shapes,
    effort=_effort,
    latex=r"{input} = V\, \mathrm{diag}(\lambda)\, V^{\top}",
    adjoints=[
        r"V (\mathrm{diag}(\bar{\lambda}) + F \circ V^{\top} \bar{V})\, V^{\top} \text{ (its triangle)}"
    ],
    derivative=[r"v \mapsto V^{\top} v\, V"],
    accepts="floats",
)
@in_chinese("对称矩阵的特征值（从小到大）和特征向量（每列一个）；只读矩阵的下半部分。")
def self_adjoint_eig(input: Array, compute_v: bool = True) -> Any:
    """Eigenvalues, in order, and eigenvectors, one in each column, of a symmetric matrix's lower half.

    Shapes: input (*B, n, n) -> values (*B, n), vectors (*B, n, n), or none without compute_v.
    """
    if compute_v:
        return list(solvable(np.linalg.eigh, input))
    return [solvable(np.linalg.eigvalsh, input), np.zeros(0, input.dtype)]


@self_adjoint_eig.gradient
def self_adjoint_eig_gradient(node: Node, dvalues: Tensor, dvectors: Tensor) -> Sequence[Tensor]:
    """Source: Giles, An extended collection of matrix derivative results, 2008, 3.1."""
    if node.attrs["compute_v"]:
        values, vectors = node.outputs
        turned = _apart(values) * matmul(vectors, dvectors, transpose_a=True)
        inner = diagonals.matrix_diag(dvalues) + turned
    else:
        vectors = self_adjoint_eig.node(node.inputs[0]).outputs[1]
        inner = diagonals.matrix_diag(dvalues)
    whole = matmul(vectors, matmul(inner, vectors, transpose_b=True))
    triangle = matrix_band_part(whole + adjoint(whole), -1, 0)
    return [diagonals.matrix_set_diag(triangle, 0.5 * diagonals.matrix_diag_part(triangle))]


# -- singular values -------------------------------------------------------------------------------


def _singular_shapes(x: Shape, *, compute_uv: bool, full_matrices: bool) -> list[Shape]:
    rows, columns = _sides(x)
    if x is None:
        return [None, None, None]
    few = None if rows is None or columns is None else min(rows, columns)
    front = x[:-2]
    u = (*front, rows, rows if full_matrices else few)
    v = (*front, columns, columns if full_matrices else few)
    return [(*front, few), u if compute_uv else (0,), v if compute_uv else (0,)]


@op(
    "Svd",
    inputs="input",
    outputs=("T", "T", "T"),
    shape=_singular_shapes,
    effort=_effort,
    latex=r"{input} = U\, \mathrm{diag}(s)\, V^{\top}",
    adjoints=[
        r"U (\mathrm{diag}(\bar{s}) + (F \circ U^{\top} \bar{U}) S + S (F \circ V^{\top} \bar{V})) V^{\top}"
    ],
    derivative=[r"v \mapsto U^{\top} v\, V"],
    accepts="floats",
)
@in_chinese("奇异值（从大到小）和两个正交矩阵：x = U diag(s) V^T。")
def svd(input: Array, compute_uv: bool = True, full_matrices: bool = False) -> Any:
    """Singular values, in falling order, and two orthonormal matrices: x = U diag(s) V^T.

    Shapes: input (*B, m, n) -> s (*B, k), U (*B, m, k), V (*B, n, k), k the smaller of m and n.
    """
    if not compute_uv:
        none = np.zeros(0, input.dtype)
        return [np.linalg.svd(input, compute_uv=False), none, none]
    u, s, vt = solvable(lambda x: np.linalg.svd(x, full_matrices=full_matrices), input)
    return [s, u, np.swapaxes(vt, -1, -2)]


@svd.gradient
def svd_gradient(node: Node, ds: Tensor, du: Tensor, dv: Tensor) -> Sequence[Tensor]:
    """Source: Giles, An extended collection of matrix derivative results, 2008, 3.2; terms for m != n."""
    x = node.inputs[0]
    if not node.attrs["compute_uv"]:
        _, u, v = svd.node(x).outputs
        return [matmul(u, matmul(diagonals.matrix_diag(ds), v, transpose_b=True))]
    rows, columns = _sides(x.shape)
    _check_sides(node, rows, columns)
    s, u, v = node.outputs
    if (rows or 0) > (columns or 0):
        return [adjoint(_wide_gradient(node, (s, v, u), (ds, dv, du), columns or 0, rows or 0))]
    return [_wide_gradient(node, (s, u, v), (ds, du, dv), rows or 0, columns or 0)]


def _check_sides(node: Node, rows: int | None, columns: int | None) -> None:
    """Raises: ShapeError where TensorFlow has no gradient either."""
    full = bool(node.attrs["full_matrices"])
    if rows is None or columns is None or (full and abs(rows - columns) > 1):
        raise ShapeError(
            "The gradient of svd needs known rows and columns, and without full_matrices where they differ.",
            message_zh="svd 的梯度需要已知的行数和列数；行列数不同时不能用 full_matrices。",
        )


def _wide_gradient(node: Node, apart: Any, bars: Any, rows: int, columns: int) -> Tensor:
    """Of a matrix with no more rows than columns."""
    s, u, v = apart
    ds, du, dv = bars
    s_matrix, slopes = diagonals.matrix_diag(s), _apart(squared(s))
    v1, dv1 = (v, dv) if v.shape[-1] == rows else (v[..., :, :rows], dv[..., :, :rows])
    by_u = slopes * matmul(u, du, transpose_a=True)
    by_v = slopes * matmul(v1, dv1, transpose_a=True)
    middle = diagonals.matrix_diag(ds) + matmul(by_u + adjoint(by_u), s_matrix)
    middle = middle + matmul(s_matrix, by_v + adjoint(by_v))
    dx = matmul(u, matmul(middle, v1, transpose_b=True))
    if rows == columns:
        return dx
    turned = adjoint(dv1)
    rest = turned - matmul(matmul(turned, v1), v1, transpose_b=True)
    if node.attrs["full_matrices"]:
        v2, dv2 = v[..., :, rows:columns], dv[..., :, rows:columns]
        rest = rest - matmul(matmul(v1, dv2, transpose_a=True), v2, transpose_b=True)
    return dx + matmul(matmul(u, diagonals.matrix_diag(reciprocal(s))), rest)


# -- an orthonormal matrix times a triangle --------------------------------------------------------


def _triangle_shapes(x: Shape, *, full_matrices: bool) -> list[Shape]:
    rows, columns = _sides(x)
    if x is None:
        return [None, None]
    few = None if rows is None or columns is None else min(rows, columns)
    inner = rows if full_matrices else few
    return [(*x[:-2], rows, inner), (*x[:-2], inner, columns)]


@op(
    "Qr",
    inputs="input",
    outputs=("T", "T"),
    shape=_triangle_shapes,
    effort=_effort,
    latex=r"{input} = Q R",
    adjoints=[
        r"Q (\bar{R} + \mathrm{tril}(M - M^{\top}) R^{-\top}) + (\bar{Q} - Q Q^{\top} \bar{Q}) R^{-\top}, "
        r"M = Q^{\top} \bar{Q} + R \bar{R}^{\top}"
    ],
    derivative=[r"v \mapsto Q^{\top} v"],
    accepts="floats",
)
@in_chinese("正交矩阵 Q 乘以上三角矩阵 R。")
def qr(input: Array, full_matrices: bool = False) -> Any:
    """An orthonormal matrix times an upper triangle.

    Shapes: input (*B, m, n) -> Q (*B, m, k), R (*B, k, n).
    """
    mode: Any = "complete" if full_matrices else "reduced"
    return list(np.linalg.qr(input, mode))


@qr.gradient
def qr_gradient(node: Node, dq: Tensor, dr: Tensor) -> Sequence[Tensor]:
    """Source: Walter, Lehmann & Lamour, Higher-order derivatives of the QR decomposition, 2012."""
    x = node.inputs[0]
    rows, columns = _sides(x.shape)
    q, r = node.outputs
    if rows is None or columns is None or (node.attrs["full_matrices"] and rows != columns):
        raise ShapeError(
            "The gradient of qr needs known rows and columns, and no full_matrices.",
            message_zh="qr 的梯度需要已知的行数和列数，且不能用 full_matrices。",
        )
    if rows >= columns:
        return [_deep_gradient(q, r, dq, dr)]
    rest, d_rest = x[..., :, rows:], dr[..., :, rows:]
    d_first = dq + matmul(rest, d_rest, transpose_b=True)
    first = _deep_gradient(q, r[..., :, :rows], d_first, dr[..., :, :rows])
    return [joining.concat([first, matmul(q, d_rest)], len(x.shape or ()) - 1)]


def _deep_gradient(q: Tensor, r: Tensor, dq: Tensor, dr: Tensor) -> Tensor:
    """Of a matrix with at least as many rows as columns."""
    by_q, by_r = matmul(q, dq, transpose_a=True), matmul(r, dr, transpose_b=True)
    below = matrix_band_part((by_q - adjoint(by_q)) + (by_r - adjoint(by_r)), -1, 0)
    along = matmul(q, dr + _over(below, r))
    return along + _over(dq - matmul(q, by_q), r)


def _over(x: Tensor, r: Tensor) -> Tensor:
    """x r^-T, by the triangle."""
    return adjoint(matrix_triangular_solve(r, adjoint(x), lower=False, adjoint=False))
