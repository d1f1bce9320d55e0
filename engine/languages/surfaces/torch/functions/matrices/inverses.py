"""Inverse, determinant, solutions, and the Cholesky factor."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import DTYPES
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.matrices.products import matmul
from engine.languages.surfaces.torch.functions.matrices.vectors import outer
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import expand, to, transpose, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS


@differentiable("LinalgInvExBackward0", saves="result", outputs="result")
def _inverse(self: Any) -> Any:
    return ops.matrix_inverse(self)


_inverse.shown = ("inverse",)


@_inverse.backward
def _inverse_backward(saved: Any, grad: Any) -> Any:
    turned = transpose(saved.result, -2, -1)
    return -matmul(turned, matmul(grad, turned))


@torch_function("inverse", "linalg.inv", method=True)
def inverse(input: Any, *, out: Any = None) -> Any:
    """The inverse of a matrix."""
    check_square(input, "linalg.inv")
    _check_regular(
        input,
        "linalg.inv: {batch}The diagonal element {place} is zero, the inversion could not be completed "
        "because the input matrix is singular.",
    )
    return _inverse(input)


def _check_regular(tensor: Any, message: str) -> None:
    """Raises: RuntimeError's message of PyTorch where Gauss finds no pivot. Shapes: tensor (*B, n, n)."""
    rows = tensor.array.reshape(-1, *tensor.array.shape[-2:])
    for number, matrix in enumerate(rows):
        place = _first_zero(matrix)
        if place:
            batch = f"(Batch element {number}): " if tensor.array.ndim > 2 else ""
            raise torch_error(
                message.format(batch=batch, place=place),
                "矩阵是奇异的，没有逆。",
                hint="Its rows must be independent of each other.",
                hint_zh="矩阵的各行必须线性无关。",
                code="singular_matrix",
                kind="_LinAlgError",
            )


def _first_zero(matrix: Any) -> int:
    """The first step, from 1, at which Gauss with the largest pivot finds none; 0 where there is none."""
    lu = matrix.copy()
    for k in range(len(lu)):
        best = k + int(np.argmax(np.abs(lu[k:, k])))
        if lu[best, k] == 0:
            return k + 1
        lu[[k, best]] = lu[[best, k]]
        lu[k + 1 :, k:] -= np.outer(lu[k + 1 :, k] / lu[k, k], lu[k, k:])
    return 0


def check_square(tensor: Any, name: Any) -> Any:
    """Raises: RuntimeError's messages of PyTorch."""
    if tensor.dtype.is_floating and tensor.dtype.name not in ("float32", "float64"):
        raise torch_error(
            f"{name}: Low precision dtypes not supported. Got {tensor.dtype.scalar_name}",
            f"{name} 不支持低精度类型 {tensor.dtype.scalar_name}。",
            hint="Write x.float() first.",
            hint_zh="请先写 x.float()。",
        )
    if tensor.form.ndim < 2 or tensor.shape[-1] != tensor.shape[-2]:
        raise torch_error(
            f"{name}: A must be batches of square matrices, but they are "
            f"{tensor.shape[-2] if tensor.form.ndim > 1 else 1} by "
            f"{tensor.shape[-1] if tensor.form.ndim else 1} matrices",
            f"{name} 需要方阵。",
            code="shape_mismatch",
        )


@differentiable("LinalgDetBackward0", saves="self result")
def _det(self: Any) -> Any:
    return ops.matrix_determinant(self)


_det.shown = ("A", "LU", "pivots", "result")


@_det.backward
def _det_backward(saved: Any, grad: Any) -> Any:
    scale = grad * saved.result
    if state().records:
        return _solved_for_diagonal(saved.self, scale)
    turned = transpose(inverse(saved.self), -2, -1)
    return unsqueeze(unsqueeze(scale, -1), -1) * turned


def _solved_for_diagonal(matrix: Any, scale: Any) -> Any:
    """X of matrixᵀ X = scale I. Shapes: (*B, n, n), (*B) -> (*B, n, n)."""
    diagonal = expand(unsqueeze(scale, -1), matrix.shape[:-1])
    spread = transpose(OPERATORS["diag_embed"](diagonal), -2, -1)
    return _solve(transpose(matrix, -2, -1), spread)


