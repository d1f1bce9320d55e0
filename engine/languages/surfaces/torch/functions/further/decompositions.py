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


@differentiable("LinalgEighBackward0", saves="eigenvalues eigenvectors", outputs="eigenvalues eigenvectors")
def _eigh(self: Any) -> Any:
    return ops.self_adjoint_eig.node(self).outputs


@_eigh.backward
def _eigh_backward(saved: Any, of_values: Any, of_vectors: Any) -> Any:
    values, vectors = saved.eigenvalues, saved.eigenvectors
    turned = transpose(vectors, -2, -1)
    size = values.shape[-1]
    gaps = unsqueeze(values, -2) - unsqueeze(values, -1) + of_numbers(np.eye(size, dtype=values.dtype.name))
    off = of_numbers((1 - np.eye(size)).astype(values.dtype.name))
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
        raise not_here(
            "The gradient of singular vectors",
            "奇异向量的梯度",
            "Differentiate the singular values alone.",
            "请只对奇异值求导。",
        )
    return matmul(saved.U * unsqueeze(of_values, -2), saved.Vh)


@torch_function("linalg.svd")
def svd(A: Any, full_matrices: Any = True) -> Any:
    """A = U diag(S) Vh."""
    if full_matrices and A.shape[-1] != A.shape[-2]:
        raise not_here(
            "linalg.svd of a matrix that is not square with full_matrices=True",
            "非方阵的 full_matrices=True 奇异值分解",
            "Write full_matrices=False.",
            "请写 full_matrices=False。",
        )
    return named_result("linalg_svd", *_svd(A), fields=("U", "S", "Vh"))


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


@differentiable("LinalgSlogdetBackward0", saves="self", outputs="(sign) logabsdet")
def _slogdet(self: Any) -> Any:
    return ops.slogdet.node(self).outputs


_slogdet.shown = ("A", "LU", "pivots", "sign")


@_slogdet.backward
def _slogdet_backward(saved: Any, _: Any, grad: Any) -> Any:
    turned = transpose(inverse(saved.self), -2, -1)
    return turned * unsqueeze(unsqueeze(grad, -1), -1)


@torch_function("linalg.slogdet", "slogdet", method=True)
def slogdet(input: Any) -> Any:
    """The sign of the determinant, and the logarithm of its size."""
    return named_result("linalg_slogdet", *_slogdet(input), fields=("sign", "logabsdet"))


@torch_function("linalg.qr", "qr")
def qr(A: Any, mode: Any = "reduced") -> Any:
    """A = Q R; without a gradient."""
    if A.requires_grad:
        raise not_here("The gradient of linalg.qr", " linalg.qr 的梯度")
    q, r = np.linalg.qr(A.array, "complete" if mode == "complete" else "reduced")
    return named_result("linalg_qr", of_numbers(q), of_numbers(r), fields=("Q", "R"))
