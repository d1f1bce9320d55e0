"""The bound 2/L on the learning rate: where it holds, and nowhere else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine.graph import Variable
from engine.programs import ProgramRequest, RunRequest, optimise
from engine.programs.diagnosis.curvature import Quadratic, quadratic_of, rate_note
from engine.programs.diagnosis.degree import degree_of
from engine.programs.program.packing import outcome_of
from engine.programs.service import DEFAULT_LIMITS

TF = "import tensorflow as tf\nx = tf.Variable(3.)\n"


def note_of(source: str, run: RunRequest | None = None, **at: Any) -> str | None:
    """What is said of the bound, in English; None where nothing is."""
    run = run or RunRequest(1, {"name": "GradientDescent", "learning_rate": 0.1})
    reported = optimise(ProgramRequest(source, at=at), run)["diagnostics"]
    return next((note["message"] for note in reported if note["code"] == "rate_bound"), None)


@pytest.mark.parametrize(
    ("source", "degree"),
    [
        ("y = 3 - 2x", 1),
        ("y = x z + x/2 - z^2", 2),
        ("y = (x z)^2 - x^3", 4),
        ("y = sum([x, z] * [z, 1])", 2),
        ("y = x^2 / (1 + exp(2))", 2),
        ("y = x^1.5", math.inf),
        ("y = z/x", math.inf),
        ("y = abs(x)^2", math.inf),
        ("y = if(x > 0, x^2, 1)", math.inf),
    ],
)
def test_the_degree_of_a_target_is_read_from_its_graph(source: str, degree: float) -> None:
    outcome = outcome_of(ProgramRequest(source), DEFAULT_LIMITS)
    variables = {v.node for v in outcome.graph.collection("variables") if isinstance(v, Variable)}
    assert outcome.target is not None
    assert degree_of(outcome.target, variables, set(), {}) == degree


def test_a_bowl_has_the_curvatures_of_its_hessian() -> None:
    hessian = np.array([[2.0, 1.0], [1.0, 3.0]])
    bowl = quadratic_of(lambda x: hessian @ x - [1, 2], np.array([5.0, -1e6]))
    assert bowl is not None
    assert bowl.curvatures == pytest.approx([2.5 - math.sqrt(1.25), 2.5 + math.sqrt(1.25)])


@pytest.mark.parametrize(
    ("hessian", "pull"),
    [([[1, 0], [0, -1]], [0, 0]), ([[1, 0], [0, 0]], [0, 1]), ([[0, 1], [2, 0]], [0, 0]), ([[-1]], [0])],
)
def test_a_saddle_an_endless_slope_and_what_is_no_gradient_are_no_bowls(
    hessian: list[list[float]], pull: list[float]
) -> None:
    assert quadratic_of(lambda x: np.array(hessian) @ x + pull, np.ones(len(pull))) is None


@pytest.mark.parametrize(
    ("rate", "says", "severity"),
    [
        (0.07, "0.07 is below it.", "note"),
        (0.08, "0.08 is just this bound: it swings for ever.", "warning"),
        (0.1, "0.1 is above it: it diverges.", "warning"),
        (0.0, "With 0 nothing moves.", "warning"),
        (-0.1, "−0.1 is negative: each step goes uphill.", "warning"),
    ],
)
def test_the_verdict_on_a_rate_in_the_ravine(rate: float, says: str, severity: str) -> None:
    note = rate_note(Quadratic(np.array([1.0, 25.0]), np.array([3.0, 25.0])), rate)
    assert note.severity == severity
    assert note.message.endswith(says)
    assert note.rate == (None if severity == "note" else 0.04)  # 1/L


def test_a_start_that_is_level_in_the_steep_direction_does_not_diverge() -> None:
    note = note_of("y = 0.5*(x^2 + 25 z^2)", x=3, z=0)
    assert note is not None
    assert note.endswith("0.1 is not below it; only a start like this one does not show it.")


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("y = x^4", {"x": 1000}),
        ("y = relu(x)^2", {"x": 5}),
        ("y = exp(0.001 x)", {"x": 0}),
        ("y = x^2 - z^2", {}),
        ("y = x^2 + z", {}),
        ("y = (x - z)^2 + x + z", {}),
    ],
)
def test_what_is_no_bowl_has_no_bound(source: str, at: dict[str, Any]) -> None:
    assert note_of(source, **at) is None


def test_the_programs_own_gradient_descent_knows_the_bound_too() -> None:
    own = TF + "train = tf.train.GradientDescentOptimizer(0.2).minimize(x * x)"
    assert str(note_of(own, RunRequest(1))).endswith("0.2 is below it.")
    assert str(note_of(own, RunRequest(1, {"learning_rate": 3}))).endswith("3 is above it: it diverges.")


@pytest.mark.parametrize(
    "train",
    [
        "train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(x * x)",
        "opt = tf.train.GradientDescentOptimizer(0.1)\n[(g, v)] = opt.compute_gradients(x * x)\n"
        "train = opt.apply_gradients([(tf.clip_by_norm(g, 1.), v)])",
        "k = tf.Variable(1., trainable=False)\ny = x * x * k\n"
        "with tf.control_dependencies([tf.assign(k, 2 * k)]):\n"
        "  train = tf.train.GradientDescentOptimizer(0.1).minimize(y)",
    ],
)
def test_other_steps_than_plain_ones_on_a_fixed_target_have_no_bound(train: str) -> None:
    assert note_of(TF + train, RunRequest(1)) is None
