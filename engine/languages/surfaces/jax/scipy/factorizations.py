"""`jax.scipy.linalg`: triangles with exchanged rows (LU), roots and polar parts of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import not_implemented, value_error
from engine.languages.surfaces.jax.core.primitive import IN_COMPLEX
from engine.languages.surfaces.jax.core.tangents import is_zero
from engine.languages.surfaces.jax.core.values import Constant, aval_of, zero_tangent
from engine.languages.surfaces.jax.lax.arithmetic import add, mul
from engine.languages.surfaces.jax.lax.basics import broadcast, shape_of
from engine.languages.surfaces.jax.lax.matrices import of_matrices, product, solve_p, swapped_axes
from engine.languages.surfaces.jax.numpy import factors, linalg
from engine.languages.surfaces.jax.numpy.multiplying import matmul
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only


def _eliminate(a: Any) -> tuple[Any, Any, Any]:
    """Gauss with the largest pivot. Returns: both triangles in one, the exchanges, the permutation."""
    work = a.copy()
    rows, columns = work.shape
    pivots, order = np.zeros(min(rows, columns), "int32"), np.arange(rows, dtype="int32")
    for k in range(min(rows, columns)):
        pivot = k + int(np.argmax(np.abs(work[k:, k])))
        pivots[k] = pivot
        work[[k, pivot]], order[[k, pivot]] = work[[pivot, k]], order[[pivot, k]]
        if work[k, k] != 0:
            work[k + 1 :, k] /= work[k, k]
            work[k + 1 :, k + 1 :] -= np.outer(work[k + 1 :, k], work[k, k + 1 :])
    return work, pivots, order


def _lu(a: Any) -> list[Any]:
    batch = a.shape[:-2]
    found = [_eliminate(one) for one in a.reshape(-1, *a.shape[-2:])]
    return [np.stack(part).reshape(*batch, *part[0].shape) for part in zip(*found, strict=True)]


def _lu_types(a: Aval) -> list[Aval]:
    *batch, m, n = a.shape
    return [Aval(a.shape, a.dtype), Aval((*batch, min(m, n)), "int32"), Aval((*batch, m), "int32")]


lu_p = of_matrices("lu", _lu, _lu_types, several=True)


def _triangle(a: Any, lower: bool, k: int) -> Any:
    n = shape_of(a)[-1]
    mask = (np.tril if lower else np.triu)(np.ones((n, n)), k).astype(aval_of(a).dtype)
    return mul(a, broadcast(Constant(mask), shape_of(a)[:-2]))


def _lu_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    """dL = L · low(L⁻¹ P dA U⁻¹), dU = up(L⁻¹ P dA U⁻¹) · U."""
    both, pivots, order = lu_p(*primals)
    shape = shape_of(both)
    if shape[-1] != shape[-2]:
        raise not_implemented(
            "The derivative of lu of a matrix that is not square is not supported.",
            "不支持非方阵 lu 的导数。",
        )
    if is_zero(tangents[0]):
        return [both, pivots, order], [zero_tangent(one) for one in (both, pivots, order)]
    unit = broadcast(Constant(np.eye(shape[-1], dtype=aval_of(both).dtype)), shape[:-2])
    low, high = add(_triangle(both, True, -1), unit), _triangle(both, False, 0)
    moved = JNP["take_along_axis"](tangents[0], JNP["expand_dims"](order, -1), axis=-2)
    inner = solve_p(low, moved)
    inner = swapped_axes(solve_p(swapped_axes(high), swapped_axes(inner)))
    d_low, d_high = product(low, _triangle(inner, True, -1)), product(_triangle(inner, False, 0), high)
    return [both, pivots, order], [add(d_low, d_high), zero_tangent(pivots), zero_tangent(order)]


lu_p.tangent = _lu_tangent


def lu_factor(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> tuple[Any, Any]:
    """Both triangles in one matrix, and with which row each row was exchanged."""
    (x,) = promote("lu_factor", a, inexact=True)
    found, pivots, _ = lu_p(x)
    return found, pivots


def lu_solve(
    lu_and_piv: Any, b: Any, trans: Any = 0, overwrite_b: Any = False, check_finite: Any = True
) -> Any:
    """The solution of a x = b; trans 1: of the transpose of a."""
    both, pivots = lu_and_piv
    n = shape_of(both)[-1]
    order = JNP["arange"](n)
    for k in range(n):
        first, second, places = order[k], order[pivots[k]], JNP["arange"](n)
        order = JNP["where"](JNP["equal"](places, pivots[k]), first, order)
        order = JNP["where"](JNP["equal"](places, k), second, order)
    solve = factors.solve_triangular
    if not trans:
        inner = solve(both, JNP["take"](b, order, 0), lower=True, unit_diagonal=True)
        return solve(both, inner)
    inner = solve(both, b, trans=1)
    return JNP["take"](solve(both, inner, trans=1, lower=True, unit_diagonal=True), JNP["argsort"](order), 0)


@takes_only(p_indices=(False,))
def lu(
    a: Any, permute_l: Any = False, overwrite_a: Any = False, check_finite: Any = True, p_indices: Any = False
) -> Any:
    """P, L and U with a = P L U; P L and U with permute_l."""
    (x,) = promote("lu", a, inexact=True)
    both, _, order = lu_p(x)
    m, n = shape_of(x)[-2:]
    k, dtype = min(m, n), aval_of(x).dtype
    p = JNP["astype"](JNP["equal"](JNP["arange"](m)[:, None], order[..., None, :]), dtype)
    low = JNP["tril"](both, -1)[..., :k] + JNP["eye"](m, k, dtype=dtype)
    high = JNP["triu"](both)[..., :k, :]
    return (matmul(p, low), high) if permute_l else (p, low, high)


def _root(a: Any) -> Any:
    values, vectors = np.linalg.eig(a.astype("complex128"))
    found = (vectors * np.sqrt(values)) @ np.linalg.inv(vectors)
    return found.astype("complex128" if a.dtype == np.float64 else "complex64")


def _root_type(a: Aval) -> Aval:
    return Aval(a.shape, "complex128" if a.dtype in ("float64", "complex128") else "complex64")


sqrtm_p = of_matrices("sqrtm", _root, _root_type)
IN_COMPLEX["sqrtm"] = None


@takes_only(blocksize=(1,))
def sqrtm(A: Any, blocksize: Any = 1) -> Any:  # JAX's name
    """The matrix whose square it is, of complex numbers. Shapes: (n, n) -> (n, n)."""
    return sqrtm_p(linalg.square_matrix("sqrtm", A))


@takes_only(method=("qdwh", "svd"), eps=(None,), max_iterations=(None,))
def polar(
    a: Any, side: Any = "right", *, method: Any = "qdwh", eps: Any = None, max_iterations: Any = None
) -> tuple[Any, Any]:
    """An orthogonal matrix times a symmetric one, or the other way round with side="left"."""
    if side not in ("right", "left"):
        raise value_error("side must be 'right' or 'left'", "side 必须是 'right' 或 'left'。")
    (x,) = promote("polar", a, inexact=True)
    u, s, vt = linalg.FUNCTIONS["svd"](x, full_matrices=False)
    turn = matmul(u, vt)
    if side == "right":
        return turn, matmul(JNP["transpose"](vt) * s, vt)
    return turn, matmul(u * s, JNP["transpose"](u))


@takes_only(method=("schur", "eigen"), tol=(1e-8,))
def solve_sylvester(A: Any, B: Any, C: Any, *, method: Any = "schur", tol: Any = 1e-8) -> Any:  # JAX's names
    """X of A X + X B = C, by one system of all its elements. Shapes: (m, m), (n, n), (m, n) -> (m, n)."""
    a, b, c = promote("solve_sylvester", A, B, C, inexact=True)
    m, n = shape_of(c)
    one = JNP["kron"](a, JNP["eye"](n, dtype=aval_of(a).dtype))
    other = JNP["kron"](JNP["eye"](m, dtype=aval_of(b).dtype), JNP["transpose"](b))
    return JNP["reshape"](linalg.FUNCTIONS["solve"](one + other, JNP["ravel"](c)), (m, n))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "lu": lu,
    "lu_factor": lu_factor,
    "lu_solve": lu_solve,
    "sqrtm": sqrtm,
    "polar": polar,
    "solve_sylvester": solve_sylvester,
}
