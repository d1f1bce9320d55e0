"""Numerically equal or not, and by how much two values differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.programs.differences.numbers import UNKNOWN, Gap, Tolerance, dense, gap_between

NAN, INF = float("nan"), float("inf")


def gap(before: Any, after: Any, **tolerance: float) -> Gap:
    """The gap between two values written as lists."""
    one, other = (None if value is None else np.asarray(value) for value in (before, after))
    return gap_between(one, other, Tolerance(**tolerance))


def test_the_largest_difference_and_its_share_are_reported() -> None:
    assert gap([1.0, 4.0], [1.5, 5.0]) == Gap(equal=False, absolute=1.0, relative=0.5 / 1.5)


@pytest.mark.parametrize(
    ("before", "after", "equal"),
    [
        (1.0, 1.0 + 9e-6, True),  # within 1e-5 of the larger
        (1.0, 1.0 + 2e-5, False),
        (0.0, 5e-8, True),  # within 1e-7
        (0.0, 5e-7, False),
        (NAN, NAN, True),
        (INF, INF, True),
        (INF, -INF, False),
        (NAN, 1.0, False),
        (INF, 1.0, False),
        (3, 3, True),
        (1_000_000, 1_000_001, False),  # integers have to be the very same
        ([1.0, 2.0], [1.0], False),
        ([], [], True),
        ("a", "a", True),
        ("a", "b", False),
        (True, False, False),
    ],
)
def test_numbers_are_equal_within_a_tolerance(before: Any, after: Any, equal: bool) -> None:
    assert gap(before, after).equal is equal


def test_a_wider_tolerance_lets_more_numbers_be_equal() -> None:
    assert gap(1.0, 1.009).equal is False
    assert gap(1.0, 1.009, relative=0.01).equal is True
    assert gap(1.0, 1.009, relative=0.0, absolute=0.01).equal is True


def test_a_number_and_no_number_are_infinitely_far_apart() -> None:
    assert gap(NAN, 1.0) == Gap(equal=False, absolute=INF, relative=INF)


def test_what_is_not_known_is_neither_equal_nor_not() -> None:
    assert gap(None, 1.0) == UNKNOWN
    assert UNKNOWN.equal is None


def test_rows_of_one_index_add_up() -> None:
    rows = dense(np.array([[1.0], [2.0], [4.0]]), np.array([0, 2, 0]), np.array([3, 1]))
    assert rows is not None
    assert rows.tolist() == [[5.0], [0.0], [2.0]]
    assert dense(None, np.array([0]), np.array([1])) is None
