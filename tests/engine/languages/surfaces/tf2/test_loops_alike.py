"""Where a part of a loop does the same in every turn, it is one function: the answer is the same text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.turns import choosing
from engine.languages.interpreter.dispatch import LOOPED
from engine.languages.surfaces.tf2.looping.segment import Segment
from engine.programs import ProgramRequest, run_program
from tests.engine.languages.surfaces.tf2.loops_alike import LOOPS
from tests.limits import ROOMY

BEGIN = """\
import numpy as np
import tensorflow as tf

X = np.array([3.3, 4.4, 5.5, 6.71])
Y = np.array([1.7, 2.76, 2.09, 3.19])
W = tf.Variable(0.3, dtype=tf.float64, name="weight")
b = tf.Variable(-0.2, dtype=tf.float64, name="bias")
opt = tf.optimizers.SGD(0.01)
losses = []

def line(x):
    return W * x + b

def step():
    with tf.GradientTape() as g:
        pred = line(X)
        loss = tf.reduce_mean(tf.square(pred - Y))
    gradients = g.gradient(loss, [W, b])
    opt.apply_gradients(zip(gradients, [W, b]))

"""
LIMITS = replace(ROOMY, steps=9_000)
PROGRAMS = {
    name: (int(least), program)
    for part in LOOPS.split("## ")[1:]
    for head, _, program in [part.partition("\n")]
    for name, _, least in [head.rpartition(": ")]
}
QUICK = ("W10", "names that stay", "a number from outside that changes")


def answers(source: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any, int]:
    """The answers without segments and with them, and how many were run as one."""
    monkeypatch.setattr(choosing, "TURNS_BEFORE_A_RECORDING", 2)
    with monkeypatch.context() as without:
        without.delitem(LOOPED, EagerGraph)
        expected = run_program(ProgramRequest(source), LIMITS)
    runs: list[bool] = []
    run = Segment.run

    def counted(segment: Segment) -> bool:
        runs.append(run(segment))
        return runs[-1]

    monkeypatch.setattr(Segment, "run", counted)
    return expected, run_program(ProgramRequest(source), LIMITS), sum(runs)


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in PROGRAMS]
)
def test_an_answer_is_the_same_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    least, program = PROGRAMS[name]
    expected, found, runs = answers(BEGIN + program, monkeypatch)
    assert json.dumps(found) == json.dumps(expected)
    assert (runs >= least) if least else not runs
