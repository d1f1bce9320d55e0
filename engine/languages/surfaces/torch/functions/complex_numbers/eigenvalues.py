"""Eigenvalues of square matrices that need not be symmetric: complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.further.triangles import adjoint
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.matrices.inverses import check_square
from engine.languages.surfaces.torch.functions.operands import as_floats
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import to, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, note_complex, of_numbers
from engine.ops.linear_algebra.eigenvalues import eig as eig_op


@differentiable("LinalgEigBackward0", saves="eigenvalues eigenvectors", outputs="eigenvalues eigenvectors")
def _eig(self: Any) -> Any:
    return eig_op.node(self).outputs


@_eig.backward
def _eig_backward(saved: Any, of_values: Any, of_vectors: Any) -> Any:
    """V⁻ᴴ (diag(gL) + (Vᴴ gV - Vᴴ V Re diag(Vᴴ gV)) / E) Vᴴ, E_ij = conj(λ_j - λ_i).

    Source: Boeddeker et al. (2017), On the computation of complex-valued gradients.
    """
    values, vectors = saved.eigenvalues, saved.eigenvectors
    turned = adjoint(vectors)
    inner = OPERATORS["diag_embed"](of_values)
    if np.any(of_vectors.array):
        inner = inner + _between(values, vectors, matmul(turned, of_vectors))
    return OPERATORS["linalg.solve"](turned, matmul(inner, turned))


_eig.is_analytic = False


def _between(values: Any, vectors: Any, given: Any) -> Any:
    """What comes back from the eigenvectors. Raises: RuntimeError's message of PyTorch where their free
    factor counts."""
    diagonal = OPERATORS["diagonal"](given, 0, -2, -1)
    if not np.allclose(diagonal.array.imag, 0, atol=1e-2, rtol=1e-2):
        raise torch_error(
            "linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by "
            "e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined.",
            "特征向量只确定到一个因子 e^{i phi}，而损失依赖于这个因子，因此没有意义。",
        )
    size = values.shape[-1]
    eye = of_numbers(np.eye(size, dtype=values.dtype.name))
    lengths = to(OPERATORS["real"](diagonal), values.dtype)
    apart = OPERATORS["conj"](unsqueeze(values, -2) - unsqueeze(values, -1)) + eye
    whole = given - matmul(adjoint(vectors), vectors * unsqueeze(lengths, -2))
    off = of_numbers(1 - np.eye(size, dtype=values.dtype.name))
    return whole / apart * off


@torch_function("linalg.eig")
def eig(A: Any, *, out: Any = None) -> Any:
    """The eigenvalues of a square matrix, and its eigenvectors, one in each column, of length 1."""
    check_square(A, "linalg.eig")
    note_complex(True)
    return named_result("linalg_eig", *_eig(as_floats(A)), fields=("eigenvalues", "eigenvectors"))


@torch_function("linalg.eigvals")
def eigvals(A: Any, *, out: Any = None) -> Any:
    """The eigenvalues of a square matrix."""
    return eig(A)[0]
