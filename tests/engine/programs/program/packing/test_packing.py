"""Programs that have run, packed and unpacked: what goes on from there is the very same."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import orjson
import pytest

from engine.errors import GradlensError
from engine.programs import ProgramRequest, RunRequest, optimise, replay, run_and_pack, tell_lesson
from engine.programs.landscapes import LandscapeRequest, View, landscape
from engine.programs.landscapes.request import AxisRequest
from engine.programs.program.packing import outcomes, pack_outcome, small_file, unpack_outcome
from engine.programs.program.running import run_request
from engine.programs.races import RaceRequest, run_race
from tests.limits import ROOMY
from tests.test_examples import INDEX, request

ADAM = {"name": "Adam", "learning_rate": 0.1}
OPTIMIZERS: list[dict[str, Any] | None] = [ADAM, {"name": "GradientDescent", "learning_rate": 0.1}, None]
HEAD = "import tensorflow as tf\n"
ARRAYS = f"{HEAD}x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])\n"


def packed(program: ProgramRequest) -> ProgramRequest:
    """The program with what it left behind, which there must be."""
    _, ran = run_and_pack(program, ROOMY)
    assert ran
    return replace(program, ran=ran)


def answered(program: ProgramRequest, run: RunRequest) -> bytes | str:
    """A run's answer to the last digit, or why there is none."""
    try:
        return orjson.dumps(optimise(program, run, ROOMY))
    except GradlensError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["id"]))
def test_a_run_goes_on_from_a_packed_program_as_from_one_that_has_just_run(entry: dict[str, Any]) -> None:
    program = request(entry["id"])
    _, ran = run_and_pack(program, ROOMY)
    for optimizer in OPTIMIZERS:
        run = RunRequest(5, optimizer)
        assert answered(replace(program, ran=ran), run) == answered(program, run)


@pytest.mark.slow
def test_all_but_one_example_can_be_packed() -> None:
    unpacked = [entry["id"] for entry in INDEX if not run_and_pack(request(entry["id"]), ROOMY)[1]]
    assert unpacked == ["g09", "g10"]  # whose gradient is a function of its own


def test_a_packed_program_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    program = packed(ProgramRequest("y = x^2", at={"x": 3}))
    monkeypatch.setattr(outcomes, "run_request", None)
    assert optimise(program, RunRequest(1, {**ADAM, "name": "GradientDescent"}))["loss"][0] == 9.0


def test_a_program_that_stopped_is_packed_up_to_its_mistake() -> None:
    program = ProgramRequest(f"{HEAD}x = tf.Variable(3.0)\ny = x ** 2\nz = y + w")
    body, ran = run_and_pack(program)
    assert body["status"] == "error"
    assert tell_lesson(replace(program, ran=ran)) == tell_lesson(program)
    refused = answered(replace(program, ran=ran), RunRequest(3, ADAM))
    assert refused == answered(program, RunRequest(3, ADAM))
    assert isinstance(refused, str)


def test_the_graph_of_a_large_packed_program_has_second_derivatives() -> None:
    turns = "".join(f"\n    h = tf.{name}(w * h)" for name in ("sin", "cos", "tanh"))
    chain = f"{HEAD}w = tf.Variable(0.5, name='w')\nh = tf.constant(1.0)\nfor _ in range(60):{turns}\n"
    program = ProgramRequest(f"{chain}tf.train.GradientDescentOptimizer(0.1).minimize(h)")
    asked = LandscapeRequest((AxisRequest(5, "w", start=-1, stop=1),), gradient=True)
    assert landscape(packed(program), asked, ROOMY) == landscape(program, asked, ROOMY)


