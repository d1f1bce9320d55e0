"""Rows as sets, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ops import REGISTRY

A, B = np.array([[1, 2, 2], [3, 4, 5]]), np.array([[2, 7], [3, 3]])


@pytest.mark.parametrize(
    ("operation", "values", "rows"),
    [
        ("a-b", [1, 4, 5], [0, 1, 1]),
        ("b-a", [7], [0]),
        ("intersection", [2, 3], [0, 1]),
        ("union", [1, 2, 7, 3, 4, 5], [0, 0, 0, 1, 1, 1]),
    ],
)
def test_each_row_is_a_set(operation: str, values: list[int], rows: list[int]) -> None:
    indices, found, shape = REGISTRY["DenseToDenseSetOperation"].forward(A, B, set_operation=operation)
    assert found.tolist() == values
    assert indices[:, 0].tolist() == rows
    assert shape.tolist() == [2, max(rows.count(0), rows.count(1))]
