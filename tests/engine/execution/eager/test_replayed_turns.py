"""A turn that goes like those before it only computes; the answer is that of turns that all run as always."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.execution.budget import Limits
from engine.execution.eager.turns import choosing, replay
from engine.programs import ProgramRequest, run_program
from tests.engine.execution.eager.loops import LOOPS

NEVER = 10**9
LIMITS = Limits(element_operations=40_000_000)
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


PROGRAMS = {
    **{name: ("tf.float32", loop) for name, loop in sections(LOOPS).items()},
    **{f"{name}, float64": ("tf.float64", loop) for name, loop in sections(LOOPS).items()},
    **{
        f"{made}, {dtype}": (
            dtype,
            f"opt = tf.optimizers.{made}\nfor i in range(40):\n    step(x, y)\nprint(w, b)",
        )
        for made in OPTIMIZERS
        for dtype in ("tf.float32", "tf.float64")
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
