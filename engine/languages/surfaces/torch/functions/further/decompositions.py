"""Eigenvalues of symmetric matrices, singular values, and what they give."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.further.triangles import adjoint
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import transpose, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import COMPLEX


@differentiable("LinalgEighBackward0", saves="eigenvalues eigenvectors", outputs="eigenvalues eigenvectors")
def _eigh(self: Any, half: str) -> Any:
    if half == "U":
        order = list(range(len(self.array.shape)))
        self = ops.transpose(self, [*order[:-2], order[-1], order[-2]])
        self = ops.conj(self) if self.dtype in COMPLEX else self
    values, vectors = ops.self_adjoint_eig.node(self).outputs
    return ops.real(values) if self.dtype in COMPLEX else values, vectors


@_eigh.backward
def _eigh_backward(saved: Any, of_values: Any, of_vectors: Any) -> Any:
    values, vectors = saved.eigenvalues, saved.eigenvectors
    turned = adjoint(vectors)
    size = values.shape[-1]
    gaps = (
        unsqueeze(values, -2) - unsqueeze(values, -1) + of_numbers(np.eye(size, dtype=values.dtype.held_as))
    )
    off = of_numbers((1 - np.eye(size)).astype(values.dtype.held_as))
    inner = matmul(turned, of_vectors) / gaps * off + OPERATORS["diag_embed"](of_values)
    found = matmul(matmul(vectors, inner), turned)
    return (found + adjoint(found)) / 2


_eigh.is_analytic = False


@torch_function("linalg.eigh")
def eigh(A: Any, UPLO: Any = "L", *, out: Any = None) -> Any:
    """The eigenvalues of a symmetric matrix in order, and its eigenvectors. UPLO: the half that counts."""
    return named_result("linalg_eigh", *_eigh(A, _half(UPLO)), fields=("eigenvalues", "eigenvectors"))


@torch_function("linalg.eigvalsh")
def eigvalsh(A: Any, UPLO: Any = "L", *, out: Any = None) -> Any:
    """The eigenvalues of a symmetric matrix in order."""
    return _eigh(A, _half(UPLO))[0]


def _half(uplo: Any) -> str:
    """Raises: RuntimeError's message of PyTorch."""
    half = str(uplo).upper()
    if half not in ("L", "U"):
        raise torch_error(
            f"Expected UPLO argument to be 'L' or 'U', but got {uplo}", "UPLO 只能是 'L' 或 'U'。"
        )
    return half


@differentiable("LinalgSvdBackward0", saves="U S Vh whole", outputs="U S Vh")
def _svd(self: Any, whole: bool = False) -> Any:
    values, left, right = ops.svd.node(self, full_matrices=whole).outputs
    order = list(range(len(self.array.shape)))
    order[-1], order[-2] = order[-2], order[-1]
    return left, values, ops.transpose(right, order)


_svd.shown = ("S", "S_sym_argsize_minus_1", "U", "Vh", "full_matrices")


@_svd.backward
def _svd_backward(saved: Any, of_left: Any, of_values: Any, of_right: Any) -> Any:
    if np.any(of_left.array) or np.any(of_right.array):
        if saved.whole:
            raise not_here(
                "The gradient of U or Vh of linalg.svd with full_matrices=True of a matrix not square",
                "非方阵的 full_matrices=True 奇异值分解中 U 或 Vh 的梯度",
                "Write full_matrices=False.",
                "请写 full_matrices=False。",
            )
        return _through_vectors(saved, of_left, of_values, of_right)
    count = of_values.shape[-1]
    left, right = OPERATORS["narrow"](saved.U, -1, 0, count), OPERATORS["narrow"](saved.Vh, -2, 0, count)
    return matmul(left * unsqueeze(of_values, -2), right)


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


def _check_finite(a: Any) -> None:
    """Raises: LinAlgError's message of PyTorch."""
    if not np.isfinite(a.array).all():
        raise torch_error(
            "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite "
            "values.",
            "矩阵含有 nan 或 inf，奇异值分解无法收敛。",
            kind="_LinAlgError",
        )


@torch_function("linalg.svd")
def svd(A: Any, full_matrices: Any = True) -> Any:
    """A = U diag(S) Vh."""
    fields = ("U", "S", "Vh")
    _check_finite(A)
    whole = bool(full_matrices) and A.shape[-1] != A.shape[-2]
    return named_result("linalg_svd", *_svd(A, whole), fields=fields)


@torch_function("svd", method=True)
def old_svd(input: Any, some: Any = True, compute_uv: Any = True) -> Any:
    """A = U diag(S) Vᵀ, in the order of before `linalg.svd`; zeros for U and V without `compute_uv`."""
    u, s, vh = svd(input, not some)
    if not compute_uv:
        m, n = input.shape[-2:]
        zeros = [of_numbers(np.zeros((*input.shape[:-2], k, k), input.array.dtype)) for k in (m, n)]
        return named_result("svd", zeros[0], s, zeros[1], fields=("U", "S", "V"))
    return named_result("svd", u, s, transpose(vh, -2, -1), fields=("U", "S", "V"))


@torch_function("linalg.svdvals")
def svdvals(A: Any) -> Any:
    """The singular values, the largest first."""
    _check_finite(A)
    return _svd(A)[1]


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
