"""How a run ends: where it broke, whose fault that was, and whether what is advised helps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.programs import ProgramRequest, RunRequest, optimise

TF = "import tensorflow as tf\n"
TF_1 = "import tensorflow.compat.v1 as tf\n"
SQUARE = ProgramRequest("y = x^2", at={"x": 3})


def descent(rate: float) -> dict[str, Any]:
    """Plain gradient descent at a rate."""
    return {"name": "GradientDescent", "learning_rate": rate}


def stop_of(source: str, steps: int = 3, rate: float = 0.1, **at: float) -> dict[str, Any]:
    """Where and why a run on a program ends."""
    stop: dict[str, Any] = optimise(ProgramRequest(source, at=at), RunRequest(steps, descent(rate)))[
        "stopped_at"
    ]
    return stop


@pytest.mark.parametrize(
    ("source", "at", "reason"),
    [
        ("y = x^(-1)", 0, "0 to a negative power, −1, is a division by 0."),
        ("y = x^3", -1e200, "Overflow: −1×10²⁰⁰ to the power 3 is beyond the largest float64, 1.798×10³⁰⁸."),
        ("y = x/x", 0, "0 / 0 has no value."),
        ("y = asin(x)", 2, "asin of 2 has no finite value; it takes numbers within −1 … 1."),
        ("y = acosh(x)", 0, "acosh of 0 has no finite value; it takes numbers within 1 … ∞."),
        ("y = exp(x) - exp(2x)", 800, "… Then ∞ − ∞ at sub is NaN."),
        ("y = 2x", float("inf"), "x starts at ∞, which is no finite number."),
        (TF + "x = tf.Variable(0.)\ny = tf.rsqrt(x)", None, "The slope of a root at 0 is infinite."),
        (TF + "x = tf.Variable(3.)\ny = tf.lgamma(x - 3.)", None, "lgamma has a pole at 0."),
        (
            TF + "x = tf.Variable(1e20)\ny = x * x",
            None,
            "… the result is beyond the largest float32, 3.403×10³⁸.",
        ),
    ],
)
def test_the_rule_that_was_broken_is_the_ops_own(source: str, at: float | None, reason: str) -> None:
    point: dict[str, Any] = {} if at is None else {"x": at}
    stop = stop_of(source, **point)
    assert stop["step"] == 0
    assert stop["reason"].endswith(reason.removeprefix("…"))
    assert stop["reason_zh"] != stop["reason"]


def test_of_many_numbers_the_one_that_went_wrong_is_reported() -> None:
    stop = stop_of(TF + "x = tf.Variable([-900., 90.])\ny = tf.reduce_sum(tf.exp(x))")
    assert stop["reason"].startswith("Overflow: exp of 90 is")
    stop = stop_of("x = [0, 1e300]\ny = sum(x / 1e-300)")  # the 0 is divided, nothing is divided by it
    assert stop["reason"].startswith("Overflow: the result is")


def test_before_the_first_update_another_start_is_advised_and_later_a_smaller_rate() -> None:
    assert stop_of("y = exp(x)", x=800)["hint"] == "Try another start, or smaller numbers."
    assert (
        stop_of("y = exp(x^2)", rate=1, x=2)["hint"] == "Try a smaller learning rate, or clip the gradient."
    )
    assert (
        optimise(ProgramRequest("y = exp(x^2)", at={"x": 2}), RunRequest(3, descent(1e-3)))["status"] == "ok"
    )
    assert stop_of("y = x * exp(1000)")["hint"] == "Try smaller numbers."  # which no variable changes


def test_a_loop_that_overflows_is_found_at_the_node_inside() -> None:
    turn = "lambda i, y: (i + 1, y * y * x)"
    stop = stop_of(TF_1 + f"x = tf.Variable(2.)\ni, y = tf.while_loop(lambda i, y: i < 40, {turn}, [0, x])")
    assert (stop["node"], stop["reason"]) == ("while/mul", "A turn of the loop made ∞ here.")


def test_an_update_that_is_not_finite_is_found_at_its_own_node() -> None:
    stop = optimise(SQUARE, RunRequest(3, {"name": "Adam", "beta1": 1.0}))[
        "stopped_at"
    ]  # divides by 1 - beta1
    assert (stop["step"], stop["node"]) == (1, "Adam/update_x/ApplyAdam")
    assert stop["reason"] == "The update makes x NaN."


@pytest.mark.parametrize("source", ["y = -x^2", "y = x^2 - z^2", "y = -exp(x)"])
def test_a_target_without_a_least_value_is_not_blamed_on_the_rate(source: str) -> None:
    stop = stop_of(source, steps=1000, rate=0.5)
    assert stop["hint"] == "Try a target that is bounded from below, such as a square."
    assert "learning rate" not in stop["reason"]


@pytest.mark.parametrize(
    ("optimizer", "hint", "better"),
    [
        (descent(-0.1), "Try a learning rate above 0.", descent(0.1)),
        (descent(1.1), "Try a smaller learning rate, or clip the gradient.", descent(0.9)),
        (
            {"name": "Momentum", "learning_rate": 0.1, "momentum": 1.5},
            "Try a momentum below 1.",
            {"name": "Momentum", "learning_rate": 0.1, "momentum": 0.5},
        ),
    ],
)
def test_what_is_advised_against_divergence_helps(
    optimizer: dict[str, Any], hint: str, better: dict[str, Any]
) -> None:
    run = optimise(SQUARE, RunRequest(1000, optimizer))
    assert (run["status"], run["stopped_at"]["hint"]) == ("diverged", hint)
    assert optimise(SQUARE, RunRequest(1000, better))["status"] == "converged"


def test_the_rate_of_the_programs_own_optimizer_is_known_too() -> None:
    source = TF + "x = tf.Variable(3.)\ntrain = tf.train.GradientDescentOptimizer(-0.5).minimize(x * x)"
    stop = optimise(ProgramRequest(source), RunRequest(300))["stopped_at"]
    assert stop["reason"] == "The learning rate, −0.5, is negative: each step goes uphill."
    stop = optimise(ProgramRequest(source), RunRequest(300, {"learning_rate": 2}))["stopped_at"]
    assert stop["reason"].endswith("the learning rate is too large.")


def test_a_negative_rate_that_a_variable_or_a_schedule_holds_is_known_too() -> None:
    held = TF + "x, rate = tf.Variable(3.), tf.Variable(-0.6, trainable=False)\n"
    own = held + "train = tf.train.GradientDescentOptimizer(rate).minimize(x * x)"
    assert (
        optimise(ProgramRequest(own), RunRequest(300))["stopped_at"]["hint"] == "Try a learning rate above 0."
    )
    linear = {"name": "polynomial_decay", "decay_steps": 1, "end_learning_rate": -0.5}
    stop = optimise(SQUARE, RunRequest(300, descent(0.1), schedule=linear))["stopped_at"]
    assert stop["reason"] == "The learning rate, −0.5, is negative: each step goes uphill."


def test_processing_that_turns_the_gradient_round_is_reported() -> None:
    run = optimise(SQUARE, RunRequest(300, descent(0.1), process=({"scale": -2},)))
    assert run["stopped_at"]["reason"].startswith("The processed gradient points against the gradient")
    assert run["stopped_at"]["smaller_rate"] is False
    far = optimise(SQUARE, RunRequest(300, descent(0.7), process=({"scale": 2},)))
    assert far["stopped_at"]["reason"].endswith("the learning rate is too large.")


def test_a_target_that_is_large_from_the_start_has_not_run_away() -> None:
    run = optimise(ProgramRequest("y = 1e31 x^2"), RunRequest(200, descent(1e-32)))
    assert (run["status"], len(run["loss"])) == ("ok", 201)
    assert run["variables"]["x"][200] == pytest.approx(0.8**200)


@pytest.mark.parametrize(
    ("source", "at"), [("y = 1e-7 x", 100), ("y = sigmoid(x)", -20), ("y = 1e-4 x^2", 3e-3)]
)
def test_a_target_that_is_nearly_flat_has_not_converged(source: str, at: float) -> None:
    assert optimise(ProgramRequest(source, at={"x": at}), RunRequest(20, descent(0.1)))["status"] == "ok"


@pytest.mark.parametrize("at", [0.0, np.pi])  # the slope of the cosine at pi is a rounding error
def test_a_start_where_nothing_pulls_has_converged(at: float) -> None:
    run = optimise(ProgramRequest("y = cos(x)", at={"x": at}), RunRequest(5, descent(0.1)))
    assert (run["status"], run["stopped_at"]["step"]) == ("converged", 0)


def test_clipping_by_a_norm_that_overflows_is_found_at_the_norm() -> None:
    source = TF + "x = tf.Variable([2., 2.])\ny = tf.reduce_sum(x * 1e30)"
    run = optimise(ProgramRequest(source), RunRequest(3, descent(0.1), process=({"clip_by_global_norm": 3},)))
    stop = run["stopped_at"]
    assert (stop["step"], stop["node"]) == (0, "global_norm/L2Loss")  # not the NaN that takes its place
    assert stop["reason"].startswith("Overflow: the result is beyond the largest float32")
