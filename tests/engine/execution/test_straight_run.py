"""What a session is asked again and again is one function: every number, write and cost as node by node."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.errors import LimitError
from engine.execution import Session
from engine.execution.interpreter import session as sessions
from engine.execution.straight_run import LateRun, StraightRun
from engine.graph import Graph, Variable
from engine.languages.interpreter.budget import Budget
from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

NEVER = 10**9
BEGIN = (
    "import tensorflow as tf\nimport numpy as np\nr = np.random.RandomState(0)\n"
    "x = tf.placeholder(tf.float32)\nX = tf.placeholder(tf.float32, [None, 2])\nv = tf.Variable(1.7)\n"
)
LOOP = (
    "s = tf.Session()\ns.run(tf.global_variables_initializer())\nfor i in range(30):\n"
    "    print(s.run({}))\nprint(s.run(tf.global_variables()))\n"
)
OPTIMIZERS = [
    *("GradientDescent", "Adam", "RMSProp", "Adagrad", "Ftrl"),
]
PROGRAMS = {
    **{
        f"{name}, {dtype}": (
            f"w = tf.Variable(1.7, dtype=tf.{dtype})\n"
            "y = tf.log(w * w + 1) * tf.tanh(w) + w ** 3 / tf.cosh(w) + tf.atan(w)\n"
            f"train = tf.train.{name}Optimizer(0.1).minimize(y)",
            "[train, y, w]",
        )
        for name in OPTIMIZERS
        for dtype in ("float32", "float64")
    },
    "a network with batches of several lengths": (
        "w = tf.Variable(tf.ones([2, 4]) * 0.3)\nb = tf.Variable(tf.zeros([4]))\n"
        "u = tf.Variable(tf.ones([4, 1]))\n"
        "p = tf.sigmoid(tf.matmul(tf.nn.relu(tf.matmul(X, w) + b), u))\nloss = tf.reduce_mean(-tf.log(p))\n"
        "train = tf.train.AdamOptimizer(0.05).minimize(loss)",
        "[train, loss, p], {X: r.randn(3 + i % 2, 2)}",
    ),
    "updates that see each other": (
        "a = tf.Variable(2.)\nu = tf.assign_add(v, a)\nwith tf.control_dependencies([u]):\n"
        "    t = tf.assign(a, v * 0.5)",
        "{'u': u, 'pair': (t, v, a)}",
    ),
    "a rate that falls": (
        "c = tf.Variable(0, trainable=False)\n"
        "rate = tf.train.exponential_decay(0.1, c, 5, 0.9, staircase=True)\n"
        "train = tf.train.GradientDescentOptimizer(rate).minimize(v * v, global_step=c)",
        "[train, c, rate]",
    ),
    "infinities": ("train = tf.train.GradientDescentOptimizer(9.).minimize(v ** 4)", "[train, v]"),
    "truths and choices": (
        "t = x < 20.\ny = tf.where(t, x * 2, x - 1)\nz = tf.logical_and(t, x > 3)\nu = tf.assign_add(v, y)",
        "[t, y, z, u], {x: i}",
    ),
    "a mistake that comes late": ("q = 100 // (20 - tf.cast(x, tf.int32))", "[q], {x: i}"),
    "a feed that does not fit": ("y = tf.reduce_sum(X, 0)", "y, {X: r.randn(2, 2 if i < 25 else 3)}"),
    "a branch": ("y = tf.cond(v > 1, lambda: v * v, lambda: v + 1)\nu = tf.assign_sub(v, 0.1)", "[y, u]"),
    "random numbers": ("y = v * tf.random_normal([], seed=3)", "y"),
    "a node that prints": ("y = tf.Print(v, [v])\nu = tf.assign_add(v, 1.)", "[y, u]"),
    "a value in place of a variable's": ("y = v * 2", "y, {v: float(i)}"),
    "a value in the middle": ("y = v * 2\nz = tf.sin(y)", "[y, z], {y: float(i)}"),
}


def answer(monkeypatch: pytest.MonkeyPatch, source: str, runs: int) -> str:
    """The answer to a program, where so many runs come before a function."""
    monkeypatch.setattr(sessions, "RUNS_BEFORE_A_FUNCTION", runs)
    return json.dumps(run_program(ProgramRequest(source)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_with_functions_and_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    building, asked = PROGRAMS[name]
    source = BEGIN + building + "\n" + LOOP.format(asked)
    assert answer(monkeypatch, source, 3) == answer(monkeypatch, source, NEVER)


def running(meter: Any = None) -> tuple[Session, list[Any], Any, Any]:
    """A session whose runs are seen; a tensor that is fed, and an update that adds it to a variable."""
    with Graph().as_default() as graph:
        x = ops.placeholder("float32", name="x")
        w = Variable(2.0)
        update = ops.assign_add(w.ref, x * 3.0)
    seen: list[Any] = []
    session = Session(graph, observe=seen.append, meter=meter)
    session.run(graph.node(w.initializer.name))
    seen.clear()
    return session, seen, x, update


def test_a_function_takes_over_after_some_runs_and_its_record_comes_when_it_is_looked_at() -> None:
    session, seen, x, update = running()
    for _ in range(sessions.RUNS_BEFORE_A_FUNCTION + 2):
        session.run(update, {x: 0.5})
    assert [isinstance(run, LateRun) for run in seen[-3:]] == [False, True, True]
    before, last = seen[-2:]
    assert last.fetches[0][1] == 2.0 + 1.5 * len(seen)
    ((fed, value),) = last.feeds
    assert (fed, value.dtype, value) == (x, np.float32, 0.5)
    (write,) = last.updates
    assert (write.before, write.after) == (2.0 + 1.5 * (len(seen) - 1), 2.0 + 1.5 * len(seen))
    assert write.before == before.updates[0].after
    assert list(last.values) == list(seen[0].values)
    assert last.dead == set()


def test_other_shapes_are_other_runs() -> None:
    session, seen, x, _ = running()
    with session.graph.as_default():
        y = x * x
    for _ in range(sessions.RUNS_BEFORE_A_FUNCTION + 1):
        session.run([y], {x: 3.0})
    (found,) = session.run([y], {x: [1.0, 2.0]})
    assert [isinstance(run, LateRun) for run in seen[-2:]] == [True, False]
    assert found.tolist() == [1.0, 4.0]


def test_what_a_program_holds_is_not_what_it_fed() -> None:
    session, seen, x, _ = running()
    with session.graph.as_default():
        y = x * 2.0
    given = np.ones(3, np.float32)
    for _ in range(sessions.RUNS_BEFORE_A_FUNCTION + 1):
        session.run([x, y], {x: given})
    given += 1
    ((_, kept),) = seen[-1].feeds
    assert kept.tolist() == [1.0, 1.0, 1.0]


def test_a_run_by_a_function_costs_as_much_as_one_by_nodes() -> None:
    spent = []
    for runs in (3, NEVER):
        budget = Budget(ROOMY)
        session, _, x, update = running(budget)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sessions, "RUNS_BEFORE_A_FUNCTION", runs)
            for _ in range(20):
                session.run(update, {x: 0.5})
        spent.append(budget.operations)
    assert spent[0] == spent[1]


def test_a_run_beyond_a_budget_changes_nothing() -> None:
    budget = Budget(replace(ROOMY, element_operations=500))
    session, _, x, update = running(budget)
    (variable,) = session.variables
    value = 0.0

    def run_on() -> None:
        nonlocal value
        while True:
            value = float(session.variables[variable])
            session.run(update, {x: 0.5})

    with pytest.raises(LimitError):
        run_on()
    assert session.variables[variable] == value
    assert any(
        isinstance(run, StraightRun) for plan in session._plans.values() for run in plan.repeats.values()
    )
