"""Eigenvalues of symmetric matrices, singular values, and what they give."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.functions.matrices import inverse, matmul
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import transpose, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers
from engine.ops.base.building import constant_node


@differentiable("LinalgEighBackward0", saves="eigenvalues eigenvectors", outputs="eigenvalues eigenvectors")
def _eigh(self: Any) -> Any:
    return ops.self_adjoint_eig.node(self).outputs


@_eigh.backward
def _eigh_backward(saved: Any, of_values: Any, of_vectors: Any) -> Any:
    values, vectors = saved.eigenvalues, saved.eigenvectors
    turned = transpose(vectors, -2, -1)
    size = values.shape[-1]
    gaps = (
        unsqueeze(values, -2) - unsqueeze(values, -1) + of_numbers(np.eye(size, dtype=values.dtype.held_as))
    )
    off = of_numbers((1 - np.eye(size)).astype(values.dtype.held_as))
    inner = matmul(turned, of_vectors) / gaps * off + OPERATORS["diag_embed"](of_values)
    return matmul(matmul(vectors, inner), turned)


@torch_function("linalg.eigh")
@takes_only(UPLO=("L",))
def eigh(A: Any, UPLO: Any = "L") -> Any:
    """The eigenvalues of a symmetric matrix in order, and its eigenvectors."""
    return named_result("linalg_eigh", *_eigh(A), fields=("eigenvalues", "eigenvectors"))


@torch_function("linalg.eigvalsh")
@takes_only(UPLO=("L",))
def eigvalsh(A: Any, UPLO: Any = "L") -> Any:
    """The eigenvalues of a symmetric matrix in order."""
    return _eigh(A)[0]


@differentiable("LinalgSvdBackward0", saves="U S Vh", outputs="U S Vh")
def _svd(self: Any) -> Any:
    values, left, right = ops.svd.node(self).outputs
    order = list(range(len(self.array.shape)))
    order[-1], order[-2] = order[-2], order[-1]
    return left, values, ops.transpose(right, order)


_svd.shown = ("S", "S_sym_argsize_minus_1", "U", "Vh", "full_matrices")


@_svd.backward
def _svd_backward(saved: Any, of_left: Any, of_values: Any, of_right: Any) -> Any:
    if np.any(of_left.array) or np.any(of_right.array):
        return _through_vectors(saved, of_left, of_values, of_right)
    return matmul(saved.U * unsqueeze(of_values, -2), saved.Vh)


def _skew(a: Any) -> Any:
    return a - transpose(a, -2, -1)


def _through_vectors(saved: Any, of_left: Any, of_values: Any, of_right: Any) -> Any:
    """The gradient through U and V, too. Source: Townsend (2016), Differentiating the SVD.

    Shapes: U (m, k), S (k,), Vh (k, n) -> (m, n).
    """
    u, s, vh = saved.U, saved.S, saved.Vh
    v, of_v = transpose(vh, -2, -1), transpose(of_right, -2, -1)
    m, k, n = u.shape[-2], s.shape[-1], v.shape[-2]
    square = s * s
    gaps = unsqueeze(square, -2) - unsqueeze(square, -1) + of_numbers(np.eye(k, dtype=s.dtype.held_as))
    from_u, from_v = matmul(transpose(u, -2, -1), of_left), matmul(vh, of_v)
    middle = _skew(from_u) / gaps * unsqueeze(s, -2) + unsqueeze(s, -1) * (_skew(from_v) / gaps)
    middle = middle + OPERATORS["diag_embed"](of_values)
    left = matmul(u, middle)
    if m > k:
        left = left + (of_left - matmul(u, from_u)) / unsqueeze(s, -2)
    found = matmul(left, vh)
    if n > k:
        rest = (of_v - matmul(v, from_v)) / unsqueeze(s, -2)
        found = found + matmul(u, transpose(rest, -2, -1))
    return found


@torch_function("linalg.svd")
def svd(A: Any, full_matrices: Any = True) -> Any:
    """A = U diag(S) Vh."""
    fields = ("U", "S", "Vh")
    if full_matrices and A.shape[-1] != A.shape[-2]:
        if A.requires_grad:
            raise not_here(
                "The gradient of linalg.svd of a matrix that is not square with full_matrices=True",
                "非方阵的 full_matrices=True 奇异值分解的梯度",
                "Write full_matrices=False.",
                "请写 full_matrices=False。",
            )
        parts = [np.ascontiguousarray(one) for one in np.linalg.svd(A.array, full_matrices=True)]
        return named_result("linalg_svd", *map(of_numbers, parts), fields=fields)
    return named_result("linalg_svd", *_svd(A), fields=fields)


@torch_function("svd", method=True)
@takes_only(compute_uv=(True,))
def old_svd(input: Any, some: Any = True, compute_uv: Any = True) -> Any:
    """A = U diag(S) Vᵀ, in the order of before `linalg.svd`."""
    u, s, vh = svd(input, not some)
    return named_result("svd", u, s, transpose(vh, -2, -1), fields=("U", "S", "V"))


@torch_function("linalg.svdvals")
def svdvals(A: Any) -> Any:
    """The singular values, the largest first."""
    return _svd(A)[1]


@torch_function("linalg.matrix_rank")
@takes_only(hermitian=(False,))
def matrix_rank(A: Any, *, tol: Any = None, hermitian: Any = False) -> Any:
    """How many rows are independent."""
    return of_numbers(np.asarray(np.linalg.matrix_rank(A.array, tol), dtype=np.int64))


@torch_function("linalg.pinv", "pinverse", method=True)
@takes_only(rcond=(None,))
def pinv(input: Any, rcond: Any = None) -> Any:
    """The inverse in the sense of least squares, of a matrix of full rank."""
    rows, columns = input.shape[-2:]
    turned = transpose(input, -2, -1)
    if rows >= columns:
        return matmul(inverse(matmul(turned, input)), turned)
    return matmul(turned, inverse(matmul(input, turned)))


@differentiable("LinalgQrBackward0", saves="Q R", outputs="Q R")
def _qr(self: Any, mode: Any = "reduced") -> Any:
    q, r = np.linalg.qr(self.array, "complete" if mode == "complete" else "reduced")
    return constant_node(q, "Q"), constant_node(r, "R")


_qr.shown = ("Q", "R", "mode")


@_qr.backward
def _qr_backward(saved: Any, of_q: Any, of_r: Any) -> Any:
    """(gQ + Q sym(triu(gR Rᵀ - Qᵀ gQ))) R⁻ᵀ, sym(X) = X + Xᵀ with half the diagonal."""
    q, r = saved.Q, saved.R
    if q.shape[-1] != r.shape[-1] or q.shape[-1] != r.shape[-2]:
        raise not_here(
            "The gradient of linalg.qr of a matrix with more columns than rows, or with mode='complete',",
            "列多于行，或 mode='complete' 时 linalg.qr 的梯度",
        )
    inner = OPERATORS["triu"](matmul(of_r, transpose(r, -2, -1)) - matmul(transpose(q, -2, -1), of_q))
    half = of_numbers((1 - np.eye(q.shape[-1]) / 2).astype(q.dtype.held_as))
    both = (inner + transpose(inner, -2, -1)) * half
    total = of_q + matmul(q, both)
    return transpose(OPERATORS["linalg.solve"](r, transpose(total, -2, -1)), -2, -1)


@torch_function("linalg.qr")
def qr(A: Any, mode: Any = "reduced") -> Any:
    """A = Q R, the columns of Q orthonormal, R an upper triangle."""
    q, r = _qr(A, mode)
    if mode == "r":
        q = of_numbers(np.zeros(0, A.array.dtype))
    return named_result("linalg_qr", q, r, fields=("Q", "R"))


@torch_function("qr", method=True)
def old_qr(input: Any, some: Any = True) -> Any:
    """`linalg.qr` under its name of before."""
    q, r = _qr(input, "reduced" if some else "complete")
    return named_result("qr", q, r, fields=("Q", "R"))
