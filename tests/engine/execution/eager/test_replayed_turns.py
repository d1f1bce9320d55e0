"""A turn that goes like those before it only computes; the answer is that of turns that all run as always."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.differentiation.tape import Tape
from engine.execution import Run
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.immediate import EagerTensor
from engine.execution.eager.turns import choosing, replay
from engine.execution.eager.turns.late import LateRun, LateTape, LateTensor
from engine.graph import Variable
from engine.ops.sources import state
from engine.programs import ProgramRequest, run_program
from tests.engine.execution.eager.loops import LOOPS
from tests.limits import ROOMY

NEVER = 10**9
LIMITS = replace(ROOMY, element_operations=40_000_000)
BEGIN = """\
import numpy as np
import tensorflow as tf

r = np.random.RandomState(0)
X = r.randn(6, 3)
Y = X @ np.array([[1.], [-2.], [0.5]]) + 0.1
w = tf.Variable(tf.ones([3, 1], DTYPE) * 0.3, name="w")
b = tf.Variable(0.1, dtype=DTYPE, name="b")
x, y = tf.constant(X, DTYPE), tf.constant(Y, DTYPE)
opt = tf.optimizers.SGD(0.05)

def model(x):
    return tf.matmul(x, w) + b

def loss_of(x, y):
    return tf.reduce_mean(tf.square(model(x) - y))

def step(x, y, variables=None):
    variables = [w, b] if variables is None else variables
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    grads = tape.gradient(loss, variables)
    opt.apply_gradients(zip(grads, variables))
    return loss
"""
OPTIMIZERS = (
    *("SGD(0.05)", "SGD(0.05, momentum=0.9)", "SGD(0.05, momentum=0.9, nesterov=True)", "Adam(0.05)"),
    *("Adam(0.05, amsgrad=True)", "RMSprop(0.05)", "RMSprop(0.05, momentum=0.5, centered=True)"),
    *("Adagrad(0.05)", "Adadelta(0.05)", "Adamax(0.05)", "Nadam(0.05)", "Ftrl(0.05)"),
    *("AdamW(0.05, weight_decay=0.01)", "Lion(0.01)", "Adam(0.05, clipnorm=0.1)", "SGD(0.05, clipvalue=0.1)"),
    "SGD(0.05, global_clipnorm=0.1)",
)


def sections(text: str) -> dict[str, str]:
    """The programs of a text, by the names above them."""
    parts = [part.partition("\n") for part in text.split("## ")[1:]]
    return {name: program for name, _, program in parts}


DTYPES = ("tf.float32", "tf.float64")
PROGRAMS = {
    **{name: (DTYPES[n % 2], loop) for n, (name, loop) in enumerate(sections(LOOPS).items())},
    **{
        f"{made}, {dtype}": (
            dtype,
            f"opt = tf.optimizers.{made}\nfor i in range(40):\n    step(x, y)\nprint(w, b)",
        )
        for made in OPTIMIZERS
        for dtype in DTYPES
    },
}


def source_of(name: str) -> str:
    dtype, loop = PROGRAMS[name]
    return (BEGIN + loop).replace("DTYPE", dtype).replace("NP", f"'{dtype[3:]}'")


def answer(monkeypatch: pytest.MonkeyPatch, source: str, turns: int) -> Any:
    """The answer to a program, where so many turns come before one is recorded."""
    monkeypatch.setattr(choosing, "TURNS_BEFORE_A_RECORDING", turns)
    monkeypatch.setattr(replay, "REPLAYS_BEFORE_A_FUNCTION", 4)
    return run_program(ProgramRequest(source), LIMITS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_with_replayed_turns_and_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of(name)
    expected, found = (answer(monkeypatch, source, turns) for turns in (NEVER, 2))
    assert json.dumps(found) == json.dumps(expected)


def turn_of(graph: EagerGraph, v: Variable) -> tuple[Tape, Any]:
    """One turn of a loop: the square of a variable, which then grows by it."""
    with graph.recording(Tape(), 1) as tape:
        y = v * v
    with graph.making("update"):
        state.assign_add(v.ref, y)
    return tape, y


def looping(turns: int) -> tuple[EagerGraph, Variable, list[Any], tuple[Tape, Any]]:
    """A graph after so many turns, its variable, the runs so far, and what the last turn gave."""
    runs: list[Any] = []
    graph = EagerGraph(observe=runs.append)
    with graph.as_default():
        v = Variable(0.01)
        for _ in range(turns):
            last = turn_of(graph, v)
    return graph, v, runs, last


def test_a_turn_after_the_recorded_one_only_computes() -> None:
    _, v, runs, (tape, y) = looping(choosing.TURNS_BEFORE_A_RECORDING + 6)
    assert [type(run) for run in runs[-2:]] == [LateRun, LateRun]
    assert (type(tape), type(y)) == (LateTape, LateTensor)
    (write,) = runs[-1].updates
    assert write.after == write.before + write.before**2
    held: Any = v.ref
    assert held.array == y.array + np.sqrt(y.array)
    assert [tensor.node.op.name for tensor in runs[-1].values] == ["Identity", "Mul", "AssignAdd"]


def test_whoever_asks_for_a_node_finds_the_graph_as_if_every_turn_had_run() -> None:
    graph, v, _, (tape, y) = looping(choosing.TURNS_BEFORE_A_RECORDING + 6)
    assert y.node.outputs == (y,)
    assert (type(y), graph.turn) == (EagerTensor, None)
    read, same = y.node.inputs
    assert read is same
    assert read.array**2 == y.array
    assert list(tape.entries) == [read.node, y.node]
    assert list(tape.variables) == [v]


def test_a_turn_that_goes_another_way_runs_as_always_from_there() -> None:
    graph, v, runs, _ = looping(choosing.TURNS_BEFORE_A_RECORDING + 6)
    with graph.as_default():
        with graph.recording(Tape(), 1):
            y: Any = v * v
            z: Any = y + 1.0
        turn_of(graph, v)
    assert z.array == y.array + 1
    assert [tensor.node.op.name for tensor in runs[-1].values] == ["Identity", "Mul", "Const", "AddV2"]
    assert (runs[-1].updates, type(runs[-1])) == ([], Run)
