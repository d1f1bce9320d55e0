"""What a text is taken for."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from engine.programs.detect import detect_dialect


@pytest.mark.parametrize(
    ("source", "dialect"),
    [
        ("y = exp(sin(x))", "math"),
        ("x^2", "math"),
        ("损失 = (θ - 3)²", "math"),
        ("x = 3\ny = x*x  # for a start", "math"),
        ("import tensorflow as tf", "tf1"),
        ("a = tf.Variable(3.)", "tf1"),
        ("print(3)", "tf1"),
        ("def f(x):\n    return x", "tf1"),
        ("import miniflow as tf\nx = tf.Variable(1.)", "tf1"),
        ("import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()", "tf1"),
        ("with tf.GradientTape() as t:\n    pass", "tf2"),
        ("import torch\nx = torch.tensor(1.)", "torch"),
        ("from jax import grad", "jax"),
    ],
)
def test_a_text_is_taken_for_what_it_is(source: str, dialect: str) -> None:
    assert detect_dialect(source) == dialect


@pytest.mark.parametrize("source", ["import torch\nx = torch.tensor(1.)", "from jax import grad"])
def test_a_framework_that_is_not_read_yet_is_refused_by_name(source: str) -> None:
    answer = run_program(ProgramRequest(source))
    assert answer["status"] == "refused"
    assert answer["diagnostics"][0]["code"] == "unsupported_dialect"


def test_an_unknown_dialect_is_refused() -> None:
    answer = run_program(ProgramRequest("x", dialect="fortran"))
    assert (answer["status"], answer["diagnostics"][0]["code"]) == ("refused", "unknown_dialect")