def test_each_run_grows_a_graph_of_its_own() -> None:
    program = packed(ProgramRequest("y = x^2", at={"x": 3}))
    first, second = (optimise(program, RunRequest(3, ADAM)) for _ in range(2))
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        f"{ARRAYS}y = tf.reduce_sum(tf.transpose(x) @ x)",
        f"{ARRAYS}y = tf.reduce_sum(x * tf.random.normal([2, 2]))",
        f"{ARRAYS}def f(t):\n    return tf.reduce_sum(t ** 2)\nsquares = [f, {{'of x': f(x)}}]\ny = f(x)",
        f"{HEAD}import numpy as np\nx = tf.Variable(1.0)\nrows = np.arange(6.0).reshape(2, 3)[:, ::2]\n"
        "y = tf.reduce_sum(x * tf.constant(rows, tf.float32))",
        f"{HEAD}x = tf.Variable(2.0)\ny = tf.cond(x > 1, lambda: x ** 2, lambda: -x)",
        f"{HEAD}x = tf.Variable(2.0)\n"
        "i, y = tf.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, p * x), [0, x])",
        f"{HEAD}x = tf.Variable(2.0)\np = tf.placeholder(tf.float32)\ny = x * p\n"
        "with tf.Session() as s:\n    s.run(x.initializer)\n    s.run(y, {p: 4.0})",
        f"{HEAD}model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)])\n"
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(model(tf.ones([3, 2])) ** 2)\n"
        "grads = tape.gradient(loss, model.trainable_variables)",
        f"{HEAD}x = tf.Variable([1.0, 2.0])\nopt = tf.keras.optimizers.Adam(0.1)\nfor i in range(3):\n"
        "    with tf.GradientTape() as tape:\n        loss = tf.reduce_sum(x ** 2)\n"
        "    opt.apply_gradients([(tape.gradient(loss, x), x)])",
        f"{ARRAYS}from collections import namedtuple\nPair = namedtuple('Pair', 'a b', defaults=[print])\n"
        "p = Pair(x, 2.0)\ny = tf.reduce_sum(p.a * p.b)",
        f"{ARRAYS}h = tf.layers.batch_normalization(x, training=tf.placeholder_with_default(True, []))\n"
        "loss = tf.reduce_sum(tf.sigmoid(h))\n"
        "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n"
        "    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)",
        f"{ARRAYS}w = tf.Variable(x * 2.0)\naverage = tf.train.ExponentialMovingAverage(0.9)\n"
        "y = tf.reduce_sum(tf.Print(w, [w]) ** 2)\n"
        "with tf.control_dependencies([tf.assert_less(y, 1e9), average.apply([w])]):\n    loss = y * 1.0",
    ],
    ids=[
        *("transposed", "random", "functions", "view", "cond", "loop", "fed", "keras", "turns"),
        *("namedtuple", "batches", "averages"),
    ],
)
def test_whatever_a_program_leaves_behind_its_run_is_the_same(source: str) -> None:
    program = ProgramRequest(source)
    _, ran = run_and_pack(program, ROOMY)
    assert bool(ran) is ("[:, ::2]" not in source)  # a view of an array stays behind
    for optimizer in OPTIMIZERS:
        run = RunRequest(4, optimizer, start={})
        assert answered(replace(program, ran=ran), run) == answered(program, run)


def test_a_race_a_landscape_and_a_step_are_the_same_too() -> None:
    valley = request("g22")
    ran = packed(valley)
    race = RaceRequest((RunRequest(0, ADAM), RunRequest(0, {**ADAM, "learning_rate": 0.2})), steps=20)
    assert run_race(ran, race, ROOMY) == run_race(valley, race, ROOMY)
    assert replay(ran, RunRequest(9, ADAM), 7) == replay(valley, RunRequest(9, ADAM), 7)
    asked = LandscapeRequest((AxisRequest(5, "x", start=-1, stop=1),), gradient=True)
    first, second = (View.of(each, asked, ROOMY) for each in (ran, valley))
    seen, seen_too = (view.look(view.bands()[0]) for view in (first, second))
    assert str(seen) == str(seen_too)
    assert first.without_grids([seen[1]]) == second.without_grids([seen_too[1]])


@pytest.mark.slow
def test_a_program_that_was_refused_met_a_limit_or_is_large_is_not_packed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for source, dialect, status in (("1", "none", "refused"), ("while True:\n    pass", "tf1", "limit")):
        body, ran = run_and_pack(ProgramRequest(source, dialect=dialect))
        assert (body["status"], ran) == (status, b"")
    outcome = run_request(ProgramRequest("y = exp(sin(x))"), ROOMY)
    assert pack_outcome(outcome)
    for module, bound in ((outcomes, "MOST_NODES"), (small_file, "MOST_BYTES")):
        with monkeypatch.context() as context:
            context.setattr(module, bound, 2)
            assert pack_outcome(outcome) == b""
    with caplog.at_level(logging.INFO, "engine.programs.program.packing"):
        run_and_pack(request("g09"))
    assert "has to be run again each time" in caplog.text


@pytest.mark.parametrize(
    "source",
    [
        "a = [['x'] * 1000] * 1000\nb = [a] * 1000",
        "class Point:\n    def __init__(self):\n        self.x = list(range(10000))\na = [Point()] * 10000",
        "import numpy as np\nrows = {n: np.ones(100000) for n in range(9)}",
        "texts = [str(n) + 'x' * 900000 for n in range(9)]",
    ],
    ids=["lists", "objects", "arrays", "texts"],
)
def test_a_program_that_leaves_much_behind_is_given_up_at_once(source: str) -> None:
    outcome = run_request(ProgramRequest(source, dialect="tf2"), ROOMY)
    assert outcome.status == "ok"
    files = []

    class Watched(small_file.SmallFile):
        def __init__(self) -> None:
            super().__init__()
            files.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outcomes, "SmallFile", Watched)
        assert pack_outcome(outcome) == b""
    assert files[0].tell() <= small_file.MOST_BYTES


def test_a_chain_of_many_nodes_is_packed_without_recursion() -> None:
    program = ProgramRequest(f"{HEAD}x = tf.Variable(1.0)\ny = x\nfor _ in range(2000):\n    y = y + x")
    outcome = run_request(program, ROOMY)
    found = unpack_outcome(pack_outcome(outcome), ROOMY)
    assert [node.name for node in found.graph.nodes] == [node.name for node in outcome.graph.nodes]
    assert found.target is not None
    assert found.target.node.inputs[0].node.index < found.target.node.index
