"""Where the k-th smallest stands among equal ones: where Hoare's selection ends, as PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.tensors import Array


def tied_places(array: Array, k: int, axis: int) -> Array | None:
    """The places of the k-th smallest along an axis; None where no row holds it twice.

    Shapes: (*S) -> (*S without the axis, 1 in its place), int64.
    """
    rows = np.moveaxis(array, axis, -1)
    if not 1 <= k <= rows.shape[-1] or not rows.size:
        return None
    found = np.partition(rows, k - 1, axis=-1)[..., k - 1 : k]
    is_equal = (rows == found) | ((rows != rows) & (found != found))  # nan is as large as nan
    if np.all(np.count_nonzero(is_equal, axis=-1) <= 1):
        return None
    places = np.zeros(rows.shape[:-1], dtype=np.int64)
    for index in np.ndindex(*places.shape):
        places[index] = selected(rows[index].tolist(), k - 1)
    return np.expand_dims(places, axis)


def selected(numbers: list[Any], k: int) -> int:
    """The place of the number that is k-th in order, counted from 0. Changes the list.

    Source: Hoare (1961), algorithm 65: the pivot is the median of the first, the middle and the last number.
    """
    places = list(range(len(numbers)))
    left, right = 0, len(numbers) - 1

    def swap(i: int, j: int) -> None:
        numbers[i], numbers[j] = numbers[j], numbers[i]
        places[i], places[j] = places[j], places[i]

    def order(i: int, j: int) -> None:
        if _is_above(numbers[i], numbers[j]):
            swap(i, j)

    while right > left + 1:
        swap((left + right) // 2, left + 1)
        order(left + 1, right)
        order(left, right)
        order(left + 1, left)
        low, high, pivot = left + 1, right, numbers[left]
        while True:
            low += 1
            while _is_above(pivot, numbers[low]):
                low += 1
            high -= 1
            while _is_above(numbers[high], pivot):
                high -= 1
            if high < low:
                break
            swap(low, high)
        swap(left, high)
        left, right = (low if high <= k else left), (high - 1 if high >= k else right)
    if right == left + 1:
        order(left, right)
    return places[k]


def _is_above(a: Any, b: Any) -> bool:
    """Whether a is larger; nan is the largest."""
    return bool(a > b or (a != a and b == b))