@torch_function("det", "linalg.det", method=True)
def det(input: Any, *, out: Any = None) -> Any:
    """The determinant."""
    check_square(input, "linalg.det")
    return _det(input)


@differentiable("LinalgSlogdetBackward0", saves="self", outputs="sign logabsdet")
def _slogdet(self: Any) -> Any:
    return ops.slogdet.node(self).outputs


_slogdet.shown = ("A", "LU", "pivots", "sign")


@_slogdet.backward
def _slogdet_backward(saved: Any, _: Any, grad: Any) -> Any:
    if state().records:
        return _solved_for_diagonal(saved.self, grad)
    turned = transpose(inverse(saved.self), -2, -1)
    return turned * unsqueeze(unsqueeze(grad, -1), -1)


@torch_function("linalg.slogdet")
def linalg_slogdet(input: Any) -> Any:
    """The sign of the determinant, and the logarithm of its size."""
    return named_result("linalg_slogdet", *_slogdet(input), fields=("sign", "logabsdet"))


@torch_function("slogdet", method=True)
def slogdet(input: Any) -> Any:
    """The same under its older name."""
    return named_result("slogdet", *_slogdet(input), fields=("sign", "logabsdet"))


@torch_function("logdet", method=True)
def logdet(input: Any) -> Any:
    """The logarithm of the determinant; nan where that is negative."""
    sign, size = _slogdet(input)
    return where(sign == -1.0, math.nan, size)


@torch_function("linalg.solve")
def solve(A: Any, B: Any, *, left: Any = True, out: Any = None) -> Any:
    """The x for which A x = B, or x A = B. Shapes: A (*, n, n), B (*, n, k), (*, k, n) or (n,)."""
    if not left:
        return _solved_from_right(A, B)
    check_square(A, "linalg.solve")
    _check_regular(A, "torch.linalg.solve: {batch}The solver failed because the input matrix is singular.")
    is_vector = B.form.ndim == 1
    return _solve(A, B, is_vector)


def _solved_from_right(A: Any, B: Any) -> Any:
    if B.form.ndim < 2:
        n = A.shape[-1]
        raise torch_error(
            f"linalg.solve: Incompatible shapes of A and B for the equation XA = B ({n}x{n} and "
            f"{B.shape[-1] if B.form.ndim else 1}x1)",
            "XA = B 的形状不符。",
            code="shape_mismatch",
        )
    made = transpose(solve(transpose(A, -2, -1), transpose(B, -2, -1)), -2, -1)
    if made.node is not None:
        made.node.name = "LinalgSolveExBackward0"
    return made


@differentiable("LinalgSolveExBackward0", saves="self result is_vector", inputs="self other")
def _solve(self: Any, other: Any, is_vector: bool = False) -> Any:
    if is_vector:
        return ops.squeeze(ops.matrix_solve(self, ops.expand_dims(other, -1)), [-1])
    return ops.matrix_solve(self, other)


_solve.shown = ("A", "LU", "left", "pivots", "result")


@_solve.backward
def _solve_backward(saved: Any, grad: Any) -> Any:
    turned = _solve(transpose(saved.self, -2, -1), grad, saved.is_vector)
    if saved.is_vector:
        return lambda: -outer(turned, saved.result), turned
    return lambda: -matmul(turned, transpose(saved.result, -2, -1)), turned


@differentiable("LinalgCholeskyExBackward0", saves="result")
def _cholesky(self: Any) -> Any:
    return ops.cholesky(self)


_cholesky.shown = ("L", "upper")


