"""Diagonals: taken out, put in, summed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.arrays import joining
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import PLACED, TAKEN
from engine.ops.base.shapes import is_static
from engine.ops.base.tensors import Array, Node, Operators, Shape, Tensor
from engine.ops.common import constants, measuring, reducing
from engine.ops.elementwise.extremes import minimum


def _squared(diagonal: Shape) -> Shape:
    return None if diagonal is None else (*diagonal, diagonal[-1])


@op(
    "MatrixDiag",
    inputs="diagonal",
    shape=_squared,
    latex=r"\mathrm{diag}({diagonal})",
    adjoints=[r"\mathrm{diag}(\bar{y})"],
    derivative=[PLACED],
    form="linear",
    names={"tf": "linalg.diag"},
)
@in_chinese("以这些为对角线的矩阵，其余是 0。")
def matrix_diag_op(diagonal: Array) -> Any:
    """Matrices with these diagonals, 0 elsewhere. Shapes: diagonal (*B, n) -> y (*B, n, n)."""
    return diagonal[..., None] * np.eye(diagonal.shape[-1], dtype=diagonal.dtype)


@matrix_diag_op.gradient
def matrix_diag_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [matrix_diag_part(dy)]


def matrix_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """`tf.matrix_diag`."""
    return matrix_diag_op(diagonal, name=name or "diag")


def _diagonal_of(x: Shape) -> Shape:
    if x is None:
        return None
    rows, columns = x[-2:]
    return (*x[:-2], None if rows is None or columns is None else min(rows, columns))


@op(
    "MatrixDiagPart",
    inputs="input",
    shape=_diagonal_of,
    latex=r"\mathrm{diag}({input})",
    adjoints=[r"\mathrm{diag}(\bar{y})"],
    derivative=[TAKEN],
    form="linear",
    names={"tf": "linalg.diag_part"},
)
@in_chinese("各矩阵的对角线。")
def matrix_diag_part_op(input: Array) -> Any:
    """The diagonals of matrices. Shapes: input (*B, m, n) -> y (*B, min(m, n))."""
    return np.diagonal(input, axis1=-2, axis2=-1).copy()


@matrix_diag_part_op.gradient
def matrix_diag_part_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    if x.shape is not None and is_static(x.shape[-2:]) and x.shape[-2] == x.shape[-1]:
        return [matrix_diag(dy)]
    return [matrix_set_diag(constants.zeros_like(x), dy)]


def matrix_diag_part(x: Any, name: str | None = None) -> Tensor:
    """`tf.matrix_diag_part`."""
    return matrix_diag_part_op(x, name=name or "diag_part")


def _first(input: Shape, diagonal: Shape) -> Shape:
    return input


@op(
    "MatrixSetDiag",
    inputs="input diagonal",
    shape=_first,
    latex=r"{input} \text{ with diagonal } {diagonal}",
    adjoints=[r"\bar{y} \text{ off the diagonal}", r"\mathrm{diag}(\bar{y})"],
    derivative=[
        (r"1 \text{ off the diagonal, else } 0", r"\text{对角线以外为 } 1 \text{，其余为 } 0"),
        (r"1 \text{ on the diagonal, else } 0", r"\text{对角线上为 } 1 \text{，其余为 } 0"),
    ],
)
@in_chinese("换了对角线的矩阵。")
def matrix_set_diag_op(input: Array, diagonal: Array) -> Any:
    """Matrices with another diagonal. Shapes: input (*B, m, n), diagonal (*B, min(m, n)) -> y (*B, m, n)."""
    result = input.copy()
    places = np.arange(diagonal.shape[-1])
    result[..., places, places] = diagonal
    return result


@matrix_set_diag_op.gradient
def matrix_set_diag_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    diagonal = node.inputs[1]
    none = constants.zeros(diagonal.shape or measuring.shape_of(diagonal), dy.dtype)
    return [matrix_set_diag(dy, none), matrix_diag_part(dy)]


def matrix_set_diag(x: Any, diagonal: Any, name: str | None = None) -> Tensor:
    """`tf.matrix_set_diag`."""
    return matrix_set_diag_op(x, diagonal, name=name or "set_diag")


def trace(x: Any, name: str | None = None) -> Tensor:
    """`tf.trace`: the sum of each matrix's diagonal. Shapes: x (*B, n, m) -> (*B)."""
    with name_scope(name, "Trace") as scope:
        x = convert_to_tensor(x, name="x")
        return reducing.reduce_sum(matrix_diag_part(x), [-1], name=scope)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: str = "float32",
    name: str | None = None,
) -> Tensor:
    """`tf.eye`: ones on the diagonal, zeros elsewhere."""
    with name_scope(name, "eye"):
        columns = num_rows if num_columns is None else num_columns
        computed = isinstance(num_rows, Operators) or isinstance(columns, Operators)
        is_square = num_columns is None or (not computed and num_columns == num_rows)
        front: Any = [] if batch_shape is None else batch_shape
        length = minimum(num_rows, columns) if computed else min(num_rows, columns)
        if computed or isinstance(front, Operators):
            front = convert_to_tensor(front, dtype="int32", name="shape")
        diagonal = _lengthened(front, [length])
        whole = diagonal if is_square else _lengthened(front, [num_rows, columns])
        ones = constants.ones(diagonal, dtype)
        return matrix_diag(ones) if is_square else matrix_set_diag(constants.zeros(whole, dtype), ones)


def _lengthened(front: Any, lengths: list[Any]) -> Any:
    """A shape with further lengths; joined in the graph where its front stands there."""
    return joining.concat([front, lengths], 0) if isinstance(front, Tensor) else [*front, *lengths]


# -- the older pair, for tensors of any rank ---------------------------------------------------------


def _doubled(diagonal: Shape) -> Shape:
    return None if diagonal is None else diagonal + diagonal


@op(
    "Diag",
    inputs="diagonal",
    shape=_doubled,
    latex=r"\mathrm{diag}({diagonal})",
    adjoints=[r"\mathrm{diag}(\bar{y})"],
    derivative=[PLACED],
    form="linear",
    accepts="numbers",
)
@in_chinese("以此为对角线的张量：y[i, i] = x[i]。")
def diag(diagonal: Array) -> Any:
    """A tensor with this diagonal: y[i, i] = x[i]. Shapes: diagonal (*S) -> y (*S, *S)."""
    return np.diag(diagonal.reshape(-1)).reshape(diagonal.shape + diagonal.shape)


@diag.gradient
def diag_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [diag_part(dy)]


def _halved(x: Shape) -> Shape:
    return None if x is None else x[: len(x) // 2]


@op(
    "DiagPart",
    inputs="input",
    shape=_halved,
    latex=r"\mathrm{diag}({input})",
    adjoints=[r"\mathrm{diag}(\bar{y})"],
    derivative=[TAKEN],
    form="linear",
    accepts="numbers",
)
@in_chinese("张量的对角线：y[i] = x[i, i]。")
def diag_part(input: Array) -> Any:
    """The diagonal of a tensor: y[i] = x[i, i]. Shapes: input (*S, *S) -> y (*S)."""
    half = input.shape[: input.ndim // 2]
    length = int(np.prod(half, dtype=np.int64))
    return np.diagonal(input.reshape(length, length)).reshape(half).copy()


@diag_part.gradient
def diag_part_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [diag(dy)]
