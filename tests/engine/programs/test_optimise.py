"""Steps of an optimizer as columns: row 0 is the start, row k the state after k updates."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest, optimise

DESCENT = {"name": "GradientDescent", "learning_rate": 0.01}
SQUARE = ProgramRequest("y = x^2", at={"x": 3})


def test_one_step_on_a_square() -> None:
    run = optimise(SQUARE, RunRequest(1, DESCENT))
    assert run["steps"] == [0, 1]
    assert run["loss"] == [9.0, pytest.approx(8.6436)]
    assert run["variables"] == {"x": [3.0, pytest.approx(2.94)]}  # 3 - 0.01 * 6
    assert run["gradients"] == {"x": [6.0, pytest.approx(5.88)]}
    assert run["processed"] == run["gradients"]
    assert (run["status"], run["stopped_at"]) == ("ok", None)


def test_a_hundred_steps_shrink_x_by_0_98_each() -> None:
    run = optimise(SQUARE, RunRequest(100, DESCENT))
    assert len(run["loss"]) == 101
    assert run["variables"]["x"][100] == pytest.approx(3 * 0.98**100)


def test_the_grown_program_holds_the_optimizers_nodes() -> None:
    nodes = optimise(SQUARE, RunRequest(1, DESCENT))["program"]["graph"]["nodes"]
    assert [node["name"] for node in nodes][-3:] == [
        "GradientDescent/learning_rate",
        "GradientDescent/update_x/ApplyGradientDescent",
        "GradientDescent",
    ]


def test_clipping_stands_between_the_gradient_and_the_update() -> None:
    request = ProgramRequest("y = w*x", at={"w": 10, "x": 50})
    run = optimise(request, RunRequest(1, {**DESCENT, "learning_rate": 0.1}, process=({"clip_by_norm": 5},)))
    assert run["gradients"]["w"][0] == 50.0
    assert run["processed"]["w"][0] == 5.0
    assert run["variables"]["w"] == [10.0, 9.5]
    phases = {node["name"]: node["phase"] for node in run["program"]["graph"]["nodes"]}
    assert phases["clip_by_norm"] == "process"


@pytest.mark.parametrize(
    ("step", "processed"),
    [
        ({"scale": 0.5}, 3.0),
        ({"clip_by_value": 2}, 2.0),
        ({"clip_by_value": [-1, 1]}, 1.0),
        ({"clip_by_global_norm": 3}, 3.0),
    ],
)
def test_other_ways_to_process(step: dict[str, Any], processed: float) -> None:
    run = optimise(SQUARE, RunRequest(0, DESCENT, process=(step,)))
    assert run["processed"]["x"] == [pytest.approx(processed)]


def test_the_programs_own_optimizer_is_used() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable(3.)\n"
        "t = tf.train.GradientDescentOptimizer(0.5).minimize(x * x)"
    )
    run = optimise(ProgramRequest(source), RunRequest(1))
    assert run["variables"] == {"x": [3.0, 0.0]}


def test_the_start_can_be_moved() -> None:
    run = optimise(SQUARE, RunRequest(1, DESCENT, start={"x": 5}))
    assert run["variables"]["x"] == [5.0, pytest.approx(4.9)]


def test_slots_have_columns_of_their_own() -> None:
    momentum = {"name": "Momentum", "learning_rate": 0.1, "momentum": 0.5}
    run = optimise(SQUARE, RunRequest(1, momentum))
    assert run["slots"] == {"x": {"momentum": [0.0, 6.0]}}


def test_nodes_are_recorded_step_by_step() -> None:
    nodes = optimise(SQUARE, RunRequest(1, DESCENT))["nodes"]
    assert nodes["pow:0"] == [9.0, pytest.approx(8.6436)]
    assert optimise(SQUARE, RunRequest(1, DESCENT, record="variables"))["nodes"] == {}


def test_a_value_that_is_no_number_ends_the_run_where_it_happened() -> None:
    run = optimise(ProgramRequest("y = log(x)", at={"x": 0.05}), RunRequest(10, DESCENT))
    assert run["status"] == "non_finite"
    assert (run["stopped_at"]["step"], run["stopped_at"]["node"]) == (1, "Log")
    assert run["loss"][1] == "nan"


def test_a_run_that_explodes_is_stopped() -> None:
    run = optimise(SQUARE, RunRequest(1000, {**DESCENT, "learning_rate": 1.1}))
    assert run["status"] == "diverged"
    assert len(run["loss"]) < 1000


def test_a_budget_ends_the_run_and_keeps_its_rows() -> None:
    run = optimise(SQUARE, RunRequest(1000, DESCENT), Limits(element_operations=1000))
    assert run["status"] == "limit"
    assert 1 < len(run["loss"]) < 1000


@pytest.mark.parametrize(
    ("request_", "run", "code"),
    [
        (SQUARE, RunRequest(1, {"name": "GradientDecent"}), "unknown_optimizer"),
        (SQUARE, RunRequest(1, {"name": "GradientDescent", "rate": 1}), "unknown_argument"),
        (SQUARE, RunRequest(1, DESCENT, start={"z": 1}), "unknown_variable"),
        (SQUARE, RunRequest(1, DESCENT, start={"x": [1, 2]}), "shape_mismatch"),
        (SQUARE, RunRequest(1, DESCENT, process=({"clip": 1},)), "unknown_process"),
        (SQUARE, RunRequest(1, DESCENT, process=({"clip_by_norm": -1},)), "bad_process"),
        (SQUARE, RunRequest(100_001, DESCENT), "too_many_steps"),
        (SQUARE, RunRequest(1), "no_optimizer"),
        (ProgramRequest("print(1)"), RunRequest(1, DESCENT), "no_target"),
        (ProgramRequest("y = 2 +"), RunRequest(1, DESCENT), "syntax_error"),
        (ProgramRequest("y = 2 + 3"), RunRequest(1, DESCENT), "no_variables"),
    ],
)
def test_a_run_that_does_not_fit_says_why(request_: ProgramRequest, run: RunRequest, code: str) -> None:
    with pytest.raises(GradlensError) as caught:
        optimise(request_, run)
    assert caught.value.code == code
    assert caught.value.message_zh != caught.value.message
