"""Whatever is pasted gets an answer: text drawn at random, and programs with pieces put out of place."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest, optimise, run_program, tell_lesson

pytestmark = pytest.mark.slow  # draws hundreds of programs

LIMITS = Limits(steps=5_000, wall_s=2.0, nodes=300)
STATUSES = {"ok", "error", "limit", "refused"}

PIECES = [
    *(
        "x",
        "y",
        "tf",
        "np",
        "sess",
        "None",
        "...",
        "1",
        "-1",
        "1e400",
        "'a'",
        "[1., 2.]",
        "[[1], [2, 3]]",
        "()",
    ),
    *("{}", "10**9", "float('nan')", "lambda q: q", "tf.float32", "np.zeros((3, 0))", "range(3)", "f(3)"),
    *(
        " + ",
        " * ",
        " ** ",
        " / ",
        " % ",
        " @ ",
        " // ",
        " == ",
        " and ",
        " if ",
        " else ",
        ", ",
        ": ",
        " = ",
    ),
    *(
        "(",
        ")",
        "[",
        "]",
        ".name",
        ".shape",
        ".run",
        "\n",
        "\n    ",
        "#",
        "\\",
        "'",
        "|",
        "²",
        "θ",
        "（",
        "√",
    ),
    *(
        "tf.Variable(2.)",
        "tf.gradients(y, [x])",
        "tf.Session()",
        "tf.zeros((2, 3))",
        "tf.placeholder(tf.float32)",
    ),
    *("tf.global_variables_initializer()", "tf.train.GradientDescentOptimizer(0.1)", "tf.reduce_sum(x, 5)"),
    *("import tensorflow as tf\n", "x = tf.Variable(3.)\n", "y = x * x\n", "def f(n):\n    return n\n"),
    *(
        "for i in range(3):\n    ",
        "while True:\n    ",
        "with tf.Session() as sess:\n    ",
        "print(",
        "sin",
        "exp(",
    ),
]


def answered(source: str, **fields: Any) -> dict[str, Any]:
    """The answer, checked to be one: strict JSON, a known status, a place inside the text for every error."""
    answer = run_program(ProgramRequest(source, **fields), LIMITS)
    json.dumps(answer, allow_nan=False)
    assert answer["status"] in STATUSES
    assert all(reported["code"] != "internal_error" for reported in answer["diagnostics"])
    lines = source.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for reported in answer["diagnostics"]:
        assert reported["line"] is None or 1 <= reported["line"] <= lines
    return answer


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60), st.sampled_from(["auto", "math", "tf1", "tf2"]))
def test_any_text_is_answered(source: str, dialect: str) -> None:
    answered(source, dialect=dialect)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from(["auto", "math", "tf1"]))
def test_any_heap_of_pieces_is_answered(source: str, dialect: str) -> None:
    answered(source, dialect=dialect)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_any_program_has_a_lesson_or_none(source: str) -> None:
    json.dumps(
        tell_lesson(ProgramRequest("x = tf.Variable(3.)\ny = x * x\n" + source), LIMITS), allow_nan=False
    )


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(["x", "y", "Variable", "w:0"]), values, max_size=2))
def test_any_value_in_the_request_is_answered(at: dict[str, Any]) -> None:
    answered("y = x^2", at=at)
    answered("x = tf.Variable(3.)\np = tf.placeholder(tf.float32)\ny = x * p", at=at, feeds={**at, "p": 2})


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["x", "y"]), values, max_size=2),
    st.dictionaries(st.text(max_size=4), values, max_size=2),
)
def test_any_run_is_answered_or_refused_with_a_reason(start: dict[str, Any], process: dict[str, Any]) -> None:
    run = RunRequest(2, {"name": "GradientDescent", "learning_rate": 0.1}, process=(process,), start=start)
    with suppress(GradlensError):  # a run that does not fit is refused; nothing else may come out
        json.dumps(optimise(ProgramRequest("y = x^2"), run, LIMITS), allow_nan=False)


@pytest.mark.parametrize(
    "source",
    [
        "a = []\na.append(a)\nprint(a)",
        "a = {}\na['a'] = a\nprint(a)",
        "f = lambda: f()\nf()",
        "x = tf.Variable(x)",
        "import tensorflow as tf\nx = tf.Variable(float('nan'))\ny = x * x",
        "import tensorflow as tf\nx = tf.Variable([])\ny = tf.reduce_mean(x)",
        "import tensorflow as tf\ntf = 3\ntf.Variable(1.)",
        "print = 3\nprint(1)",
        "import numpy as np\na = np.ones(3)\na[5]",
        "import numpy as np\na = np.ones((1000, 1000))\na[[0] * 100000]",
        "x = 1\r\ny = z\r\n",
        "\ufeffy = x^2",
        "print('\\d')",
    ],
)
def test_odd_programs_are_answered(source: str) -> None:
    answered(source)
