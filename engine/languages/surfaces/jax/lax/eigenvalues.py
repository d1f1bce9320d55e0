"""Eigenvalues of a square matrix that need not be symmetric: complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import not_implemented
from engine.languages.surfaces.jax.core.primitive import IN_COMPLEX
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.arithmetic import mul
from engine.languages.surfaces.jax.lax.basics import convert, reduce_sum, shape_of
from engine.languages.surfaces.jax.lax.matrices import identity_like, of_matrices, product, solve_p


def _whole(dtype: str) -> str:
    return "complex128" if dtype in ("float64", "complex128") else "complex64"


def _eig(a: Any, vectors: bool) -> list[Any]:
    if not np.isfinite(a).all():
        missing = np.full_like(a, np.nan, _whole(a.dtype.name))
        return [missing[..., 0], missing] if vectors else [missing[..., 0]]
    return list(np.linalg.eig(a)) if vectors else [np.linalg.eigvals(a)]


def _types(a: Aval, vectors: bool) -> list[Aval]:
    values = Aval(a.shape[:-1], _whole(a.dtype))
    return [values, Aval(a.shape, _whole(a.dtype))] if vectors else [values]


eig_p = of_matrices("eig", _eig, _types, several=True)
IN_COMPLEX["eig"] = None


def _tangent(primals: Any, tangents: Any, vectors: bool) -> tuple[Any, Any]:
    """dw = diag(V⁻¹ dA V): of the eigenvalues alone."""
    if vectors:
        said = (
            "The derivatives of non-symmetric eigenvectors are not implemented, only eigenvalues. See "
            "https://github.com/jax-ml/jax/issues/2748 for discussion."
        )
        raise not_implemented(said, "非对称矩阵的特征向量不能求导，只有特征值可以。")
    (values,) = eig_p(*primals, vectors=False)
    _, basis = eig_p(*primals, vectors=True)
    moved = convert(tangents[0], aval_of(basis).dtype)
    inner = solve_p(basis, product(moved, basis))
    ndim = len(shape_of(basis))
    return [values], [reduce_sum(mul(inner, identity_like(inner)), (ndim - 1,))]


eig_p.tangent = _tangent
