"""`jax.numpy.linalg`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of, constant, known
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import matrices as ma
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import convert, expand_dims, like, reshape, shape_of
from engine.languages.surfaces.jax.lax.numerics.complex_numbers import conj, real_p
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.multiplying import matmul
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.reducing.extremes import max_
from engine.languages.surfaces.jax.numpy.reducing.sums import sum_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only

FUNCTIONS: dict[str, Callable[..., Any]] = {}
EIGH = RecordKind("EighResult", ("eigenvalues", "eigenvectors"))
SVD = RecordKind("SVDResult", ("U", "S", "Vh"))
QR = RecordKind("QRResult", ("Q", "R"))
SLOGDET = RecordKind("SlogdetResult", ("sign", "logabsdet"))


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jnp.linalg under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(names, function))
        return function

    return enter


def square_matrix(name: str, a: Any) -> Any:
    (x,) = promote(name, a, inexact=True)
    shape = shape_of(x)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise value_error(
            f"Argument to {name} must have shape [..., n, n], got {shape}.",
            f"{name} 需要方阵，但形状是 {shape}。",
        )
    return x


@named("norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The length of a vector, or a norm of a matrix."""
    (x,) = check_arrays("norm", [x])
    return _norm(x, ord=ord, axis=axis, keepdims=bool(keepdims))


