"""Races: each run has the columns and the ending of a run of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from engine.errors import GradlensError, LimitError
from engine.execution.budget import Limits
from engine.optimizers import RULES
from engine.optimizers.schedules import SCHEDULES
from engine.programs import ProgramRequest, RunRequest, optimise
from engine.programs.races import RaceRequest, Summary, cuts_of, part_of, run_race, summarise_race
from engine.programs.races.race import one_by_one
from tests.limits import ROOMY

HIMMELBLAU = ProgramRequest("(x^2+y-11)^2+(x+y^2-7)^2", at={"x": -1, "y": 1})
SQUARE = ProgramRequest("y = x^2", at={"x": 3})
LAYER = ProgramRequest(
    """
import numpy as np
import tensorflow as tf
x = tf.constant(np.arange(12.0).reshape(4, 3) / 7)
w = tf.Variable(np.ones((3, 2)) / 3)
b = tf.Variable(np.zeros(2))
loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w) + b) - 0.25))
"""
)
EMBEDDING = ProgramRequest(
    """
import numpy as np
import tensorflow as tf
table = tf.Variable(np.arange(6.0).reshape(3, 2))
loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, [0, 2, 0])))
"""
)
OWN = ProgramRequest(
    """
import tensorflow as tf
x = tf.Variable(3.0)
y = tf.square(x)
train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(y)
"""
)
MASK = ProgramRequest(
    """
import tensorflow.compat.v1 as tf
x = tf.Variable([1.0, 0.02, 2.0])
y = tf.reduce_sum(tf.square(tf.boolean_mask(x, x > 0.01)))
"""
)
CHECKED = ProgramRequest(
    """
import tensorflow as tf
x = tf.Variable([1.0, 2.0])
far = tf.assert_less(tf.cast(tf.reduce_sum(x), tf.int32), 4, message="x has grown")
with tf.control_dependencies([far, tf.print("x is", x)]):
    y = tf.reduce_sum(tf.square(tf.Print(x, [x])))
"""
)
BATCHES = ProgramRequest(
    """
import tensorflow as tf
x = tf.Variable([[1.0, 2.0], [3.0, 5.0], [-1.0, 0.5]])
h = tf.layers.batch_normalization(x, training=True)
images = tf.layers.batch_normalization(tf.reshape(x, [3, 1, 1, 2]), training=True)
loss = tf.reduce_sum(tf.sigmoid(h) * x) + tf.reduce_mean(tf.square(images - 1.0))
"""
)


def assert_same(found: Any, wanted: Any, path: str = "") -> None:
    """Equal keys and lengths; numbers within 1e-12 of each other."""
    if isinstance(wanted, Mapping):
        assert found.keys() == wanted.keys(), path
        for key in wanted:
            assert_same(found[key], wanted[key], f"{path}/{key}")
    elif wanted and None in wanted:
        assert found == wanted, path
    else:
        np.testing.assert_allclose(
            np.array(found, dtype=float), np.array(wanted, dtype=float), rtol=1e-12, atol=1e-300, err_msg=path
        )


def assert_equals_runs(program: ProgramRequest, runs: list[RunRequest], steps: int) -> list[dict[str, Any]]:
    """Hold a race to the runs of which it consists; returns the race's."""
    found = run_race(program, RaceRequest(tuple(runs), steps), ROOMY)["runs"]
    for run, raced in zip(runs, found, strict=True):
        alone = optimise(
            program, RunRequest(**{**fields_of(run), "steps": steps, "record": "variables"}), ROOMY
        )
        assert_same(raced["columns"], {key: alone[key] for key in raced["columns"]}, str(run.optimizer))
        ending = ("status", "stopped_at", "diagnostics")
        assert {key: raced[key] for key in ending} == {key: alone[key] for key in ending}
    return list(found)


def fields_of(run: RunRequest) -> dict[str, Any]:
    return {field.name: getattr(run, field.name) for field in fields(run)}


@pytest.mark.slow
def test_every_optimizer_in_one_race() -> None:
    runs = [
        RunRequest(30, {"name": name, "learning_rate": rate}) for name in RULES for rate in (0.001, 0.003)
    ]
    assert_equals_runs(HIMMELBLAU, runs, 30)


@pytest.mark.slow
def test_every_hyper_parameter_may_differ_from_run_to_run() -> None:
    runs = [
        RunRequest(9, {"name": name, "learning_rate": 0.01, parameter.name: value})
        for name, rule in RULES.items()
        for parameter in fields(rule)  # type: ignore[arg-type]  # a rule is a dataclass
        if isinstance(parameter.default, float) and parameter.name in rule.hyper_parameters
        for value in (parameter.default, parameter.default * 0.75 + 0.125)
    ]
    for start in range(0, len(runs), 40):
        assert_equals_runs(SQUARE, runs[start : start + 40], 9)


