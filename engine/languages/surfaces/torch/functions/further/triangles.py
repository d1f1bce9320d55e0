"""Systems with triangles: solving by them, LU factors, and what follows from a Cholesky factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_here
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
    if a.array.ndim != 2 or a.requires_grad:
        raise not_here(
            f"{name} of a batch, or with a gradient,",
            f"{name}（批量，或求梯度）",
            "Use torch.linalg.solve, det or inv.",
            "请使用 torch.linalg.solve、det 或 inv。",
        )


def _order(pivots: Array, count: int) -> Array:
    """Which row of the matrix stands in each row of L U."""
    rows = np.arange(count)
    for k, best in enumerate(pivots - 1):
        rows[[k, best]] = rows[[best, k]]
    return rows


@torch_function("linalg.lu_factor")
@takes_only(pivot=(True,))
def lu_factor(A: Any, *, pivot: Any = True, out: Any = None) -> Any:
    """L and U in one matrix, and the rows that were exchanged."""
    _check(A, "linalg.lu_factor")
    lu, pivots = _factored(A.array)
    return named_result("linalg_lu_factor", of_numbers(lu), of_numbers(pivots), fields=("LU", "pivots"))


@torch_function("linalg.lu")
@takes_only(pivot=(True,))
def lu(A: Any, *, pivot: Any = True, out: Any = None) -> Any:
    """A = P L U."""
    _check(A, "linalg.lu")
    both, pivots = _factored(A.array)
    rows, columns = both.shape
    k = min(rows, columns)
    kind = A.array.dtype
    order = _order(pivots, rows)
    p = np.zeros((rows, rows), kind)
    p[order, np.arange(rows)] = 1
    lower = np.tril(both[:, :k], -1) + np.eye(rows, k, dtype=kind)
    parts = (p, lower.astype(kind), np.triu(both[:k]).astype(kind))
    return named_result("linalg_lu", *map(of_numbers, parts), fields=("P", "L", "U"))


@torch_function("linalg.lu_solve")
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: Any = True, adjoint: Any = False) -> Any:
    """The X of A X = B, A given by its LU factors. Shapes: (n, n), (n,), (n, k) -> (n, k)."""
    if not left or adjoint:
        raise not_here("linalg.lu_solve(left=False) or (adjoint=True)")
    order = of_numbers(_order(pivots.array, LU.shape[-1]))
    below = _solve(_triangle(LU, False, True), B[order])
    return _solve(OPERATORS["triu"](LU), below)


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
    """The last two axes exchanged."""
    return _transposed(input)