@_cholesky.backward
def _cholesky_backward(saved: Any, grad: Any) -> Any:
    lower = saved.result
    inner = matmul(transpose(lower, -2, -1), grad)
    mask = np.tril(np.ones(lower.shape[-2:], dtype=grad.dtype.held_as)) - 0.5 * np.eye(
        lower.shape[-1], dtype=grad.dtype.name
    )
    middle = inner * OPERATORS["of_numbers"](mask.astype(grad.dtype.held_as))
    back = inverse(lower)
    found = matmul(matmul(transpose(back, -2, -1), middle), back)
    return (found + transpose(found, -2, -1)) / 2


torch_value(EXCEPTIONS["_LinAlgError"], "linalg.LinAlgError")


@torch_function("linalg.cholesky", "cholesky")
def cholesky(input: Any, *, upper: Any = False) -> Any:
    """The lower triangle L for which L Lᵀ is the matrix."""
    check_square(input, "linalg.cholesky")
    _check_definite(input)
    made = _cholesky(input)
    return transpose(made, -2, -1) if upper else made


def first_not_definite(matrix: Any) -> int:
    """The order of the first leading minor that is not positive; 0 where all are. Shapes: (n, n) -> ()."""
    for k in range(1, len(matrix) + 1):
        try:
            factor = np.linalg.cholesky(matrix[:k, :k])
        except np.linalg.LinAlgError:
            return k
        if np.isnan(factor[-1, -1]):
            return k
    return 0


def _check_definite(tensor: Any) -> None:
    """Raises: RuntimeError's message of PyTorch. Shapes: tensor (*B, n, n)."""
    try:
        if np.isnan(np.linalg.cholesky(tensor.array)).any():
            raise np.linalg.LinAlgError
    except np.linalg.LinAlgError:
        rows = tensor.array.reshape(-1, *tensor.array.shape[-2:])
        number, order = next((i, k) for i, one in enumerate(rows) if (k := first_not_definite(one)))
        batch = f"(Batch element {number}): " if tensor.array.ndim > 2 else ""
        raise torch_error(
            f"linalg.cholesky: {batch}The factorization could not be completed because the input is not "
            f"positive-definite (the leading minor of order {order} is not positive-definite).",
            f"矩阵不是正定的：第 {order} 阶顺序主子式不是正的。",
            code="not_positive_definite",
            kind="_LinAlgError",
        ) from None


@torch_function("linalg.matrix_power", "matrix_power", method=True)
def matrix_power(input: Any, n: Any) -> Any:
    """A matrix times itself so many times."""
    power = int(n)
    base = inverse(input) if power < 0 else input
    if power == 0:
        ones = np.eye(input.shape[-1], dtype=input.dtype.held_as)
        return OPERATORS["of_numbers"](np.array(np.broadcast_to(ones, input.shape)))
    made = base
    for _ in range(abs(power) - 1):
        made = matmul(made, base)
    return made


def _left_out(name: Any) -> Any:
    def refuse(*args: Any, **keywords: Any) -> Any:
        raise not_here(f"torch.{name}", f" torch.{name}")

    refuse.__doc__ = "Refused."
    torch_function(name)(refuse)


_left_out("lu")


@torch_function("matrix_exp", "linalg.matrix_exp", method=True)
def matrix_exp(input: Any) -> Any:
    """eᴬ = 1 + A + A²/2! + …"""
    if not np.isfinite(input.array).all():
        return input * math.nan
    return _matrix_exp(input)


@composite("LinalgMatrixExpBackward0", "self")
def _matrix_exp(self: Any) -> Any:
    """The series of A divided by a power of 2, squared as often; in double precision, rounded once."""
    norm = float(np.abs(self.array).sum(-1).max(initial=0.0))
    halvings = max(int(np.ceil(np.log2(max(norm, 1e-9)))) + 3, 0)
    wide = DTYPES["complex128" if self.dtype.is_complex else "float64"]
    small = to(self, wide) / 2.0**halvings
    term = total = OPERATORS["eye"](self.shape[-1], dtype=wide)
    for k in range(1, TERMS):
        term = matmul(term, small) / k
        total = total + term
    for _ in range(halvings):
        total = matmul(total, total)
    return to(total, self.dtype)


TERMS = 14  # of the series for a matrix whose rows sum to 1/8 at most: below the precision of float64