def test_schedules_processing_and_starts() -> None:
    halving = {"name": "exponential_decay", "decay_steps": 2, "decay_rate": 0.5}
    adam = {"name": "Adam", "learning_rate": 0.1}
    assert "exponential_decay" in SCHEDULES
    runs = [
        RunRequest(6, adam),
        RunRequest(6, adam, schedule=halving),
        RunRequest(6, {**adam, "learning_rate": 0.2}, schedule=halving),
        RunRequest(6, {"name": "GradientDescent", "learning_rate": 0.1}, process=({"clip_by_norm": 5},)),
        RunRequest(
            6, {"name": "GradientDescent", "learning_rate": 0.1}, process=({"clip_by_global_norm": 2},)
        ),
        RunRequest(6, adam, start={"x": 2.5, "y": -1}),
        RunRequest(6, adam, start={"x": 1}, slots={"x": {"m": 3}}),
        RunRequest(6, {**adam, "beta1": 0.5}, start={"beta1_power": 0.25}),
    ]
    assert_equals_runs(HIMMELBLAU, runs, 6)


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [LAYER, EMBEDDING, CHECKED, BATCHES],
    ids=["a layer", "rows of a table", "checked in each step", "batches normalized"],
)
def test_matrices_and_rows(program: ProgramRequest) -> None:
    names = ["GradientDescent", "Momentum", "Adagrad", "Adam", "Ftrl", "keras.Adam"]
    assert_equals_runs(
        program, [RunRequest(5, {"name": n, "learning_rate": r}) for n in names for r in (0.1, 0.01)], 5
    )


def test_a_run_that_an_assertion_stops_stops_alone() -> None:
    program = ProgramRequest(
        "import tensorflow as tf\nx = tf.Variable(3.0)\nloss = tf.check_numerics(tf.exp(x * x), 'power')"
    )
    runs = [RunRequest(9, {"name": "GradientDescent", "learning_rate": rate}) for rate in (1e-6, 0.2, 1e-7)]
    found = run_race(program, RaceRequest(tuple(runs), 9), ROOMY)["runs"]
    alone = [optimise(program, run) for run in runs]
    assert [run["status"] for run in alone] == ["ok", "error", "ok"]
    assert [len(run["columns"]["loss"]) for run in found] == [len(run["loss"]) for run in alone]


def test_a_programs_own_optimizer_at_several_rates() -> None:
    runs = [RunRequest(5, {"learning_rate": rate}) for rate in (0.01, 0.1)] + [RunRequest(5)]
    assert_equals_runs(OWN, [*runs, RunRequest(5, {"name": "Adam", "learning_rate": 0.1})], 5)


def test_runs_whose_arrays_come_to_differ_in_shape_are_raced_one_by_one() -> None:
    runs = [RunRequest(9, {"name": "GradientDescent", "learning_rate": rate}) for rate in (0.01, 0.4)]
    found = assert_equals_runs(MASK, runs, 9)
    assert found[1]["columns"]["variables"]["x"][9][1] > 0.001  # once below 0.01 it stays


def test_each_run_ends_in_its_own_way() -> None:
    rates = (0.1, 0.5, 1.5, 40.0)
    runs = [RunRequest(200, {"name": "GradientDescent", "learning_rate": rate}) for rate in rates]
    found = assert_equals_runs(SQUARE, runs, 200)
    assert [run["status"] for run in found] == ["converged", "converged", "diverged", "diverged"]
    assert len(found[3]["columns"]["loss"]) < len(found[2]["columns"]["loss"]) < 201
    assert len(found[0]["columns"]["loss"]) == 201


@pytest.mark.parametrize("record", ["variables", "loss"])
def test_each_run_has_the_note_on_its_rate(record: str) -> None:
    bowl = ProgramRequest("y = 0.5*(x^2 + 25 z^2)", at={"x": 3, "z": 1})
    descents = [{"name": "GradientDescent", "learning_rate": rate} for rate in (0.07, 0.1)]
    starts: list[dict[str, Any]] = [{}, {"x": 1}, {"z": 0}]
    runs = [RunRequest(3, one, start=start) for one in descents for start in starts]
    runs.append(RunRequest(3, {"name": "Adam"}))
    found = run_race(bowl, RaceRequest(tuple(runs), 3, record), ROOMY)["runs"]
    assert [raced["diagnostics"] for raced in found] == [
        optimise(bowl, run, ROOMY)["diagnostics"] for run in runs
    ]
    reported = [[note["message"].rpartition("0.08. ")[2] for note in raced["diagnostics"]] for raced in found]
    level = "0.1 is not below it; only a start like this one does not show it."
    assert reported == [*[["0.07 is below it."]] * 3, *[["0.1 is above it: it diverges."]] * 2, [level], []]


