"""Primitives of square matrices: solving, factors, eigenvalues, singular values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.surfaces.jax.core.avals import Aval, is_complex
from engine.languages.surfaces.jax.core.batching import at_axis_0
from engine.languages.surfaces.jax.core.errors import not_implemented
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import is_zero
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Constant, Zero, aval_of, zero_tangent
from engine.languages.surfaces.jax.lax.arithmetic import add, div, mul, neg, sub
from engine.languages.surfaces.jax.lax.basics import (
    broadcast,
    expand_dims,
    full_like,
    like,
    reduce_sum,
    shape_of,
)
from engine.languages.surfaces.jax.lax.products import dot_general
from engine.languages.surfaces.jax.lax.shapes import transpose


def product(a: Any, b: Any) -> Any:
    """The matrix product, for each matrix of a batch."""
    count = len(shape_of(a)) - 2
    batch = tuple(range(count))
    return dot_general(a, b, (((count + 1,), (count,)), (batch, batch)), None, aval_of(a).dtype)


def swapped_axes(a: Any) -> Any:
    """The last two axes exchanged."""
    ndim = len(shape_of(a))
    return transpose(a, (*range(ndim - 2), ndim - 1, ndim - 2))


def _cubic(avals: Any, types: Any, parameters: Any) -> int:
    return int(avals[0].size * max(avals[0].shape[-1], 1))


def _batch(primitive: Primitive, size: int, values: Any, axes: Any, **parameters: Any) -> tuple[Any, Any]:
    moved = [at_axis_0(x, axis, size) for x, axis in zip(values, axes, strict=True)]
    outs = primitive(*moved, **parameters)
    return outs, [0] * len(outs) if primitive.several else 0


def no_half(name: str) -> ProgramError:
    """LAPACK, which JAX uses too, has no half precision."""
    return ProgramError(
        f"Unsupported dtype float16: {name} needs float32 or float64.",
        message_zh=f"{name} 不支持 float16，需要 float32 或 float64。",
        hint="Convert the matrix first: x.astype(jnp.float32).",
        hint_zh="请先转换类型：x.astype(jnp.float32)。",
        code="type_mismatch",
        kind="NotImplementedError",
    )


def of_matrices(
    name: str, compute: Callable[..., Any], types: Callable[..., Any], several: bool = False
) -> Primitive:
    """A primitive of matrices, which costs their rows cubed."""
    primitive = Primitive(name, several=several)

    def computed(*arrays: Any, **parameters: Any) -> Any:
        half = next((array for array in arrays if array.dtype == np.float16), None)
        if half is not None:
            raise no_half(name)
        return compute(*arrays, **parameters)

    primitive.compute, primitive.types, primitive.work = computed, types, _cubic
    primitive.batch = partial(_batch, primitive)
    return primitive


# -- solving -----------------------------------------------------------------------------------------


def _wide(a: Any) -> Any:
    return a.astype("complex128" if a.dtype.kind == "c" else "float64")


def _solve(a: Any, b: Any) -> Any:
    try:
        return np.linalg.solve(_wide(a), _wide(b)).astype(a.dtype)
    except np.linalg.LinAlgError:
        return np.full(b.shape, np.nan, a.dtype)


solve_p = of_matrices("solve", _solve, lambda a, b: b.strong())


def _solve_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    (a, b), (da, db) = primals, tangents
    x = solve_p(a, b)
    if is_zero(da) and is_zero(db):
        return x, zero_tangent(x)
    if is_zero(da):
        return x, solve_p(a, db)
    moved = neg(product(da, x))
    return x, solve_p(a, moved if is_zero(db) else add(db, moved))


def _solve_transpose(ct: Any, a: Any, b: Any) -> list[Any]:
    if is_zero(ct):
        return [None, Zero(b.aval)]
    return [None, solve_p(swapped_axes(a), ct) if is_undefined(b) else None]


solve_p.tangent, solve_p.transpose = _solve_tangent, _solve_transpose


def identity_like(a: Any) -> Any:
    """The unit matrix for each of a batch."""
    shape = shape_of(a)
    unit = Constant(np.eye(shape[-1], dtype=aval_of(a).dtype))
    return broadcast(unit, shape[:-2])


# -- determinants ------------------------------------------------------------------------------------


def _log_determinant(a: Any) -> list[Any]:
    sign, size = np.linalg.slogdet(a.astype("float64"))
    return [np.asarray(sign, a.dtype), np.asarray(size, a.dtype)]


def _no_axes(a: Aval) -> Aval:
    return Aval(a.shape[:-2], a.dtype)


slogdet_p = of_matrices("slogdet", _log_determinant, lambda a: [_no_axes(a), _no_axes(a)], several=True)
det_p = of_matrices("det", lambda a: np.linalg.det(_wide(a)).astype(a.dtype), _no_axes)


def trace_of(a: Any) -> Any:
    """The sum of the diagonal, for each matrix of a batch."""
    ndim = len(shape_of(a))
    return reduce_sum(mul(a, identity_like(a)), (ndim - 2, ndim - 1))


def _slogdet_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    sign, size = slogdet_p(*primals)
    return [sign, size], [zero_tangent(sign), trace_of(solve_p(primals[0], tangents[0]))]


def _det_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    out = det_p(*primals)
    return out, mul(out, trace_of(solve_p(primals[0], tangents[0])))


slogdet_p.tangent, det_p.tangent = _slogdet_tangent, _det_tangent

# -- cholesky ----------------------------------------------------------------------------------------


def _cholesky(a: Any) -> Any:
    try:
        return np.linalg.cholesky(a.astype("float64")).astype(a.dtype)
    except np.linalg.LinAlgError:
        return np.full(a.shape, np.nan, a.dtype)


cholesky_p = of_matrices("cholesky", _cholesky, lambda a: a.strong())


def _lower_half(a: Any) -> Any:
    """The part below the diagonal, and half of the diagonal."""
    n = shape_of(a)[-1]
    weights = np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n)
    return mul(a, broadcast(Constant(weights.astype(aval_of(a).dtype)), shape_of(a)[:-2]))


def _cholesky_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    factor, moved = cholesky_p(*primals), tangents[0]
    moved = mul(add(moved, swapped_axes(moved)), like(moved, 0.5))
    inner = swapped_axes(solve_p(factor, swapped_axes(solve_p(factor, moved))))
    return factor, product(factor, _lower_half(inner))


cholesky_p.tangent = _cholesky_tangent

# -- eigenvalues and singular values -----------------------------------------------------------------


def _eigh(a: Any) -> list[Any]:
    values, vectors = np.linalg.eigh(a)
    return [values.astype(a.real.dtype), vectors.astype(a.dtype)]


def _eigh_types(a: Aval) -> list[Aval]:
    kind = {"complex64": "float32", "complex128": "float64"}.get(a.dtype, a.dtype)
    return [Aval(a.shape[:-1], kind), Aval(a.shape, a.dtype)]


eigh_p = of_matrices("eigh", _eigh, _eigh_types, several=True)


def _eigh_tangent(primals: Any, tangents: Any) -> tuple[Any, Any]:
    if is_complex(aval_of(primals[0]).dtype):
        raise not_implemented(
            "The derivative of eigh of complex matrices is not supported.", "不支持复矩阵特征值的导数。"
        )
    values, vectors = eigh_p(*primals)
    moved = mul(add(tangents[0], swapped_axes(tangents[0])), like(tangents[0], 0.5))
    ndim = len(shape_of(vectors))
    unit = identity_like(vectors)
    gaps = sub(expand_dims(values, (ndim - 2,)), expand_dims(values, (ndim - 1,)))
    inverse = sub(div(full_like(gaps, 1), add(gaps, unit)), unit)
    inner = product(product(swapped_axes(vectors), moved), vectors)
    return [values, vectors], [
        reduce_sum(mul(inner, unit), (ndim - 2,)),
        product(vectors, mul(inverse, inner)),
    ]


eigh_p.tangent = _eigh_tangent


def _svd(a: Any, full_matrices: bool) -> list[Any]:
    u, s, vt = np.linalg.svd(a, full_matrices=full_matrices)
    return [s.astype(a.dtype), u.astype(a.dtype), vt.astype(a.dtype)]


def _svd_types(a: Aval, full_matrices: bool) -> list[Aval]:
    *batch, m, n = a.shape
    k = min(m, n)
    wide, high = (n if full_matrices else k), (m if full_matrices else k)
    return [Aval((*batch, k), a.dtype), Aval((*batch, m, high), a.dtype), Aval((*batch, wide, n), a.dtype)]


svd_p = of_matrices("svd", _svd, _svd_types, several=True)


def _svd_tangent(primals: Any, tangents: Any, full_matrices: bool) -> tuple[Any, Any]:
    s, u, vt = svd_p(primals[0], full_matrices=full_matrices)
    da = tangents[0]
    ut, v = swapped_axes(u), swapped_axes(vt)
    ndim = len(shape_of(vt))
    k = shape_of(s)[-1]
    core = product(product(ut, da), v)
    unit = broadcast(Constant(np.eye(k, dtype=aval_of(s).dtype)), shape_of(s)[:-1])
    ds = reduce_sum(mul(core, unit), (ndim - 1,))
    row, column = expand_dims(s, (ndim - 2,)), expand_dims(s, (ndim - 1,))
    gaps = mul(add(row, column), sub(row, column))
    inverse = sub(div(full_like(gaps, 1), add(gaps, unit)), unit)
    scaled = mul(core, broadcast_to_match(row, core))
    left = mul(inverse, add(scaled, swapped_axes(scaled)))
    scaled_v = mul(broadcast_to_match(column, core), core)
    right = mul(inverse, add(scaled_v, swapped_axes(scaled_v)))
    du, dv = product(u, left), product(v, right)
    m, n = shape_of(da)[-2:]
    if m > k:
        rest = div(product(da, v), broadcast_to_match(row, du))
        du = add(du, sub(rest, product(u, product(ut, rest))))
    if n > k:
        rest = div(product(swapped_axes(da), u), broadcast_to_match(row, dv))
        dv = add(dv, sub(rest, product(v, product(vt, rest))))
    return [s, u, vt], [ds, du, swapped_axes(dv)]


def broadcast_to_match(x: Any, like_this: Any) -> Any:
    """Rows or columns in the shape of a matrix."""
    from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim

    shape = shape_of(like_this)
    return x if shape_of(x) == shape else broadcast_in_dim(x, shape, tuple(range(len(shape))))


svd_p.tangent = _svd_tangent


def _qr(a: Any, full_matrices: bool) -> list[Any]:
    q, r = np.linalg.qr(a, mode="complete" if full_matrices else "reduced")
    return [q.astype(a.dtype), r.astype(a.dtype)]


def _qr_types(a: Aval, full_matrices: bool) -> list[Aval]:
    *batch, m, n = a.shape
    k = m if full_matrices else min(m, n)
    return [Aval((*batch, m, k), a.dtype), Aval((*batch, k, n), a.dtype)]


qr_p = of_matrices("qr", _qr, _qr_types, several=True)


def _qr_tangent(primals: Any, tangents: Any, full_matrices: bool) -> tuple[Any, Any]:
    q, r = qr_p(primals[0], full_matrices=full_matrices)
    n = shape_of(r)[-1]
    moved = swapped_axes(solve_p(swapped_axes(r), swapped_axes(tangents[0])))
    inner = product(swapped_axes(q), moved)
    below = broadcast(Constant(np.tril(np.ones((n, n)), -1).astype(aval_of(q).dtype)), shape_of(r)[:-2])
    low = mul(inner, below)
    skew = sub(low, swapped_axes(low))
    dq = add(sub(moved, product(q, inner)), product(q, skew))
    dr = product(sub(inner, skew), r)
    return [q, r], [dq, dr]


qr_p.tangent = _qr_tangent
