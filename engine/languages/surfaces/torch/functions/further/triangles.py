"""Systems with triangles: solving by them, LU factors, and what follows from a Cholesky factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.matrices import inverse, matmul
from engine.languages.surfaces.torch.functions.matrices.inverses import first_not_definite
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import transpose
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers
from engine.ops.base.tensors import Array


def _transposed(a: Any) -> Any:
    return transpose(a, -2, -1)


def _triangle(a: Any, upper: Any, unit: Any) -> Any:
    """The part of a matrix that counts, with ones on the diagonal where that is asked for."""
    if not unit:
        return OPERATORS["triu" if upper else "tril"](a)
    part = OPERATORS["triu"](a, 1) if upper else OPERATORS["tril"](a, -1)
    return part + of_numbers(np.eye(a.shape[-1], dtype=a.dtype.held_as))


@differentiable("LinalgSolveTriangularBackward0", saves="self result", inputs="self B")
def _solve(self: Any, B: Any) -> Any:
    return ops.matrix_solve(self, B)


_solve.shown = ("B", "left", "result", "self", "unitriangular", "upper")


@_solve.backward
def _solve_backward(saved: Any, grad: Any) -> Any:
    back = _solve(_transposed(saved.self), grad)
    return lambda: -matmul(back, _transposed(saved.result)), back


@torch_function("linalg.solve_triangular")
def solve_triangular(
    A: Any, B: Any, *, upper: Any, left: Any = True, unitriangular: Any = False, out: Any = None
) -> Any:
    """The X of A X = B, or of X A = B, with a triangle A. Shapes: (n, n), (n, k) -> (n, k)."""
    part = _triangle(A, upper, unitriangular)
    return _solve(part, B) if left else _transposed(_solve(_transposed(part), _transposed(B)))


@torch_function("triangular_solve", method=True)
def triangular_solve(
    input: Any, A: Any, upper: Any = True, transpose: Any = False, unitriangular: Any = False
) -> Any:
    """`linalg.solve_triangular` under its name of before."""
    part = _triangle(A, upper, unitriangular)
    solution = _solve(_transposed(part) if transpose else part, input)
    return named_result("triangular_solve", solution, A, fields=("solution", "cloned_coefficient"))


@differentiable("CholeskySolveBackward0", saves="self input2 result upper", inputs="self input2")
def _cholesky_solve(self: Any, input2: Any, upper: bool) -> Any:
    first, second = _factors(input2, upper)
    return ops.matrix_solve(second, ops.matrix_solve(first, self))


def _factors(factor: Any, upper: bool) -> tuple[Any, Any]:
    """The lower and the upper triangle whose product is the matrix, of values of the graph."""
    order = list(range(len(factor.form.shape)))
    part = ops.matrix_band_part(factor, 0, -1) if upper else ops.matrix_band_part(factor, -1, 0)
    turned = ops.transpose(part, [*order[:-2], order[-1], order[-2]])
    return (turned, part) if upper else (part, turned)


@_cholesky_solve.backward
def _cholesky_solve_backward(saved: Any, grad: Any) -> Any:
    """To the factor the gradient of A = L Lᵀ goes on as it is, without a triangle cut out of it."""
    back = _cholesky_solve(grad, saved.input2, saved.upper)

    def of_factor() -> Any:
        common = matmul(back, _transposed(saved.result))
        common = common + _transposed(common)
        return -matmul(saved.input2, common) if saved.upper else -matmul(common, saved.input2)

    return back, of_factor


@torch_function("cholesky_solve", method=True)
def cholesky_solve(input: Any, L: Any, upper: Any = False, *, out: Any = None) -> Any:
    """The X of A X = B, A given by its Cholesky factor. Shapes: B (n, k), L (n, n) -> (n, k)."""
    return _cholesky_solve(input, L, bool(upper))


@differentiable("CholeskyInverseBackward0", saves="self result upper")
def _cholesky_inverse(self: Any, upper: bool) -> Any:
    first, second = _factors(self, upper)
    return ops.matrix_product(ops.matrix_inverse(second), ops.matrix_inverse(first))


@_cholesky_inverse.backward
def _cholesky_inverse_backward(saved: Any, grad: Any) -> Any:
    inner = matmul(matmul(saved.result, grad + _transposed(grad)), saved.result)
    return -matmul(saved.self, inner) if saved.upper else -matmul(inner, saved.self)


@torch_function("cholesky_inverse", method=True)
def cholesky_inverse(input: Any, upper: Any = False, *, out: Any = None) -> Any:
    """The inverse of a matrix given by its Cholesky factor. Shapes: (n, n) -> (n, n)."""
    return _cholesky_inverse(input, bool(upper))


# -- LU --------------------------------------------------------------------------------------------------


def _factored(a: Array) -> tuple[Array, Array]:
    """L and U in one matrix, and the row that each step took, by Gauss with the largest pivot.

    Shapes: (m, n) -> (m, n), (min(m, n),).
    """
    lu = a.copy()
    pivots = np.zeros(min(a.shape), np.int32)
    for k in range(len(pivots)):
        best = k + int(np.argmax(np.abs(lu[k:, k])))
        pivots[k] = best + 1
        lu[[k, best]] = lu[[best, k]]
        if lu[k, k] != 0:
            lu[k + 1 :, k] /= lu[k, k]
            lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots


def _check(a: Any, name: str) -> None:
    if a.requires_grad:
        raise not_here(
            f"{name} with a gradient",
            f"求梯度的 {name}",
            "Use torch.linalg.solve, det or inv.",
            "请使用 torch.linalg.solve、det 或 inv。",
        )


def _each(function: Any, *stacks: Any) -> list[Any]:
    """A function of matrices, applied to each of a batch. Shapes: (*B, …) each -> (*B, …) each."""
    batch = stacks[0].shape[: stacks[0].ndim - 2]
    if not batch:
        return list(function(*stacks))
    flat = [one.reshape(-1, *one.shape[len(batch) :]) for one in stacks]
    found = [function(*parts) for parts in zip(*flat, strict=True)]
    return [np.stack(part).reshape(*batch, *part[0].shape) for part in zip(*found, strict=True)]


def _order(pivots: Array, count: int) -> Array:
    """Which row of the matrix stands in each row of L U."""
    rows = np.arange(count)
    for k, best in enumerate(pivots - 1):
        rows[[k, best]] = rows[[best, k]]
    return rows


def _check_pivot(pivot: Any) -> None:
    """Raises: RuntimeError's message of PyTorch."""
    if not pivot:
        raise torch_error(
            "linalg.lu_factor: LU without pivoting is not implemented on the CPU",
            "在处理器上，LU 分解必须选主元。",
        )