def test_the_bound_follows_what_a_run_sets_besides() -> None:
    source = """
import tensorflow as tf
x = tf.Variable(3.0)
k = tf.Variable(1.0, trainable=False)
y = k * x * x
train = tf.train.GradientDescentOptimizer(0.3).minimize(y)
"""
    runs = [RunRequest(3, start={"k": k}) for k in (1, 4)]
    runs += [RunRequest(3, {"learning_rate": 0.1}, start={"k": k}) for k in (1, 4, -1)]
    found = assert_equals_runs(ProgramRequest(source), runs, 3)
    severities = [[note["severity"] for note in raced["diagnostics"]] for raced in found]
    assert severities == [["note"], ["warning"], ["note"], ["note"], []]


def test_a_rate_that_is_part_of_the_target_is_so_in_a_race_too() -> None:
    source = """
import tensorflow as tf
rate = tf.constant(0.1)
x = tf.Variable(3.0)
y = rate * x * x
train = tf.train.GradientDescentOptimizer(rate).minimize(y)
"""
    runs = [RunRequest(5, {"learning_rate": rate}) for rate in (0.1, 0.5, 1.0)]
    found = assert_equals_runs(ProgramRequest(source), runs, 5)
    assert [raced["columns"]["loss"][0] for raced in found] == pytest.approx([0.9, 4.5, 9.0])


def test_a_mistake_names_its_run_where_each_is_raced_by_itself() -> None:
    runs = (RunRequest(1, {"name": "Adam"}), RunRequest(1, {"name": "Adam"}, start={"z": 1}))
    with pytest.raises(GradlensError, match="Run 2: There is no variable `z`"):
        list(one_by_one(SQUARE, RaceRequest(runs, 1), ROOMY))


def test_a_number_that_is_not_finite_is_traced_to_its_node() -> None:
    runs = [RunRequest(5, {"name": "GradientDescent", "learning_rate": rate}) for rate in (0.01, 1.5)]
    found = assert_equals_runs(ProgramRequest("log(x) + x^2", at={"x": 1}), runs, 5)
    assert [run["status"] for run in found] == ["ok", "non_finite"]
    assert found[1]["stopped_at"]["node"] == "Log"
    assert "log of a negative number" in found[1]["diagnostics"][0]["message"]


def test_random_draws_are_those_of_a_run() -> None:
    source = "import tensorflow as tf\nx = tf.Variable(1.0)\ny = (x + tf.random_normal([], seed=3)) ** 2"
    assert_equals_runs(
        ProgramRequest(source), [RunRequest(4, {"name": "Adam"}), RunRequest(4, {"name": "Momentum"})], 4
    )


def test_the_loss_alone() -> None:
    race = RaceRequest((RunRequest(2, {"name": "GradientDescent", "learning_rate": 0.01}),), 2, record="loss")
    (raced,) = run_race(SQUARE, race, ROOMY)["runs"]
    assert raced["columns"] == {
        "steps": [0, 1, 2],
        "loss": [9.0, pytest.approx(8.6436), pytest.approx(8.30131)],
    }


def test_a_summary_has_the_end_of_each_run() -> None:
    rates = (0.1, 0.5, 1.5)
    runs = tuple(RunRequest(100, {"name": "GradientDescent", "learning_rate": rate}) for rate in rates)
    found = summarise_race(SQUARE, RaceRequest(runs, 100), ROOMY)
    race = run_race(SQUARE, RaceRequest(runs, 100), ROOMY)["runs"]
    for summary, raced in zip(found, race, strict=True):
        assert isinstance(summary, Summary)
        assert summary.loss == raced["columns"]["loss"][-1]
        assert summary.lowest_loss == min(raced["columns"]["loss"])
        assert summary.variables["x"] == raced["columns"]["variables"]["x"][-1]
    assert [summary.status for summary in found] == ["converged", "converged", "diverged"]


@pytest.mark.parametrize("mask", ["x", "tf.boolean_mask(x, x > 0.5)"], ids=["together", "one by one"])
def test_a_summary_keeps_variables_of_few_numbers_alone(mask: str) -> None:
    source = f"""
import tensorflow.compat.v1 as tf
x = tf.Variable(tf.ones([16]))
z = tf.Variable(tf.ones([17]))
y = tf.reduce_sum(tf.square({mask})) + tf.reduce_sum(z)
"""
    race = RaceRequest((RunRequest(1, {"name": "Adam"}),) * 2, 1)
    for summary in summarise_race(ProgramRequest(source), race, ROOMY):
        assert {name: value.shape for name, value in summary.variables.items()} == {"x": (16,)}


@pytest.mark.parametrize(("count", "steps"), [(100, 100_000), (101, 1), (0, 1)])
def test_a_race_too_large_is_refused_before_it_begins(count: int, steps: int) -> None:
    runs = (RunRequest(steps, {"name": "Adam"}),) * count
    with pytest.raises(GradlensError):
        run_race(SQUARE, RaceRequest(runs, steps), Limits(wall_s=0.5))


