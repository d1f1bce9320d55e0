"""States kept on a run's way: a late step is computed from the nearest one, and is the same bit for bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine.errors import GradlensError
from engine.programs import Checkpoints, ProgramRequest, RunRequest, optimise, replay
from engine.programs.training.checkpoints import MAX_NUMBERS, MOST, Checkpoint
from tests.limits import ROOMY

pytestmark = pytest.mark.slow  # long trainings

ROSENBROCK = ProgramRequest("(1-x)^2 + 100*(y-x^2)^2", at={"x": -1, "y": 1})
NOISY = ProgramRequest("""
import tensorflow as tf
w = tf.Variable([1., 2.])
loss = tf.reduce_sum(tf.square(w - tf.random_normal([2])))
""")
LAYER = ProgramRequest("""
import tensorflow as tf
w = tf.Variable([[0.5, -0.25], [0.1, 0.3]])
loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul([[1., 2.]], w)) - 0.5))
""")
ADAM = {"name": "Adam", "learning_rate": 1e-3}


def kept_of(program: ProgramRequest, run: RunRequest) -> bytes:
    """The checkpoints of a run."""
    kept = Checkpoints()
    optimise(program, run, kept=kept)
    return kept.as_bytes()


@pytest.mark.parametrize(
    ("program", "steps"),
    [(ROSENBROCK, 3_000), (LAYER, 3_000), (NOISY, 300)],
    ids=["numbers", "arrays", "random draws"],
)
def test_a_step_from_a_checkpoint_is_the_runs_own(program: ProgramRequest, steps: int) -> None:
    run = RunRequest(steps, ADAM)
    kept = kept_of(program, run)
    assert kept
    for step in (0, 1, 17, steps // 2, steps - 1, steps):
        assert replay(program, run, step, kept=kept) == replay(program, run, step)


def test_a_late_step_costs_no_more_than_the_way_from_the_nearest_checkpoint() -> None:
    run = RunRequest(100_000, ADAM)
    kept, frugal = kept_of(ROSENBROCK, run), replace(ROOMY, element_operations=400_000)
    with pytest.raises(GradlensError, match="400,000 element operations"):
        replay(ROSENBROCK, run, 99_999, frugal)
    assert replay(ROSENBROCK, run, 99_999, frugal, kept)["step"] == 99_999


def test_there_is_no_step_after_the_end_however_it_is_computed() -> None:
    growing = RunRequest(5_000, {"name": "GradientDescent", "learning_rate": 1.01})
    square = ProgramRequest("y = x^2", at={"x": 1e-3})
    kept = kept_of(square, growing)
    with pytest.raises(GradlensError, match="has no step 4,999") as late:
        replay(square, growing, 4_999)
    with pytest.raises(GradlensError) as again:
        replay(square, growing, 4_999, kept=kept)
    assert again.value.message == late.value.message


def seen(steps: Iterable[int], rows: int, numbers: int) -> int:
    """How many of the states before these steps are kept, each of so many numbers."""
    kept, program = Checkpoints(), [0.0] * numbers
    for step in steps:
        kept.see(Checkpoint(step, {object(): program}, {}), rows)  # type: ignore[dict-item]  # any key will do
    return len(kept.steps)


def test_checkpoints_are_few_and_small() -> None:
    assert seen(range(0, 100_000, 100), 100_000, numbers=2) <= MOST + 1
    assert seen(range(1_000), 1_000, numbers=MAX_NUMBERS // 10) <= 11
    assert seen(range(1_000), 1_000, numbers=MAX_NUMBERS + 1) == 0


MOMENTUM = {"name": "Momentum", "learning_rate": 0.03, "momentum": 0.9}


def test_a_step_in_full_holds_what_variables_and_slots_hold() -> None:
    square, run = ProgramRequest("y = x^2", at={"x": 3}), RunRequest(2, MOMENTUM)
    reported = optimise(square, run)
    for step in range(3):
        nodes = replay(square, run, step)["nodes"]
        assert {name: nodes[name]["data"] for name in reported["nodes"]} == {
            name: column[step] for name, column in reported["nodes"].items()
        }
        assert nodes["x/Momentum:0"]["data"] == reported["slots"]["x"]["momentum"][step]


def test_a_step_in_full_has_the_very_digits_of_the_columns() -> None:
    source = """
import tensorflow as tf
x = tf.constant([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
y = tf.constant([[0.], [1.], [1.], [0.]])
w, b = tf.Variable([[.3, -.7, .1], [.2, .5, -.4]]), tf.Variable([.1, .2, .3])
v, c = tf.Variable([[.4], [-.6], [.9]]), tf.Variable([.7])
h = tf.tanh(tf.nn.bias_add(tf.matmul(x, w), b))
loss = tf.reduce_mean((tf.nn.bias_add(tf.matmul(h, v), c) - y) ** 2)
"""
    run = RunRequest(30, MOMENTUM)
    reported = optimise(ProgramRequest(source), run)
    slope = {pair["name"]: pair["tensor"] for pair in reported["program"]["gradients"]}
    for step in (0, 7, 30):
        nodes = replay(ProgramRequest(source), run, step)["nodes"]
        for name, tensor in slope.items():
            assert nodes[tensor]["data"] == reported["gradients"][name][step]
