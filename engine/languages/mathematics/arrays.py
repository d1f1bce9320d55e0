"""Products of vectors and matrices, transposes and elements, as mathematics means them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.languages.mathematics.functions import dot
from engine.languages.mathematics.tree import Expression, Negative, Operation, Transposed


def rank(value: Any) -> int:
    """0 for a number, 1 for a vector, 2 for a matrix."""
    shape = value.shape if hasattr(value, "as_tensor") else np.shape(value)
    return len(shape or ())


def is_row(expression: Expression) -> bool:
    """Whether a vector is written as a row: `x^T`, `2 x^T`, `x^T A`."""
    while isinstance(expression, (Operation, Negative)):
        if isinstance(expression, Negative):
            expression = expression.operand
        elif is_row(expression.right):
            return True
        else:
            expression = expression.left
    return isinstance(expression, Transposed)


def product(left: Any, right: Any, outer: bool) -> Any:
    """The matrix product, also of a matrix and a vector and of two vectors; None for other ranks.

    outer: two vectors are a column and a row.
    """
    ranks = rank(left), rank(right)
    if ranks == (2, 1):
        return ops.matvec(left, right)
    if ranks == (1, 2):
        return ops.matvec(right, left, transpose_a=True)
    if ranks == (1, 1):
        return ops.expand_dims(left, 1) * ops.expand_dims(right, 0) if outer else dot(left, right)
    return ops.matrix_product(left, right) if ranks == (2, 2) else None


def transposed(value: Any) -> Any:
    """Rows and columns exchanged; a vector stays as it is. Raises: ProgramError for a number."""
    if rank(value) == 0:
        raise ProgramError(
            "`^T` transposes a matrix or a vector, but this is a single number.",
            message_zh="`^T` 表示矩阵或向量的转置，但这里是单个数。",
            hint="Give the name a list, as in x = [1, 2, 3]; where a power is meant, give T a value.",
            hint_zh="请给名字一个列表，例如 x = [1, 2, 3]；如果想写幂，请给 T 一个值。",
            code="not_a_matrix",
        )
    return ops.transpose(value) if rank(value) == 2 else value


def element(value: Any, places: Sequence[int]) -> Any:
    """An element, or a row, by its places from 1. Raises: ProgramError where there is none."""
    tensor = ops.convert_to_tensor(value)
    shape = tensor.shape or ()
    fits = len(places) <= len(shape)
    if (
        not places
        or not fits
        or any(not 1 <= place <= (n or place) for place, n in zip(places, shape, strict=False))
    ):
        raise _no_element(places, shape)
    return tensor[tuple(place - 1 for place in places) if len(places) > 1 else places[0] - 1]


def _no_element(places: Sequence[int], shape: Sequence[int | None]) -> ProgramError:
    written, size = ", ".join(map(str, places)), " × ".join(map(str, shape)) or "1"
    return ProgramError(
        f"There is no element [{written}] among {size}.",
        message_zh=f"大小为 {size}，没有元素 [{written}]。",
        hint="Elements count from 1, as in mathematics.",
        hint_zh="下标从 1 开始，与数学中相同。",
        code="no_element",
    )
