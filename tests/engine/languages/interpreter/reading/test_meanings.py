"""A name that means what a library calls otherwise: the hint names it, and the program runs with it."""

from __future__ import annotations

import pytest

from engine.languages.interpreter.reading.meanings import MEANINGS, meant
from engine.programs import ProgramRequest, run_program

TF = "import tensorflow as tf\n"
NP = "import numpy as np\n"

# What is printed with the right name, by TensorFlow 2.21 and numpy 2.4.
CASES = [
    (TF, "reduce_avg", "tf.reduce_mean", "print(float({}(tf.constant([1., 2., 6.]))))", "3.0"),
    (TF, "average", "tf.reduce_mean", "print(float({}(tf.constant([1., 2., 6.]))))", "3.0"),
    (TF, "mean", "tf.reduce_mean", "print(float({}(tf.constant([1., 2., 6.]))))", "3.0"),
    (TF, "sum", "tf.reduce_sum", "print(float({}(tf.constant([1., 2., 6.]))))", "9.0"),
    (TF, "matmult", "tf.matmul", "print({}(tf.constant([[2.]]), tf.constant([[3.]])).numpy())", "[[6.]]"),
    (TF, "power", "tf.pow", "print(float({}(tf.constant(2.), 3.)))", "8.0"),
    (TF, "sqr", "tf.square", "print(float({}(tf.constant(3.))))", "9.0"),
    (TF, "absolute", "tf.abs", "print(float({}(tf.constant(-3.))))", "3.0"),
    (TF, "ln", "tf.math.log", "print(float({}(tf.constant(1.))))", "0.0"),
    (TF, "relu", "tf.nn.relu", "print(float({}(tf.constant(-3.))))", "0.0"),
    (TF, "inverse", "tf.linalg.inv", "print({}(tf.constant([[2.]])).numpy())", "[[0.5]]"),
    (TF, "array", "tf.constant", "print({}([1, 2]).numpy())", "[1 2]"),
    (NP, "reduce_mean", "np.mean", "print(float({}([1., 2., 6.])))", "3.0"),
    (NP, "reduce_sum", "np.sum", "print(float({}([1., 2., 6.])))", "9.0"),
    (NP, "avg", "np.mean", "print(float({}([1., 2., 6.])))", "3.0"),
    (NP, "matmult", "np.matmul", "print({}([[2.]], [[3.]]))", "[[6.]]"),
    (NP, "ln", "np.log", "print(float({}(1.)))", "0.0"),
    (NP, "square_root", "np.sqrt", "print(float({}(9.)))", "3.0"),
    (NP, "inverse", "np.linalg.inv", "print({}([[2.]]))", "[[0.5]]"),
    (NP, "constant", "np.array", "print({}([1, 2]))", "[1 2]"),
]


@pytest.mark.parametrize(("library", "wrong", "right", "line", "printed"), CASES)
def test_the_hint_names_what_was_meant(library: str, wrong: str, right: str, line: str, printed: str) -> None:
    module = right.partition(".")[0]
    answer = run_program(ProgramRequest(library + line.format(f"{module}.{wrong}")))
    reported = next(d for d in answer["diagnostics"] if d["severity"] == "error")
    assert reported["hint"] == f"Did you mean `{right}`?"
    assert reported["hint_zh"] == f"是不是想写 `{right}`？"
    assert run_program(ProgramRequest(library + line.format(right)))["printed"] == [printed]


def test_tensorflow_1_has_its_own_names() -> None:
    answer = run_program(ProgramRequest(f"{TF}y = tf.ln(tf.constant(1.))", dialect="tf1"))
    assert [d["hint"] for d in answer["diagnostics"] if d["severity"] == "error"] == [
        "Did you mean `tf.log`?"
    ]


def test_no_name_has_two_meanings() -> None:
    lines = [set(line.replace("|", " ").split()) for line in MEANINGS.strip().splitlines()]
    assert sum(len(line) for line in lines) == len(set().union(*lines))


def test_a_name_is_never_its_own_other_name() -> None:
    assert list(meant("mean")) == ["reduce_mean"]
    assert list(meant("unheard_of")) == []
