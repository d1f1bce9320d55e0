"""Steps of an optimizer as columns: row 0 is the start, row k the state after k updates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.errors import GradlensError
from engine.optimizers import RULES
from engine.programs import ProgramRequest, RunRequest, optimise, run_program
from tests.limits import ROOMY

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


def test_what_the_programs_own_sessions_ran_is_not_sent_again() -> None:
    program = ProgramRequest(
        "import tensorflow as tf\nx = tf.Variable(3.)\ny = x * x\nsess = tf.Session()\n"
        "sess.run(tf.global_variables_initializer())\nsess.run(y)"
    )
    assert run_program(program)["sessions"][0]["runs"] == 2
    assert optimise(program, RunRequest(1, DESCENT))["program"]["sessions"] == []


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


OWN_MOMENTUM = (
    "import tensorflow as tf\nx = tf.Variable(3.)\n"
    "train = tf.train.MomentumOptimizer(0.1, 0.5).minimize(x * x)"
)
OWN_DECAY = (
    "import tensorflow as tf\nx = tf.Variable(3.)\nk = tf.Variable(0, trainable=False)\n"
    "rate = tf.train.exponential_decay(0.1, k, 1, 0.5)\n"
    "train = tf.train.GradientDescentOptimizer(rate).minimize(x * x, global_step=k)"
)
HALVING = {"name": "exponential_decay", "decay_steps": 1, "decay_rate": 0.5}


@pytest.mark.parametrize(
    ("source", "more", "x"),
    [
        (OWN_MOMENTUM, {"process": ({"clip_by_norm": 3},)}, [3, 2.7, 2.25]),  # 0.1·3, 0.1·(0.5·3 + 3)
        (OWN_MOMENTUM, {"schedule": HALVING}, [3, 2.4, 2.01]),  # 0.1·6, 0.05·(0.5·6 + 4.8)
        (OWN_MOMENTUM, {"schedule": HALVING, "optimizer": {"learning_rate": 0.2}}, [3, 1.8, 1.14]),
        (OWN_DECAY, {"process": ({"clip_by_norm": 3},)}, [3, 2.7, 2.55]),  # 0.1·3, 0.05·3
        (OWN_DECAY, {"schedule": HALVING, "optimizer": {"learning_rate": 0.2}}, [3, 1.8, 1.44]),
    ],
)
def test_the_programs_own_optimizer_takes_a_process_and_a_schedule(
    source: str, more: dict[str, Any], x: list[float]
) -> None:
    run = optimise(ProgramRequest(source), RunRequest(2, **more))
    assert run["variables"]["x"] == pytest.approx(x)


def test_a_rate_in_place_of_the_programs_own_is_shown_at_its_node() -> None:
    run = optimise(ProgramRequest(OWN_MOMENTUM), RunRequest(2, {"learning_rate": 0.2}))
    values = {node["name"]: node.get("value") for node in run["program"]["graph"]["nodes"]}
    assert values["Momentum/learning_rate"]["data"] == 0.2


@pytest.mark.parametrize(
    ("asked", "scopes"),
    [
        ("", {"gradients"}),
        (", var_list=[x, w]", {"gradients"}),
        (", var_list=[w]", {"gradients", "gradients_1"}),
        (", grad_loss=tf.constant(2.0)", {"gradients", "gradients_1"}),
        (", gate_gradients=tf.train.Optimizer.GATE_NONE", {"gradients", "gradients_1"}),
        (", colocate_gradients_with_ops=True", {"gradients", "gradients_1"}),
    ],
)
def test_another_optimizer_takes_the_gradients_that_it_would_have_asked_for(
    asked: str, scopes: set[str]
) -> None:
    source = f"""