@library_jit(1, name="norm")
def _norm(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    (x,) = promote_types([x], inexact=True)
    ndim = len(shape_of(x))
    if axis is None and ord is None:
        return _with_axes(el.sqrt(sum_(_squares(x))), range(ndim), keepdims)
    axes = axes_of(x, axis)
    if len(axes) == 1:
        return _of_vectors(x, 2 if ord is None else ord, axes, keepdims)
    return _of_matrices(x, ord, axes, keepdims)


def _squares(x: Any) -> Any:
    """The squares of the absolute values."""
    return real_p(ar.mul(x, conj(x))) if is_complex(aval_of(x).dtype) else ar.mul(x, x)


def _with_axes(x: Any, axes: Any, keepdims: bool) -> Any:
    return expand_dims(x, tuple(axes)) if keepdims else x


def _of_vectors(x: Any, order: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if order == 2:
        return el.sqrt(sum_(_squares(x), axes, keepdims=keepdims))
    if order == np.inf:
        return _with_axes(re.reduce_max_p(el.abs_p(x), axes=axes), axes, keepdims)
    if order == -np.inf:
        return _with_axes(re.reduce_min_p(el.abs_p(x), axes=axes), axes, keepdims)
    if order == 0:
        return sum_(convert(ar.ne(x, like(x, 0)), aval_of(x).dtype), axes, keepdims=keepdims)
    if order == 1:
        return sum_(el.abs_p(x), axes, keepdims=keepdims)
    total = sum_(JNP["power"](el.abs_p(x), order), axes, keepdims=keepdims)
    return JNP["power"](total, 1.0 / order)


def _of_matrices(x: Any, order: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    rows, columns = axes
    if order in (None, "f", "fro"):
        return el.sqrt(sum_(_squares(x), axes, keepdims=keepdims))
    if order in (1, np.inf):
        first, second = (rows, columns) if order == 1 else (columns, rows)
        sums = sum_(el.abs_p(x), first)
        return _with_axes(max_(sums, second - (second > first)), axes, keepdims)
    s = FUNCTIONS["svdvals"](x)
    found = max_(s, -1) if order == 2 else JNP["min"](s, -1) if order == -2 else sum_(s, -1)
    return _with_axes(found, axes, keepdims)


@named("vector_norm")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    """The length of all elements together."""
    (x,) = check_arrays("vector_norm", [x])
    if axis is None:
        return norm(reshape(x, (aval_of(x).size,)), ord)
    return norm(x, ord, axis, keepdims)


@named("inv")
def inv(a: Any) -> Any:
    """The inverse of a matrix."""
    x = square_matrix("inv", a)
    return ma.solve_p(x, ma.identity_like(x))


@named("solve")
def solve(a: Any, b: Any) -> Any:
    """The solution of a x = b."""
    x, y = promote_types(check_arrays("solve", [a, b]), inexact=True)
    square_matrix("solve", x)
    if len(shape_of(y)) == 1:
        return reshape(ma.solve_p(x, expand_dims(y, (1,))), shape_of(y))
    return ma.solve_p(x, y)


@named("det")
def det(a: Any) -> Any:
    """The determinant."""
    return _det(square_matrix("det", a))


@library_jit(name="det")
def _det(x: Any) -> Any:
    def at(i: int, j: int) -> Any:
        return getitem(x, (Ellipsis, i, j))

    size = shape_of(x)[-1]
    if size == 2:
        return ar.sub(ar.mul(at(0, 0), at(1, 1)), ar.mul(at(0, 1), at(1, 0)))
    if size == 3:
        places = ((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((2, 1, 0), (0, 2, 1), (1, 0, 2))
        total: Any = None
        for sign, turns in zip((ar.add, ar.sub), places, strict=True):
            for i, j, k in turns:
                part = ar.mul(ar.mul(at(0, i), at(1, j)), at(2, k))
                total = part if total is None else sign(total, part)
        return total
    return ma.det_p(x)


@named("slogdet")
def slogdet(a: Any, **_: Any) -> Any:
    """The sign of the determinant, and the logarithm of its size."""
    return Record(SLOGDET, ma.slogdet_p(square_matrix("slogdet", a)))


def _symmetric(name: str, a: Any) -> Any:
    """The mean of a matrix and its transpose, as JAX takes it."""
    x = square_matrix(name, a)
    flipped = ma.swapped_axes(conj(x) if is_complex(aval_of(x).dtype) else x)
    return ar.mul(ar.add(x, flipped), like(x, 0.5))


@named("cholesky")
def cholesky(a: Any, *, upper: Any = False, symmetrize_input: Any = True) -> Any:
    """The lower triangle whose product with its transpose is the matrix."""
    x = _symmetric("cholesky", a) if symmetrize_input else square_matrix("cholesky", a)
    factor = ma.cholesky_p(x)
    return ma.swapped_axes(factor) if upper else factor


@named("eigh")
def eigh(a: Any, UPLO: Any = None, **_: Any) -> Any:
    """Eigenvalues and eigenvectors of a symmetric matrix."""
    return Record(EIGH, ma.eigh_p(_symmetric("eigh", a)))


@named("eigvalsh")
def eigvalsh(a: Any, UPLO: Any = None, **_: Any) -> Any:
    """Eigenvalues of a symmetric matrix."""
    return ma.eigh_p(_symmetric("eigvalsh", a))[0]


@named("svd")
def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, **_: Any) -> Any:
    """Singular values and vectors."""
    (x,) = promote("svd", a, inexact=True)
    s, u, vt = ma.svd_p(x, full_matrices=bool(full_matrices))
    return Record(SVD, (u, s, vt)) if compute_uv else s


@named("svdvals")
def svdvals(x: Any, /) -> Any:
    """Singular values."""
    (x,) = promote("svdvals", x, inexact=True)
    return ma.svd_p(x, full_matrices=False)[0]


@named("qr")
def qr(a: Any, mode: Any = "reduced") -> Any:
    """An orthogonal matrix times an upper triangle."""
    (x,) = promote("qr", a, inexact=True)
    q, r = ma.qr_p(x, full_matrices=mode == "complete")
    return r if mode == "r" else Record(QR, (q, r))


@named("matrix_power")
def matrix_power(a: Any, n: Any) -> Any:
    """A matrix times itself, so often."""
    x, count = square_matrix("matrix_power", a), int(n)
    if count < 0:
        x, count = inv(x), -count
    elif not aval_of(constant(a)).is_float:
        x = constant(a)
    found: Any = ma.identity_like(x) if count == 0 else x
    for _ in range(count - 1):
        found = matmul(found, x)
    return found


@named("pinv")
@takes_only(rtol=(None,))
def pinv(a: Any, rtol: Any = None, **_: Any) -> Any:
    """The inverse as far as there is one."""
    (x,) = promote("pinv", a, inexact=True)
    s, u, vt = ma.svd_p(x, full_matrices=False)
    m, n = shape_of(x)[-2:]
    cut = 10.0 * max(m, n) * float(np.finfo(aval_of(x).dtype).eps)
    small = JNP["less_equal"](s, JNP["multiply"](max_(s, -1, keepdims=True), cut))
    inverse = JNP["where"](small, 0.0, JNP["true_divide"](1.0, JNP["where"](small, 1.0, s)))
    return matmul(
        ma.swapped_axes(vt),
        JNP["multiply"](expand_dims(inverse, (len(shape_of(inverse)),)), ma.swapped_axes(u)),
    )


@named("matrix_rank")
@takes_only(rtol=(None,))
def matrix_rank(M: Any, rtol: Any = None, **_: Any) -> Any:
    """How many singular values are not zero."""
    (x,) = promote("matrix_rank", M, inexact=True)
    s = svdvals(x)
    cut = max(shape_of(x)[-2:]) * float(np.finfo(aval_of(x).dtype).eps)
    return sum_(JNP["greater"](s, JNP["multiply"](max_(s, -1, keepdims=True), cut)), -1)


@named("lstsq")
@takes_only(rcond=(None,))
def lstsq(a: Any, b: Any, rcond: Any = None, **_: Any) -> Any:
    """The best solution of more equations than unknowns."""
    x, y = promote_types(check_arrays("lstsq", [a, b]), inexact=True)
    solution = matmul(pinv(x), y)
    rest = JNP["subtract"](matmul(x, solution), y)
    residual = sum_(ar.square(rest), 0)
    residual = JNP["atleast_1d"](residual)
    return solution, residual, matrix_rank(x), svdvals(x)


@named("multi_dot")
def multi_dot(arrays: Any, **_: Any) -> Any:
    """The product of several matrices."""
    first, *rest = arrays
    for one in rest:
        first = matmul(first, one)
    return first


@named("cond")
@takes_only(p=(None, 2))
def cond(x: Any, p: Any = None) -> Any:
    """How much errors grow in solving."""
    s = svdvals(x)
    return JNP["true_divide"](getitem(s, (Ellipsis, 0)), getitem(s, (Ellipsis, -1)))


@named("matmul")
def matmul_(x1: Any, x2: Any, /, **_: Any) -> Any:
    """The matrix product."""
    return matmul(x1, x2)


def expm(a: Any) -> Any:
    """The exponential of a matrix, by scaling, a series, and squaring."""
    x = square_matrix("expm", a)
    held = known(x)
    size = float(np.abs(held).sum(-1).max()) if held is not None else 8.0
    halvings = max(int(np.ceil(np.log2(max(size, 1e-9)))) + 3, 0)
    x = ar.div(x, like(x, 2.0**halvings))
    total = term = ma.identity_like(x)
    for k in range(1, 13):
        term = ar.div(matmul(term, x), like(x, k))
        total = ar.add(total, term)
    for _ in range(halvings):
        total = matmul(total, total)
    return total


@named("cross")
def cross(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    """The vectors at right angles to two others, of three numbers along an axis."""
    return JNP["cross"](x1, x2, axis=axis)


@named("diagonal")
def diagonal(x: Any, /, *, offset: Any = 0) -> Any:
    """The diagonal of each matrix. Shapes: (..., n, m) -> (..., k)."""
    return JNP["diagonal"](x, offset, -2, -1)


@named("trace")
def trace(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Any:
    """The sum of the diagonal of each matrix. Shapes: (..., n, m) -> (...)."""
    return JNP["trace"](x, offset, -2, -1, dtype)


@named("matrix_norm")
def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Any:
    """A norm of each matrix."""
    return norm(x, ord, (-2, -1), keepdims)
