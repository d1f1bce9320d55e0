"""The inverse in the sense of least squares, and what is close to it: rank, condition, `lstsq`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import squeeze, transpose, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def _check_matrix(name: str, a: Any) -> None:
    if a.form.ndim < 2 or a.form.dtype.kind != "f":
        raise torch_error(
            f"linalg.{name}({a.dtype.scalar_name}{{{list(a.shape)}}}): expected a tensor with 2 or more "
            "dimensions of float, double, cfloat or cdouble types",
            f"linalg.{name} 需要由浮点数组成的矩阵。",
        )


def _bounds(a: Any, atol: Any, rtol: Any) -> tuple[Any, Any]:
    """Below which a singular value counts as 0: an absolute bound, and one relative to the largest."""
    if rtol is None:
        usual = max(a.form.shape[-2:]) * float(np.finfo(a.form.dtype).eps)
        rtol = usual if atol is None else np.where(_numbers(atol) > 0, 0.0, usual)
    return _numbers(0.0 if atol is None else atol), _numbers(rtol)


def _numbers(bound: Any) -> Any:
    return bound.array if isinstance(bound, Tensor) else np.asarray(bound)


@differentiable("LinalgPinvBackward0", saves="self result")
def _pinv(self: Any, atol: Any, rtol: Any) -> Any:
    s, u, v = ops.svd.node(self).outputs
    kind = self.dtype
    largest = ops.reduce_max(s, axis=[-1], keepdims=True)
    bound = ops.maximum(ops.mul(largest, rtol.astype(kind)[..., None]), atol.astype(kind)[..., None])
    is_kept = ops.greater(s, bound)
    ones = ops.ones_like(s)
    upside_down = ops.select(is_kept, ops.divide(ones, ops.select(is_kept, s, ones)), ops.zeros_like(s))
    return ops.matrix_product(ops.mul(v, ops.expand_dims(upside_down, -2)), u, transpose_b=True)


@_pinv.backward
def _pinv_backward(saved: Any, grad: Any) -> Any:
    """Source: Golub & Pereyra (1973), The differentiation of pseudo-inverses."""
    a, p = saved.self, saved.result
    p_t, g_t = transpose(p, -2, -1), transpose(grad, -2, -1)
    of_rows = matmul(matmul(g_t - matmul(matmul(a, p), g_t), p), p_t)
    of_columns = matmul(p_t, matmul(p, g_t - matmul(g_t, matmul(p, a))))
    return of_rows + of_columns - matmul(matmul(p_t, grad), p_t)


@torch_function("linalg.pinv")
def pinv(
    A: Any, rcond: Any = None, hermitian: Any = False, *, atol: Any = None, rtol: Any = None, out: Any = None
) -> Any:
    """The inverse in the sense of least squares. Shapes: (*B, m, n) -> (*B, n, m)."""
    _check_matrix("pinv", A)
    return _pinv(_whole(A) if hermitian else A, *_bounds(A, atol, rcond if rtol is None else rtol))


def _whole(a: Any) -> Any:
    """A symmetric matrix as its lower triangle says."""
    lower = OPERATORS["tril"](a, -1)
    return OPERATORS["tril"](a) + transpose(lower, -2, -1)


@torch_function("pinverse", method=True)
def pinverse(input: Any, rcond: Any = 1e-15) -> Any:
    """`linalg.pinv` under its name of before, with a lower bound."""
    return pinv(input, rcond)


@torch_function("linalg.matrix_rank")
def matrix_rank(
    A: Any, tol: Any = None, hermitian: Any = False, *, atol: Any = None, rtol: Any = None, out: Any = None
) -> Any:
    """How many singular values count. Shapes: (*B, m, n) -> (*B,)."""
    if A.form.ndim < 2:
        raise torch_error(
            "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.",
            "matrix_rank 需要矩阵。",
        )
    _check_matrix("matrix_rank", A)
    given = A.array if not hermitian else _whole(A).array
    values = np.linalg.svd(given, compute_uv=False)
    absolute, relative = _bounds(A, tol if atol is None else atol, 0.0 if tol is not None else rtol)
    bound = np.maximum(absolute, relative * values.max(-1, initial=0.0))
    return of_numbers(np.sum(values > bound[..., None], axis=-1, dtype=np.int64))


# -- least squares ---------------------------------------------------------------------------------------


@composite("LinalgLstsqBackward0", "self b", shown="self b solution")
def _least(self: Any, b: Any, rcond: Any, has_full_rank: Any, has_rest: Any) -> Any:
    if has_full_rank:
        q, r = OPERATORS["linalg.qr"](self)
        x = OPERATORS["linalg.solve_triangular"](r, matmul(transpose(q, -2, -1), b), upper=True)
    else:
        x = matmul(_pinv(self, *_bounds(self, None, rcond)), b)
    rest = of_numbers(np.zeros(0, self.form.dtype))
    return x, OPERATORS["sum"]((matmul(self, x) - b) ** 2, -2) if has_rest else rest


@torch_function("linalg.lstsq")
def lstsq(A: Any, B: Any, rcond: Any = None, *, driver: Any = None) -> Any:
    """x for which |A x - B| is least. Shapes: A (*, m, n), B (*, m, k) or (*, m) -> x (*, n, k) or (*, n).

    Its residuals are left out where LAPACK's driver says nothing of them: with `gelsy`, which is the default,
    and where A has more columns than rows, or not its full rank.
    """
    _check_matrix("lstsq", A)
    if driver is not None and driver not in DRIVERS:
        raise torch_error(
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)",
            "lstsq 的 driver 只能是 gels、gelsy、gelsd 或 gelss。",
        )
    is_vector = B.form.ndim == 1 or B.form.ndim == A.form.ndim - 1
    columns = unsqueeze(B, -1) if is_vector else B
    if columns.shape[-2] != A.shape[-2]:
        raise torch_error(
            "torch.linalg.lstsq: input.size(-2) should match other.size(-2)",
            f"A 有 {A.shape[-2]} 行，但 B 有 {columns.shape[-2]} 行。",
            code="shape_mismatch",
        )
    x, rest, rank, values = _solved(A, columns, rcond, driver or "gelsy")
    fields = ("solution", "residuals", "rank", "singular_values")
    return named_result("linalg_lstsq", squeeze(x, -1) if is_vector else x, rest, rank, values, fields=fields)


def _solved(a: Any, b: Any, rcond: Any, driver: str) -> tuple[Any, ...]:
    m, n = a.shape[-2:]
    rank = matrix_rank(a, rtol=rcond)
    full = bool(np.all(rank.array == min(m, n)))
    if rcond is not None and driver == "gelsy" and not full:
        raise not_here(
            "linalg.lstsq with an rcond that leaves directions out",
            " linalg.lstsq 用 rcond 舍去方向",
            "Write driver='gelsd', or leave rcond out.",
            "请写 driver='gelsd'，或去掉 rcond。",
        )
    has_rest = m > n and driver != "gelsy" and full
    x, rest = _least(a, b, rcond=rcond, has_full_rank=full and m >= n, has_rest=has_rest)
    values = np.zeros(0, a.form.dtype)
    if driver in ("gelsd", "gelss"):
        values = np.linalg.svd(a.array, compute_uv=False)
    if driver == "gels":  # which takes full rank for granted
        rank = of_numbers(np.zeros(0, np.int64))
    return x, rest, rank, of_numbers(values)


# -- condition -------------------------------------------------------------------------------------------


@torch_function("linalg.cond")
def cond(A: Any, p: Any = None, *, out: Any = None) -> Any:
    """|A| |A⁻¹|; for the norms 2 and -2 the quotient of the extreme singular values."""
    if p in (None, 2, -2):
        values = OPERATORS["linalg.svdvals"](A)
        largest, least = (OPERATORS["narrow"](values, -1, place, 1) for place in (0, -1))
        return squeeze(least / largest if p == -2 else largest / least, -1)
    if isinstance(p, str) and p not in ("fro", "nuc"):
        raise torch_error(
            f"linalg.cond got an invalid norm type: {p}", f"linalg.cond 不认识范数 {p}。", kind="ValueError"
        )
    if A.shape[-1] != A.shape[-2]:
        raise torch_error(
            f"linalg.cond(ord={p}): A must be batches of square matrices, but they are {A.shape[-2]} by "
            f"{A.shape[-1]} matrices",
            "linalg.cond 的这种范数需要方阵。",
            code="shape_mismatch",
        )
    order = p if isinstance(p, str) else plain(p)
    norm = OPERATORS["linalg.matrix_norm"]
    if np.any(np.linalg.det(A.array) == 0):
        back = OPERATORS["full_like"](A, math.inf)
    else:
        back = OPERATORS["linalg.inv"](A)
    product = norm(A, order) * norm(back, order)
    return OPERATORS["nan_to_num"](product, math.inf, math.inf, -math.inf)


# -- tensors as matrices ---------------------------------------------------------------------------------


@torch_function("linalg.tensorsolve")
@takes_only(dims=(None,))
def tensorsolve(A: Any, B: Any, dims: Any = None, *, out: Any = None) -> Any:
    """The X for which A and X, contracted along all axes of X, give B. Shapes: A (*S, *X), B (*S) -> (*X)."""
    rest = tuple(A.shape[B.array.ndim :])
    matrix = OPERATORS["reshape"](A, (B.array.size, math.prod(rest)))
    found = OPERATORS["linalg.solve"](matrix, OPERATORS["reshape"](B, (-1,)))
    return OPERATORS["reshape"](found, rest)


@torch_function("linalg.tensorinv")
def tensorinv(A: Any, ind: Any = 2, *, out: Any = None) -> Any:
    """What `tensordot` over `ind` axes undoes. Shapes: (*S, *T), S of `ind` axes -> (*T, *S)."""
    first, second = tuple(A.shape[: int(ind)]), tuple(A.shape[int(ind) :])
    if math.prod(first) != math.prod(second):
        raise torch_error(
            f"Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but "
            f"got {math.prod(second)} != {math.prod(first)}",
            "tensorinv 两边的元素个数必须相同。",
            code="shape_mismatch",
        )
    matrix = OPERATORS["reshape"](A, (math.prod(first), math.prod(second)))
    return OPERATORS["reshape"](OPERATORS["linalg.inv"](matrix), (*second, *first))
