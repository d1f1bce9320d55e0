"""How a program runs, as generated Python that a learner reads."""

from __future__ import annotations

import math

import pytest

from engine.errors import GradlensError
from engine.programs import ProgramRequest, RunRequest
from engine.programs.answers.code import written_code
from engine.programs.answers.generated_text import generated_loop
from tests.limits import ROOMY

TF = "import tensorflow as tf\nx = tf.Variable(3.)\n"
TF_1 = "import tensorflow.compat.v1 as tf\nx = tf.Variable(3.)\n"


def generated(source: str) -> str:
    """The text of the function that runs a program."""
    return written_code(ProgramRequest(source), "generated", ROOMY)


def test_a_formula_is_one_straight_function_with_its_nodes_beside_it() -> None:
    text = generated("y = exp(sin(x))")
    assert text.startswith("# x0: x\n")
    body = [line.strip() for line in text.splitlines() if "  # " in line]
    assert body == [
        "v1 = sin(x0)  # Sin",
        "v2 = exp(v1)  # Exp",
        "v3 = cos(x0)  # gradients/Sin_grad/Cos",
        "v4 = v2 * v3  # gradients/Sin_grad/mul",
    ]


def test_the_key_lists_the_names_that_there_are_and_no_others() -> None:
    key = [line.split(":")[0] for line in generated("y = exp(sin(x))").splitlines() if line.startswith("#")]
    assert key == ["# x0", "# v1, v2, …", "# domain_errors"]
    trained = generated(TF + "train = tf.train.GradientDescentOptimizer(0.1).minimize(x * x)")
    key = [line.split(":")[0] for line in trained.splitlines() if line.startswith("#")]
    assert key == ["# x0", "# c0, c1, …", "# s0, s1, …", "# domain_errors"]


def test_the_function_that_is_reported_computes_the_program() -> None:
    names = {name: getattr(math, name) for name in ("sin", "exp", "cos")} | {"domain_errors": ArithmeticError}
    exec(generated("y = exp(sin(x))"), names)  # noqa: S102  # our own text, which is what is tested
    assert names["program"](3.0) == pytest.approx((1.1516, -1.1400), abs=5e-5)


def test_the_programs_own_optimizer_is_reported_as_its_loop() -> None:
    text = generated(TF + "train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(x * x)")
    assert text.startswith("# x0: Variable\n# x1: Variable/Momentum\n")
    assert "x1 = (c0 * x1) + (x0 + x0)  # Momentum/update_Variable/ApplyMomentum" in text
    assert "x0 = x0 - (c1 * x1)  # Momentum/update_Variable/ApplyMomentum" in text


def test_another_optimizer_is_reported_as_the_loop_of_its_run() -> None:
    own = ProgramRequest(TF + "train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(x * x)")
    descent = {"name": "GradientDescent", "learning_rate": 0.2}
    text = generated_loop(own, RunRequest(100, descent, process=({"scale": 3},)), ROOMY)
    assert "ApplyMomentum" not in text
    assert "# GradientDescent/update_Variable/ApplyGradientDescent" in text
    assert text == generated_loop(own, RunRequest(3, descent, process=({"scale": 3},)), ROOMY)
    with pytest.raises(GradlensError, match="no optimizer named 'Descent'"):
        generated_loop(own, RunRequest(3, {"name": "Descent"}), ROOMY)


def test_variables_that_are_not_trained_are_arguments_too() -> None:
    text = generated(TF + "n = tf.Variable(2, trainable=False)\ny = x * x * tf.cast(n, tf.float32)")
    assert text.startswith("# x0: Variable\n# x1: Variable_1\n")


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (TF_1 + "y = tf.cond(x > 1., lambda: x * x, lambda: x)", "not_generated"),
        ("print(1)", "no_target"),
        ("y = 2 +", "syntax_error"),
    ],
)
def test_what_has_no_function_says_why(source: str, code: str) -> None:
    with pytest.raises(GradlensError) as caught:
        generated(source)
    assert caught.value.code == code
    assert caught.value.message_zh != caught.value.message
