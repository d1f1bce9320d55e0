"""Differences: their size, their cost, and where the digits go (gallery examples G16 and G17)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation.numeric import (
    GraphFunction,
    central_difference,
    complex_step,
    compute_gradient,
    compute_gradient_error,
    forward_difference,
    sweep,
)
from engine.graph import Graph, Variable


def sine(dtype: str = "float64") -> GraphFunction:
    with Graph(default_float=dtype).as_default():
        x = Variable(3.0)
        return GraphFunction(ops.sin(x), (x.ref,), {x.ref: np.asarray(3.0, dtype)})


def error(columns: dict[str, Any], method: str, delta: float) -> float:
    index = columns["delta"].index(delta)
    return float(abs(columns[method][index][0] - np.cos(3.0)))


def test_a_difference_of_a_square_is_off_by_delta() -> None:
    square = lambda point: point[0] ** 2  # noqa: E731
    assert forward_difference(square, np.array([3.0]), 0.5) == 6.5  # (3.5^2 - 9) / 0.5
    assert central_difference(square, np.array([3.0]), 0.5) == 6.0
    assert complex_step(square, np.array([3.0]), 0.5) == 6.0


def test_a_central_difference_beats_a_forward_one() -> None:
    columns = sweep(sine(), "float64")
    assert error(columns, "forward", 1e-3) == pytest.approx(7.0e-5, rel=0.02)
    assert error(columns, "central", 1e-3) == pytest.approx(1.6e-7, rel=0.05)


def test_in_float64_the_best_central_delta_is_near_1e_5() -> None:
    columns = sweep(sine(), "float64")
    errors = [error(columns, "central", delta) for delta in columns["delta"]]
    assert columns["delta"][int(np.argmin(errors))] in (1e-5, 1e-6)
    assert min(errors) < 2e-11


def test_in_float32_a_smaller_delta_is_worse_and_at_last_says_zero() -> None:
    columns = sweep(sine("float32"), "float32")
    assert error(columns, "central", 1e-4) == pytest.approx(1.0e-3, rel=0.01)
    assert columns["central"][columns["delta"].index(1e-7)] == 0.0


def test_a_complex_step_loses_no_digits() -> None:
    columns = sweep(sine(), "float64")
    assert error(columns, "complex_step", 1e-15) < 1e-15


def test_an_op_with_a_kink_has_no_complex_step() -> None:
    with Graph().as_default():
        x = Variable(3.0)
        function = GraphFunction(ops.relu(x), (x.ref,), {x.ref: np.asarray(3.0, np.float32)})
    assert sweep(function, "float32")["complex_step"] == []


def test_central_differences_take_two_runs_for_each_number() -> None:
    runs = 0

    def counted(point: Any) -> Any:
        nonlocal runs
        runs += 1
        return np.sum(point**2)

    central_difference(counted, np.ones(1000), 1e-3)
    assert runs == 2000
    forward_difference(counted, np.ones(1000), 1e-3)
    assert runs == 2000 + 1001


def test_a_float32_program_is_computed_in_the_type_that_is_asked_for() -> None:
    function = sine("float32")
    third = function.in_type("float64")(np.array([1 / 3]))
    assert third == np.sin(1 / 3)
    assert function.in_type("float32")(np.array([1 / 3], np.float32)).dtype == np.float32


def test_several_inputs_stand_in_one_vector() -> None:
    with Graph(default_float="float64").as_default():
        a, b = Variable([1.0, 2.0]), Variable(3.0)
        known = {a.ref: np.array([1.0, 2.0]), b.ref: np.array(3.0)}
        function = GraphFunction(ops.reduce_sum(a * b), (a.ref, b.ref), known)
    assert function.point("float64").tolist() == [1.0, 2.0, 3.0]
    slopes = central_difference(function.in_type("float64"), function.point("float64"), 1e-3)
    assert slopes == pytest.approx([3.0, 3.0, 3.0])


def test_compute_gradient_gives_theory_and_differences_by_input_and_output() -> None:
    with Graph().as_default():
        x = Variable([1.0, 2.0, 3.0])
        y = ops.stack([ops.reduce_sum(x), ops.reduce_prod(x)])
        known = {x.ref: np.array([1.0, 2.0, 3.0], np.float32)}
        theory, numeric = compute_gradient(y, x.ref, known)
    assert theory.tolist() == [[1.0, 6.0], [1.0, 3.0], [1.0, 2.0]]
    assert numeric == pytest.approx(theory, abs=2e-3)
    assert compute_gradient_error(y, x.ref, known) < 2e-3
