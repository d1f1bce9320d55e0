"""Comparing a program's derivative three ways, from its text."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ProgramError
from engine.programs import ProgramRequest
from engine.programs.answers.comparison import compare_ways
from tests.limits import ROOMY

TRAINED = """import tensorflow as tf
v = tf.Variable(3.)
train = tf.train.GradientDescentOptimizer(0.01).minimize(tf.square(v))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train)
"""


def compared(source: str, **at: Any) -> dict[str, Any]:
    return compare_ways(ProgramRequest(source, at=at), ROOMY)


def test_a_formula_is_compared_at_its_point() -> None:
    body = compared("y = exp(sin(x))", x=3)
    assert body["target"] == "Exp:0"
    assert body["at"] == {"x": 3.0}
    assert body["automatic"]["value"] == pytest.approx(-1.1400386)
    assert body["symbolic"]["size_naive"] == 6


def test_a_program_is_compared_where_its_variables_start() -> None:
    body = compared(TRAINED)
    assert body["at"] == {"v": 3.0}
    assert body["automatic"]["value"] == 6.0
    assert body["symbolic"]["latex"] == "2 v"


@pytest.mark.parametrize(
    ("source", "derivatives"),
    [
        ("y = x^2", {"x": "2 x"}),
        ("y = exp(sin(x))", {"x": r"\exp\left(\sin {x}\right) \cos {x}"}),
        ("y = e^{sin x}", {"x": r"e^{\sin {x}} \cos {x}"}),
        ("y = 1/(1+e^{-x})", {"x": r"\frac{e^{x}}{\left(e^{x} + 1\right)^{2}}"}),
        ("y = relu(x)", {}),  # a step function is no formula of a textbook
        ("y = (t - w*x - b)^2", {"w": r"- 2 x \left(- b + t - w x\right)",
                                 "b": r"2 \left(b - t + w x\right)"}),
    ],
)  # fmt: skip
def test_the_derivatives_are_written_in_the_learners_names(source: str, derivatives: dict[str, str]) -> None:
    body = compared(source, **{name: 0.5 for name in "xwbt" if name in source.partition("=")[2]})
    assert body["symbolic"]["derivatives"] == derivatives


OF_ONE_NUMBER = """import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0])
y = torch.tensor([3.0, 5.0, 7.0, 9.0])
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
loss = ((w * x + b - y) ** 2).mean()
loss.backward()
"""


def test_a_variable_of_one_element_is_one_letter() -> None:
    body = compare_ways(ProgramRequest(OF_ONE_NUMBER), ROOMY, "w", "5 b + 15 w - 35")
    assert body["automatic"]["value"] == {"w": [-35.0], "b": [-12.0]}
    assert body["symbolic"]["derivatives"] == {"w": "5 b + 15 w - 35", "b": "2 b + 5 w - 12"}
    assert body["judgement"]["verdict"] == "right"


def test_jax_has_no_variables_and_is_asked_for_a_formula() -> None:
    with pytest.raises(ProgramError) as caught:
        compared("import jax\njax.grad(lambda x: x * x)(3.0)\n")
    assert caught.value.code == "no_variables"
    assert caught.value.hint.startswith("JAX's arrays are no variables.")


def test_the_verdict_names_the_framework_of_the_program() -> None:
    assert compared(OF_ONE_NUMBER)["verdict"]["en"].startswith("PyTorch differentiates automatically: ")
    assert compared("y = x^2", x=3)["verdict"]["en"].startswith("TensorFlow differentiates automatically: ")


def test_a_program_that_stops_says_why() -> None:
    with pytest.raises(ProgramError) as caught:
        compared("y = sni(x)", x=3)
    assert caught.value.message.startswith("The program does not run: ")


def test_a_program_without_variables_says_what_to_write() -> None:
    with pytest.raises(ProgramError) as caught:
        compared("import tensorflow as tf\ny = tf.constant(1.) * 2.")
    assert caught.value.message == "The program has no variable to differentiate by."
