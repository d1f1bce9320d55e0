"""Fingerprints: two computations that agree at several points are the same function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.interchange.fingerprints import POINTS, Fingerprint, fingerprint, moved

X = np.array([2.0, 2.0])


def print_of(function: Callable[[Any], Any], x: Any = X) -> Fingerprint:
    found = fingerprint([function(moved("x", x, point)) for point in range(POINTS)])
    assert found is not None
    return found


def test_two_ways_to_write_a_square_agree_and_another_function_with_the_same_number_does_not() -> None:
    assert print_of(lambda x: x * x).agrees(print_of(np.square))
    assert not print_of(lambda x: x * x).agrees(print_of(lambda x: x + x))  # both are 4 at 2


def test_what_depends_on_no_input_does_not_vary() -> None:
    assert not print_of(np.ones_like).varies
    assert print_of(lambda x: x).varies


def test_inputs_of_two_names_move_differently_and_the_same_name_moves_alike() -> None:
    assert not np.array_equal(moved("a", X, 1), moved("b", X, 1))
    assert np.array_equal(moved("layer/a", X, 1), moved("layer_a", X, 1))
    assert np.array_equal(moved("a", X, 0), X)


def test_a_corner_is_where_two_slopes_agree_around_a_point_but_not_at_it() -> None:
    zero = np.array([0.0])
    of_tensorflow, of_jax = print_of(np.sign, zero), print_of(lambda x: np.where(x >= 0, 1.0, -1.0), zero)
    assert of_tensorflow.agrees_nearby(of_jax)
    assert not of_tensorflow.agrees(of_jax)


def test_what_is_not_finite_at_one_point_is_compared_at_the_others() -> None:
    with np.errstate(invalid="ignore"):
        root, same = print_of(np.sqrt, np.array([0.1])), print_of(lambda x: x**0.5, np.array([0.1]))
    assert root.agrees(same)


def test_a_column_agrees_with_a_row_of_the_same_numbers() -> None:
    assert print_of(lambda x: x[:, None]).agrees(print_of(lambda x: x))