x, w = tf.Variable(3.0), tf.Variable(1.0)
loss = tf.square(x) + x * w
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss{asked})
"""
    run = optimise(ProgramRequest("import tensorflow as tf" + source), RunRequest(1, DESCENT))
    nodes = run["program"]["graph"]["nodes"]
    assert {node["name"].split("/")[0] for node in nodes if node["phase"] == "gradient"} == scopes
    assert run["gradients"] == {"x": [7.0, pytest.approx(6.83)], "w": [3.0, pytest.approx(2.93)]}
    assert run["variables"] == {"x": [3.0, pytest.approx(2.93)], "w": [1.0, pytest.approx(0.97)]}


def test_a_schedule_needs_a_rate_to_start_from() -> None:
    with pytest.raises(GradlensError, match="starts from a rate that is a number") as error:
        optimise(ProgramRequest(OWN_DECAY), RunRequest(2, schedule=HALVING))
    assert error.value.code == "no_plain_rate"


def test_the_start_can_be_moved() -> None:
    run = optimise(SQUARE, RunRequest(1, DESCENT, start={"x": 5}))
    assert run["variables"]["x"] == [5.0, pytest.approx(4.9)]


def test_a_variable_may_be_started_by_its_name_in_python_or_in_the_graph() -> None:
    source = (
        "import tensorflow as tf\nn = tf.Variable(2, trainable=False)\nx = tf.Variable(3.)\n"
        "y = x * tf.cast(n, tf.float32)"
    )
    for start in ({"x": 5, "n": 4}, {"Variable_1": 5, "Variable": 4}):
        assert optimise(ProgramRequest(source), RunRequest(0, DESCENT, start=start))["loss"] == [20.0]
    with pytest.raises(GradlensError, match="There is no variable `m` to start from") as caught:
        optimise(ProgramRequest(source), RunRequest(0, DESCENT, start={"m": 4}))
    assert caught.value.hint.startswith("The variables are: ") or "Did you mean" in caught.value.hint


def test_slots_have_columns_of_their_own() -> None:
    momentum = {"name": "Momentum", "learning_rate": 0.1, "momentum": 0.5}
    run = optimise(SQUARE, RunRequest(1, momentum))
    assert run["slots"] == {"x": {"momentum": [0.0, 6.0]}}


def test_nodes_are_recorded_step_by_step() -> None:
    momentum = {"name": "Momentum", "learning_rate": 0.01, "momentum": 0.9}
    nodes = optimise(SQUARE, RunRequest(1, momentum))["nodes"]
    assert nodes["pow:0"] == [9.0, pytest.approx(8.6436)]
    assert nodes["x/Momentum:0"] == [0.0, 6.0]
    assert optimise(SQUARE, RunRequest(1, DESCENT, record="variables"))["nodes"] == {}


def test_a_value_that_is_no_number_ends_the_run_where_it_happened() -> None:
    run = optimise(ProgramRequest("y = log(x)", at={"x": 0.05}), RunRequest(10, DESCENT))
    assert run["status"] == "non_finite"
    assert (run["stopped_at"]["step"], run["stopped_at"]["node"]) == (1, "Log")
    assert run["loss"][1] == "nan"


def test_the_log_of_a_negative_number_is_reported_with_what_to_try() -> None:
    run = optimise(ProgramRequest("y = log(x)", at={"x": 0.05}), RunRequest(10, DESCENT))
    assert run["variables"]["x"][1] == pytest.approx(-0.15)  # 0.05 - 0.01 / 0.05
    assert run["stopped_at"]["reason"] == "The log of a negative number, −0.15, is not defined."
    assert run["stopped_at"]["reason_zh"] == "负数 −0.15 的对数没有定义。"
    assert "exp(z)" in run["stopped_at"]["hint"]
    [reported] = [reported for reported in run["diagnostics"] if reported["code"] == "non_finite"]
    assert (reported["line"], reported["column"], reported["end_column"]) == (1, 5, 11)  # log(x) in the text


@pytest.mark.parametrize(
    ("source", "at", "node", "reason"),
    [
        ("y = sqrt(x)", 0, "gradients/Sqrt_grad/SqrtGrad", "The slope of a root at 0 is infinite."),
        ("y = exp(x)", 800, "Exp", "Overflow: exp of 800 is beyond the largest float64, 1.798×10³⁰⁸."),
        ("y = 0 * exp(x)", 800, "Exp", "… Then 0 · ∞ at mul is NaN."),
        ("y = 1 / x", 0, "truediv", "A division by 0."),
        ("y = log(x)", 0, "Log", "The log of 0 is −∞."),
        ("y = sqrt(x)", -4, "Sqrt", "The square root of a negative number, −4, is not defined."),
        ("y = x^0.5", -4, "pow", "A negative number, −4, has no such power: 0.5 is not whole."),
        ("y = x^400", -8, "pow", "Overflow: −8 to the power 400 is beyond the largest float64, 1.798×10³⁰⁸."),
        ("y = x^(-1.5)", 0, "pow", "0 to a negative power, −1.5, is a division by 0."),
    ],
)
def test_the_first_node_and_the_rule_that_it_broke_are_named(
    source: str, at: float, node: str, reason: str
) -> None:
    stop = optimise(ProgramRequest(source, at={"x": at}), RunRequest(3, DESCENT))["stopped_at"]
    assert (stop["step"], stop["node"]) == (0, node)
    assert stop["reason"].endswith(reason.removeprefix("…"))


@pytest.mark.parametrize(
    ("source", "at", "is_named"),
    [
        ("y = x^4", 3, True),  # with this rate it runs away
        ("y = log(x)", 0.05, True),
        ("y = log(x)", -1, False),  # no rate mends the start
        ("y = (x - 3)^0.5 - 3 * x", 3.5, False),  # grows, and has no ending
    ],
)
def test_a_smaller_rate_is_named_where_it_is_what_to_try(source: str, at: float, is_named: bool) -> None:
    stop = optimise(ProgramRequest(source, at={"x": at}), RunRequest(10, {**DESCENT, "learning_rate": 0.5}))[
        "stopped_at"
    ]
    assert bool(stop and stop.get("smaller_rate")) == is_named


@pytest.mark.parametrize(
    ("rate", "steps", "x"),
    [
        (0.5, 1, 0.0),
        (0.9, 2, 1.92),  # 3 * (-0.8)^2
        (1.0, 99, -3.0),
        (1.01, 100, 21.7),  # 3 * 1.02^100
        (1.1, 100, 2.48e8),  # 3 * 1.2^100
    ],
)
def test_the_learning_rate_decides_between_one_step_and_divergence(rate: float, steps: int, x: float) -> None:
    run = optimise(SQUARE, RunRequest(steps, {**DESCENT, "learning_rate": rate}))
    assert run["variables"]["x"][steps] == pytest.approx(x, rel=2e-3)


@pytest.mark.parametrize(
    ("rate", "severity", "says"),
    [
        (0.01, "note", "L = 2: gradient descent converges for learning rates below 2/L = 1. 0.01 is below"),
        (1.0, "warning", "1 is just this bound: it swings for ever."),
        (1.1, "warning", "1.1 is above it: it diverges."),
    ],
)
def test_the_bound_on_the_rate_of_a_quadratic_target_is_reported(
    rate: float, severity: str, says: str
) -> None:
    [note] = optimise(SQUARE, RunRequest(1, {**DESCENT, "learning_rate": rate}))["diagnostics"]
    assert (note["code"], note["severity"]) == ("rate_bound", severity)
    assert says in note["message"]


def test_the_bound_of_the_ravine_is_0_08_and_a_curve_that_is_no_parabola_has_none() -> None:
    ravine = ProgramRequest("y = 0.5*(a^2 + 25*b^2)", at={"a": 3, "b": 1})
    assert "2/L = 0.08." in optimise(ravine, RunRequest(1, DESCENT))["diagnostics"][0]["message"]
    quartic = ProgramRequest("y = x^4", at={"x": 1})
    assert optimise(quartic, RunRequest(1, DESCENT))["diagnostics"] == []


@pytest.mark.parametrize(
    ("optimizer", "x"),
    [
        (DESCENT, 0.398),
        ({"name": "Momentum", "learning_rate": 0.01, "momentum": 0.9}, 0.0127),
        ({"name": "Adam", "learning_rate": 0.01}, 2.06),
    ],
)
def test_a_hundred_steps_of_three_optimizers_on_a_square(optimizer: dict[str, Any], x: float) -> None:
    run = optimise(SQUARE, RunRequest(100, optimizer))
    assert abs(run["variables"]["x"][100]) == pytest.approx(x, rel=5e-3)


@pytest.mark.parametrize(("step", "clipped"), [("clip_by_norm", [3, 4]), ("clip_by_value", [5, 5])])
def test_clipping_by_norm_keeps_the_direction_and_by_value_does_not(step: str, clipped: list[float]) -> None:
    source = "import tensorflow as tf\nv = tf.Variable([6., 8.])\ny = tf.reduce_sum(v * v) / 2"
    run = optimise(ProgramRequest(source), RunRequest(0, DESCENT, process=({step: 5},)))
    assert run["gradients"]["v"][0] == [6, 8]
    assert run["processed"]["v"][0] == pytest.approx(clipped)


def test_stages_of_processing_follow_one_another() -> None:
    stages = ({"scale": 2}, {"clip_by_norm": 5}, {"clip_by_value": [-1, 4]})
    run = optimise(SQUARE, RunRequest(0, DESCENT, process=stages))
    assert run["processed"]["x"] == [4.0]  # 6, 12, 5, 4


@pytest.mark.parametrize("name", RULES)
def test_every_optimizer_of_the_catalogue_lowers_the_loss_and_shows_its_slots(name: str) -> None:
    run = optimise(SQUARE, RunRequest(20, {"name": name, "learning_rate": 0.05}))
    assert run["loss"][20] < run["loss"][0]
    assert set(run["slots"].get("x", {})) >= set(RULES[name]().slots)


@pytest.mark.parametrize(
    ("schedule", "moved"),
    [
        ({"name": "exponential_decay", "decay_steps": 1, "decay_rate": 0.5}, [4, 2, 1]),
        ({"name": "inverse_time_decay", "decay_steps": 1, "decay_rate": 1}, [4, 2, 4 / 3]),
        ({"name": "natural_exp_decay", "decay_steps": 1, "decay_rate": 0.6931472}, [4, 2, 1]),
        ({"name": "polynomial_decay", "decay_steps": 4, "end_learning_rate": 0}, [4, 3, 2]),
        ({"name": "piecewise_constant", "boundaries": [0], "values": [1, 0.5]}, [4, 2, 2]),
        ({"name": "cosine_decay", "decay_steps": 2}, [4, 2, 0]),
        ({"name": "warm_up", "warmup_steps": 2}, [2, 4, 4]),
    ],
)
def test_a_schedule_moves_the_rate_of_1_from_step_to_step(
    schedule: dict[str, Any], moved: list[float]
) -> None:
    line = ProgramRequest("4 * x", at={"x": 20})
    run = optimise(line, RunRequest(3, {**DESCENT, "learning_rate": 1}, schedule=schedule))
    x = run["variables"]["x"]
    assert [x[k] - x[k + 1] for k in range(3)] == pytest.approx(moved, abs=1e-5)


def test_a_run_that_has_arrived_says_since_when() -> None:
    run = optimise(SQUARE, RunRequest(10, {**DESCENT, "learning_rate": 0.5}))
    assert (run["status"], run["stopped_at"]["step"], len(run["steps"])) == ("converged", 1, 11)
    assert optimise(SQUARE, RunRequest(10, DESCENT))["status"] == "ok"


@pytest.mark.parametrize("name", ["Momentum", "Adam", "RMSProp", "keras.Adam", "keras.Nadam", "AdagradDA"])
def test_a_run_may_go_on_from_any_row_of_another(name: str) -> None:
    optimizer = {"name": name, "learning_rate": 0.01}
    optimizer |= {"momentum": 0.9} if name == "Momentum" else {}
    whole = optimise(SQUARE, RunRequest(7, optimizer))
    start = {key: column[4] for key, column in (whole["variables"] | whole["shared"]).items()}
    slots = {
        key: {slot: column[4] for slot, column in states.items()} for key, states in whole["slots"].items()
    }
    rest = optimise(SQUARE, RunRequest(3, optimizer, start=start, slots=slots))
    assert rest["variables"]["x"] == pytest.approx(whole["variables"]["x"][4:], rel=1e-12)


def test_the_rate_of_the_programs_own_optimizer_can_be_moved() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable(3.)\n"
        "t = tf.train.MomentumOptimizer(0.5, 0.9).minimize(x * x)"
    )
    run = optimise(ProgramRequest(source), RunRequest(1, {"learning_rate": 0.25}))
    assert run["variables"] == {"x": [3.0, 1.5]}  # 3 - 0.25 * 6
    with pytest.raises(GradlensError, match="no hyper-parameter named 'rate'") as caught:
        optimise(ProgramRequest(source), RunRequest(1, {"rate": 0.25}))
    assert "learning_rate" in caught.value.hint


def test_a_run_that_explodes_is_stopped() -> None:
    run = optimise(SQUARE, RunRequest(1000, {**DESCENT, "learning_rate": 1.1}))
    assert run["status"] == "diverged"
    assert len(run["loss"]) < 1000
    stop = run["stopped_at"]
    assert (stop["step"], stop["node"]) == (len(run["loss"]) - 1, "pow")
    assert "smaller learning rate" in stop["hint"]
    assert "更小的学习率" in stop["hint_zh"]


def test_a_budget_ends_the_run_and_keeps_its_rows() -> None:
    run = optimise(SQUARE, RunRequest(1000, DESCENT), replace(ROOMY, element_operations=1000))
    assert run["status"] == "limit"
    assert 1 < len(run["loss"]) < 1000
    assert run["stopped_at"]["hint"] == "Go on from the last row, or take fewer steps."


@pytest.mark.parametrize(
    ("request_", "run", "code"),
    [
        (SQUARE, RunRequest(1, {"name": "GradientDecent"}), "unknown_optimizer"),
        (SQUARE, RunRequest(1, {"name": "GradientDescent", "rate": 1}), "unknown_argument"),
        (SQUARE, RunRequest(1, DESCENT, start={"z": 1}), "unknown_variable"),
        (SQUARE, RunRequest(1, DESCENT, start={"x": [1, 2]}), "shape_mismatch"),
        (SQUARE, RunRequest(1, DESCENT, process=({"clip": 1},)), "unknown_process"),
        (SQUARE, RunRequest(1, DESCENT, slots={"x": {"momentum": 1}}), "unknown_slot"),
        (SQUARE, RunRequest(1, DESCENT, process=({"clip_by_norm": -1},)), "bad_process"),
        (SQUARE, RunRequest(1, DESCENT, process=({"clip_by_norm": float("inf")},)), "bad_process"),
        (SQUARE, RunRequest(1, DESCENT, process=({"clip_by_value": [3, 1]},)), "bad_process"),
        (SQUARE, RunRequest(1, DESCENT, process=({"scale": 2, "clip_by_norm": 5},)), "bad_process"),
        (SQUARE, RunRequest(1, DESCENT, process=({},)), "bad_process"),
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


def test_a_run_shows_what_every_step_is_fed_with() -> None:
    source = """
import tensorflow as tf
p = tf.placeholder(tf.float32, name="p")
x = tf.Variable(3.0)
y = p * tf.square(x)
train = tf.train.GradientDescentOptimizer(0.1).minimize(y)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {p: 2.0})
"""
    changed = RunRequest(2, {"learning_rate": 0.25})
    reported = {
        "own": optimise(ProgramRequest(source), RunRequest(2)),
        "given": optimise(ProgramRequest(source, feeds={"p": 1}), changed),
    }
    feeds = {
        name: {feed["tensor"]: feed["value"]["data"] for feed in run["feeds"]}
        for name, run in reported.items()
    }
    assert feeds == {"own": {"p:0": 2.0}, "given": {"p:0": 1.0, "GradientDescent/learning_rate:0": 0.25}}
    assert [run["loss"][0] for run in reported.values()] == [18.0, 9.0]
    assert optimise(SQUARE, RunRequest(1, DESCENT))["feeds"] == []
