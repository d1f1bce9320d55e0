"""TensorFlow 2's linear algebra beside the functions that it shares with TensorFlow 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.errors import DtypeError, ShapeError
from engine.languages.surfaces.tf2.more.arrays import value_now
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import written
from engine.ops.base.tensors import FLOATS, Shape
from engine.ops.linear_algebra import contraction, decomposition, factorization, solving
from engine.ops.networks import normalizing


def einsum(equation: Any, *inputs: Any, name: Any = None, optimize: Any = "greedy") -> Any:
    """`tf.einsum`: letters may stand twice in an operand."""
    return contraction.einsum_of_diagonals(equation, *inputs, name=name)


def expm(input: Any, name: Any = None) -> Any:
    """`tf.linalg.expm`: the exponential of each matrix."""
    with name_scope(name, "matrix_exponential"):
        matrix = convert_to_tensor(input)
        _check_square(matrix.shape)
        values = np.abs(value_now(matrix, "tf.linalg.expm"))
        return solving.matrix_exponential(matrix, float(values.sum(axis=-2).max(initial=0.0)))


def _check_square(shape: Shape) -> None:
    """Raises: ShapeError where the last two axes are not equally long, or there are none."""
    if shape is not None and (len(shape) < 2 or shape[-1] != shape[-2]):
        raise ShapeError(
            f"tf.linalg.expm takes square matrices, but the shape is {written(shape)}.",
            message_zh=f"tf.linalg.expm 需要方阵，但形状是 {written(shape)}。",
        )


def pinv(a: Any, rcond: Any = None, validate_args: Any = False, name: Any = None) -> Any:
    """`tf.linalg.pinv`: the inverse of what a matrix does, where it does something."""
    with name_scope(name, "pinv"):
        matrix = _of_floats(convert_to_tensor(a, name="a"), "tf.linalg.pinv")
        least = 10.0 * _longer_side(matrix) * np.finfo(matrix.dtype).eps if rcond is None else rcond
        s, u, v = decomposition.svd.node(matrix).outputs
        smallest = convert_to_tensor(least, dtype=matrix.dtype) * ops.reduce_max(s, -1)
        kept = s > ops.expand_dims(smallest, -1)
        divisors = ops.select(kept, s, ops.zeros_like(s) + float("inf"))
        return ops.matrix_product(v / ops.expand_dims(divisors, -2), u, transpose_b=True)


def _of_floats(matrix: Any, function: str) -> Any:
    """The matrix. Raises: DtypeError where it holds no floats."""
    if matrix.dtype not in FLOATS:
        raise DtypeError(
            f"{function} takes a matrix of floats, not of {matrix.dtype}.",
            hint="Write tf.cast(a, tf.float32).",
            message_zh=f"{function} 需要浮点数矩阵，不能是 {matrix.dtype}。",
            hint_zh="请写 tf.cast(a, tf.float32)。",
        )
    return matrix


def _longer_side(matrix: Any) -> int:
    return max((int(length or 1) for length in (matrix.shape or (1,))[-2:]), default=1)


def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: Any = None) -> Any:
    """`tf.linalg.normalize`: a tensor over its norm, and the norm."""
    with name_scope(name, "normalize"):
        x = convert_to_tensor(tensor)
        norm = normalizing.norm(x, ord, axis, keepdims=True)
        return x / norm, norm


def matrix_rank(a: Any, tol: Any = None, validate_args: Any = False, name: Any = None) -> Any:
    """`tf.linalg.matrix_rank`: how many singular values are not 0 but for rounding."""
    with name_scope(name, "matrix_rank"):
        matrix = _of_floats(convert_to_tensor(a), "tf.linalg.matrix_rank")
        s = decomposition.svd.node(matrix, compute_uv=False).outputs[0]
        if tol is None:
            least = _longer_side(matrix) * float(np.finfo(matrix.dtype).eps)
            tol = least * ops.reduce_max(s, -1, keepdims=True)
        return ops.reduce_sum(ops.cast(s > tol, "int32"), -1)


def matrix_transpose(a: Any, name: Any = "matrix_transpose", conjugate: Any = False) -> Any:
    """`tf.linalg.matrix_transpose`: rows and columns swapped in each matrix."""
    return factorization.matrix_transpose(a, name)


MEMBERS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("einsum", "linalg.einsum"), einsum),
    "linalg.expm": expm,
    "linalg.pinv": pinv,
    "linalg.normalize": normalize,
    "linalg.matrix_rank": matrix_rank,
    "linalg.matrix_transpose": matrix_transpose,
    "linalg.tensor_diag": lambda diagonal, name=None: ops.diag(diagonal, name=name),
    "linalg.tensor_diag_part": lambda input, name=None: ops.diag_part(input, name=name),
}