def test_a_race_too_large_asks_to_record_the_loss_alone_where_that_helps() -> None:
    fits = "Take fewer steps or runs"
    runs = (RunRequest(1, {"name": "Adam"}),) * 20
    for steps, record, hint in [
        (90_000, "variables", f'{fits}, or record only the loss: "record": "loss".'),
        (100_000, "variables", f"{fits}."),  # 20 * 100,001 losses alone are more than two million
        (100_000, "loss", f"{fits}."),
    ]:
        with pytest.raises(LimitError) as caught:
            run_race(SQUARE, RaceRequest(runs, steps, record), ROOMY)
        assert caught.value.hint == hint


@pytest.mark.parametrize("record", ["variables", "loss"])
def test_every_number_of_a_loss_counts(record: str) -> None:
    source = "import tensorflow as tf\nw = tf.Variable(tf.ones([1000]))\ny = w * w\n"
    race = RaceRequest((RunRequest(1_000, {"name": "Adam"}),) * 4, 1_000, record)
    with pytest.raises(LimitError, match="would hold"):
        run_race(ProgramRequest(source), race, ROOMY)


@pytest.mark.slow
def test_a_budget_ends_a_race_with_what_there_is() -> None:
    runs = (RunRequest(50_000, {"name": "Adam"}),) * 2
    race = RaceRequest(runs, 50_000)
    found = run_race(SQUARE, race, replace(ROOMY, element_operations=1_500_000))["runs"]
    assert {raced["status"] for raced in found} == {"limit"}
    assert 0 < len(found[0]["columns"]["loss"]) < 50_001
    with pytest.raises(LimitError):
        run_race(SQUARE, race, replace(ROOMY, element_operations=1_000))


def test_a_mistake_names_its_run() -> None:
    runs = (RunRequest(1, {"name": "Adam"}), RunRequest(1, {"name": "Adm"}))
    with pytest.raises(GradlensError, match="Run 2: There is no optimizer named 'Adm'"):
        run_race(SQUARE, RaceRequest(runs, 1), ROOMY)


@pytest.mark.parametrize("cut", [False, True], ids=["whole", "where to cut"])
def test_a_mistake_names_its_run_among_others_of_its_kind(cut: bool) -> None:
    good, bad = RunRequest(1, {"name": "Adam"}), RunRequest(1, {"name": "Adam"}, process=({"noise": 1},))
    race = RaceRequest((good, good, good, bad), 1)
    with pytest.raises(GradlensError, match="Run 4: There is no gradient processing named `noise`"):
        cuts_of(SQUARE, race, ROOMY) if cut else run_race(SQUARE, race, ROOMY)


def test_a_mistake_in_a_part_has_the_number_that_it_has_in_the_race() -> None:
    runs = (RunRequest(1, {"learning_rate": 0.1}),) * 5 + (RunRequest(1, {"beta1": 0.1}),)
    with pytest.raises(GradlensError, match="Run 6: Momentum has no hyper-parameter named 'beta1'"):
        summarise_race(OWN, part_of(RaceRequest(runs, 1), (4, 6)), ROOMY)


def test_a_run_that_draws_at_random_ends_as_by_itself() -> None:
    source = """
import tensorflow as tf
x = tf.Variable([1.0, 2.0, 3.0, 4.0])
y = tf.reduce_sum(x * x * tf.random_shuffle(tf.constant([0.0, 1.0, 2.0, 3.0])))
"""
    runs = [RunRequest(25, {"name": "GradientDescent", "learning_rate": rate}) for rate in (0.01, 5.0)]
    found = assert_equals_runs(ProgramRequest(source), runs, 25)
    assert [run["status"] for run in found] == ["ok", "diverged"]
    assert found[1]["stopped_at"]["node"] == "Sum"


def test_a_summary_ends_as_the_run_of_a_race_does() -> None:
    program = ProgramRequest("log(x) + x^2", at={"x": 1})
    rates = (0.01, 1.5, 1e40)
    race = RaceRequest(
        tuple(RunRequest(5, {"name": "GradientDescent", "learning_rate": r}) for r in rates), 5
    )
    found = [end.status for end in summarise_race(program, race, ROOMY)]
    assert found == [run["status"] for run in run_race(program, race, ROOMY)["runs"]]
    assert found == ["ok", "non_finite", "non_finite"]


def test_a_rate_is_one_number() -> None:
    with pytest.raises(GradlensError, match=r"learning_rate must be a number, but is \[0.1, 0.2\]"):
        optimise(SQUARE, RunRequest(1, {"name": "Adam", "learning_rate": [0.1, 0.2]}))