@torch_function("linalg.lu_factor")
def lu_factor(A: Any, *, pivot: Any = True, out: Any = None) -> Any:
    """L and U in one matrix, and the rows that were exchanged. Shapes: (*B, m, n)."""
    _check_pivot(pivot)
    _check(A, "linalg.lu_factor")
    parts = map(of_numbers, _each(_factored, A.array))
    return named_result("linalg_lu_factor", *parts, fields=("LU", "pivots"))


def _unpacked(both: Array, pivots: Array) -> tuple[Array, Array, Array]:
    """P, L and U. Shapes: (m, n), (k,) -> (m, m), (m, k), (k, n)."""
    rows, columns = both.shape
    k, kind = min(rows, columns), both.dtype
    p = np.zeros((rows, rows), kind)
    p[_order(pivots, rows), np.arange(rows)] = 1
    lower = np.tril(both[:, :k], -1) + np.eye(rows, k, dtype=kind)
    return p, lower.astype(kind), np.triu(both[:k]).astype(kind)


@torch_function("linalg.lu")
def lu(A: Any, *, pivot: Any = True, out: Any = None) -> Any:
    """A = P L U. Shapes: (*B, m, n)."""
    _check_pivot(pivot)
    _check(A, "linalg.lu")
    parts = map(of_numbers, _each(lambda a: _unpacked(*_factored(a)), A.array))
    return named_result("linalg_lu", *parts, fields=("P", "L", "U"))


@torch_function("lu_unpack")
@takes_only(unpack_data=(True,), unpack_pivots=(True,))
def lu_unpack(LU_data: Any, LU_pivots: Any, unpack_data: Any = True, unpack_pivots: Any = True) -> Any:
    """P, L and U out of what `lu_factor` gives."""
    parts = map(of_numbers, _each(_unpacked, LU_data.array, LU_pivots.array))
    return named_result("lu_unpack", *parts, fields=("P", "L", "U"))


@torch_function("linalg.lu_solve")
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: Any = True, adjoint: Any = False) -> Any:
    """The X of A X = B, A given by its LU factors. Shapes: (n, n), (n,), (n, k) -> (n, k)."""
    if not left or adjoint or LU.array.ndim != 2:
        raise not_here("linalg.lu_solve(left=False), (adjoint=True), or of a batch")
    order = of_numbers(_order(pivots.array, LU.shape[-1]))
    below = _solve(_triangle(LU, False, True), B[order])
    return _solve(OPERATORS["triu"](LU), below)


@torch_function("lu_solve", method=True)
def old_lu_solve(b: Any, LU_data: Any, LU_pivots: Any, *, out: Any = None) -> Any:
    """`linalg.lu_solve` under its name of before, its arguments in another order."""
    return lu_solve(LU_data, LU_pivots, b)


@torch_function("linalg.solve_ex")
@takes_only(left=(True,))
def solve_ex(A: Any, B: Any, *, left: Any = True, check_errors: Any = False) -> Any:
    """`linalg.solve`, and 0 for its success."""
    result = OPERATORS["linalg.solve"](A, B)
    info = of_numbers(np.zeros(A.shape[:-2], np.int32))
    return named_result("linalg_solve_ex", result, info, fields=("result", "info"))


@torch_function("linalg.inv_ex")
def inv_ex(A: Any, *, check_errors: Any = False) -> Any:
    """`linalg.inv`, and 0 for its success."""
    info = of_numbers(np.zeros(A.shape[:-2], np.int32))
    return named_result("linalg_inv_ex", inverse(A), info, fields=("inverse", "info"))


@torch_function("linalg.cholesky_ex")
def cholesky_ex(A: Any, *, upper: Any = False, check_errors: Any = False) -> Any:
    """`linalg.cholesky`, and where it went wrong: 0, or the first order that is not positive."""
    info = np.zeros(A.array.shape[:-2], np.int32)
    for place in np.ndindex(info.shape):
        info[place] = first_not_definite(A.array[place])
    if np.any(info):
        return named_result("linalg_cholesky_ex", A, of_numbers(info), fields=("L", "info"))
    factor = OPERATORS["linalg.cholesky"](A, upper=upper)
    return named_result("linalg_cholesky_ex", factor, of_numbers(info), fields=("L", "info"))


@torch_function("linalg.diagonal")
def diagonal(A: Any, *, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """The diagonal of the last two axes."""
    return OPERATORS["diagonal"](A, offset, dim1, dim2)


@torch_function("linalg.matmul")
def linalg_matmul(input: Any, other: Any, *, out: Any = None) -> Any:
    """`torch.matmul`."""
    return matmul(input, other)


@torch_function("adjoint", method=True)
def adjoint(input: Any) -> Any:
    """The conjugates, the last two axes exchanged."""
    return OPERATORS["conj"](_transposed(input))
