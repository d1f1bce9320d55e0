"""Rows of elements taken as sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.tensors import Array, Shape, Tensor

OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "a-b": np.setdiff1d,
    "b-a": lambda a, b: np.setdiff1d(b, a),
    "intersection": np.intersect1d,
    "union": np.union1d,
}


def _found(set1: Shape, set2: Shape) -> list[Shape]:
    rank = len(set1) if set1 is not None else len(set2) if set2 is not None else None
    return [(None, rank), (None,), (rank,)]


@op(
    "DenseToDenseSetOperation",
    inputs="set1 set2",
    outputs=("int64", "T", "int64"),
    shape=_found,
    latex=r"{set1} \setminus {set2}",
    no_gradient=("which elements there are does not vary smoothly", "有哪些元素并不连续变化"),
)
@in_chinese("每一行的元素各自作为集合来运算，结果以稀疏形式给出。")
def set_operation_op(
    set1: Array, set2: Array, set_operation: str = "a-b", validate_indices: bool = True
) -> Any:
    """The rows of two tensors as sets: what is in the first and not in the second, or another operation.

    Shapes: set1 (*S, n), set2 (*S, m) -> indices (k, rank), values (k,) in order, shape (rank,).
    """
    rows = list(np.ndindex(set1.shape[:-1]))
    found = [OPERATIONS[set_operation](set1[row], set2[row]) for row in rows]
    indices = [(*row, place) for row, values in zip(rows, found, strict=True) for place in range(len(values))]
    longest = max(map(len, found), default=0)
    return [
        np.asarray(indices, np.int64).reshape(-1, set1.ndim),
        np.concatenate([np.zeros(0, set1.dtype), *found]),
        np.asarray([*set1.shape[:-1], longest], np.int64),
    ]


def set_difference(set1: Tensor, set2: Tensor) -> Tensor:
    """The elements of the first that the second has not, row by row, one after the other."""
    values: Tensor = set_operation_op.node(set1, set2, set_operation="a-b").outputs[1]
    return values
