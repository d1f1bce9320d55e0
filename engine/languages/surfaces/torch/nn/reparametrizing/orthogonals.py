"""Orthogonal parameters: every matrix of a parameter is turned into one whose columns are orthonormal.

Source: Lezcano-Casado & Martínez-Rubio (2019); Trockman & Kolter (2021) for Cayley's map.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.shaping import transpose
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.reparametrizing.parametrized import register
from engine.languages.surfaces.torch.nn.reparametrizing.replaced import parameter_of
from engine.languages.surfaces.torch.random.making import normal
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers
from engine.ops.base.tensors import Array

MAPS = ("matrix_exp", "cayley", "householder")


def _tall(x: Any) -> tuple[Any, bool]:
    """A matrix with at least as many rows as columns, and whether it was transposed for that."""
    wide = x.array.shape[-2] < x.array.shape[-1]
    return (transpose(x, -2, -1) if wide else x), wide


def _skewed(x: Any) -> Any:
    """L - Lᵀ of the lower triangle, with columns of zeros up to a square. Shapes: (n, k) -> (n, n)."""
    n, k = x.array.shape[-2:]
    lower = OPERATORS["tril"](x)
    if n != k:
        zeros = of_numbers(np.zeros((*x.array.shape[:-1], n - k), dtype=x.array.dtype))
        lower = OPERATORS["cat"]([lower, zeros], -1)
    return lower - transpose(lower, -2, -1)


def _cayley(a: Any) -> Any:
    """(I - A/2)⁻¹ (I + A/2). Shapes: (n, n) -> (n, n)."""
    identity = of_numbers(np.eye(a.array.shape[-1], dtype=a.array.dtype))
    return OPERATORS["linalg.solve"](identity - a * 0.5, identity + a * 0.5)


def _reflected(x: Any) -> Any:
    """The first columns of H₁ … Hₖ, Hᵢ = I - τᵢ vᵢ vᵢᵀ, vᵢ of column i. Shapes: (n, k) -> (n, k)."""
    n, k = x.array.shape[-2:]
    below = OPERATORS["tril"](x, -1)
    tau = 2.0 / (1.0 + OPERATORS["sum"](below * below, -2))
    ones = of_numbers(np.eye(n, k, dtype=x.array.dtype))
    v: Any = below + ones
    q: Any = ones
    for i in reversed(range(k)):
        column = OPERATORS["narrow"](v, -1, i, 1)
        share = OPERATORS["unsqueeze"](OPERATORS["narrow"](tau, -1, i, 1), -1)
        q = q - share * matmul(column, matmul(transpose(column, -2, -1), q))
    signs = np.trunc(np.diagonal(x.array, axis1=-2, axis2=-1))
    return q * of_numbers(np.ascontiguousarray(signs[..., None, :]).astype(x.array.dtype))


def _forward(self: UserObject, X: Any) -> Any:
    """A matrix with orthonormal columns, or rows. Shapes: (*S, n, k) -> (*S, n, k)."""
    x, wide = _tall(X)
    n, k = x.array.shape[-2:]
    if self.fields["orthogonal_map"] == "householder":
        q = _reflected(x)
    else:
        made = OPERATORS["matrix_exp"] if self.fields["orthogonal_map"] == "matrix_exp" else _cayley
        q = made(_skewed(x))
        q = q if n == k else OPERATORS["narrow"](q, -1, 0, k)
    if self.fields.get("base") is not None:
        q = matmul(self.fields["base"], q)
    return transpose(q, -2, -1) if wide else q


def _orthonormal(matrix: Array) -> Array:
    """Q of QR, its columns turned so that the diagonal of R is positive. Shapes: (n, n) -> (n, n)."""
    q, r = np.linalg.qr(matrix)
    signs: Array = np.sign(np.diagonal(r, axis1=-2, axis2=-1))[..., None, :]
    return np.ascontiguousarray(q * signs).astype(matrix.dtype)


def _right_inverse(self: UserObject, Q: Any) -> Any:
    """-I, where the matrix itself becomes the base that is multiplied."""
    if not self.fields["use_trivialization"]:
        raise torch_error(
            "It is not possible to assign to the matrix exponential or the Cayley parametrizations "
            "when use_trivialization=False.",
            "use_trivialization=False 时不能给这种参数化赋值。",
            kind="NotImplementedError",
        )
    q, _ = _tall(Q)
    n, k = q.array.shape[-2:]
    square = q.array
    if n != k:
        further = normal(0.0, 1.0, (*square.shape[:-2], n, n - k), dtype=q.dtype).array
        square = np.concatenate([square, further], axis=-1)
    self.fields["base"] = of_numbers(_orthonormal(square))
    start = np.zeros(Q.array.shape, dtype=Q.array.dtype)
    diagonal = np.arange(min(Q.array.shape[-2:]))
    start[..., diagonal, diagonal] = -1
    return of_numbers(start)


def _set_up(self: UserObject) -> None:
    del self.fields["weight"]
    if self.fields["use_trivialization"]:
        self.fields["_buffers"]["base"] = True
        self.fields["base"] = None


ORTHOGONAL = layer(
    "utils.parametrizations._Orthogonal",
    _forward,
    setup=_set_up,
    settings={"weight": REQUIRED, "orthogonal_map": REQUIRED, "use_trivialization": True},
    right_inverse=_right_inverse,
    _get_name=lambda self: "_Orthogonal",
)


@torch_function("nn.utils.parametrizations.orthogonal")
def orthogonal(
    interpreter: Interpreter,
    module: UserObject,
    name: Any = "weight",
    orthogonal_map: Any = None,
    *,
    use_trivialization: Any = True,
) -> UserObject:
    """A parameter whose matrices are orthogonal, computed whenever it is read. Raises: ValueError."""
    weight = parameter_of(module, name)
    if weight.array.ndim < 2:
        raise torch_error(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.array.ndim} dimensions.",
            f"需要矩阵或一批矩阵，但得到 {weight.array.ndim} 维张量。",
            kind="ValueError",
        )
    n, k = weight.array.shape[-2:]
    chosen = orthogonal_map or ("matrix_exp" if n == k else "householder")
    if chosen not in MAPS:
        raise torch_error(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {chosen}',
            f"orthogonal_map 只能是 matrix_exp、cayley 或 householder，但得到 {chosen}。",
            kind="ValueError",
        )
    if chosen == "householder" and not use_trivialization:
        raise not_here(
            "orthogonal(…, use_trivialization=False) with Householder's map",
            "带 use_trivialization=False 的 Householder 正交参数化",
            "Leave use_trivialization out.",
            "请去掉 use_trivialization。",
        )
    made = interpreter.call(ORTHOGONAL, [weight, chosen, bool(use_trivialization)], {})
    return register(interpreter, module, name, made, True)
