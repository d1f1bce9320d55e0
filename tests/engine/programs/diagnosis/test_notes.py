"""Notes that teach, in the order of the mistakes that learners make."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def reported(source: str, **fields: Any) -> dict[str, dict[str, Any]]:
    """The diagnostics by their code."""
    answer = run_program(ProgramRequest(source, **fields))
    return {diagnostic["code"]: diagnostic for diagnostic in answer["diagnostics"]}


def test_numpy_breaks_the_tape() -> None:
    note = reported(
        "import tensorflow as tf\nimport numpy as np\nx = tf.Variable(3.)\n"
        "with tf.GradientTape() as tape:\n    y = tf.constant(np.sin(x.numpy())) * 2.\ntape.gradient(y, x)\n"
    )["numpy_leaves_tape"]
    assert (note["severity"], note["line"]) == ("note", 5)
    assert note["message_zh"]


def test_a_loss_that_nobody_differentiates() -> None:
    source = (
        "import tensorflow as tf\nw = tf.Variable(3.)\nloss = tf.square(w)\ny = w * 2.\n"
        "train = tf.train.GradientDescentOptimizer(0.1).minimize(y)\n"
    )
    note = reported(source)["loss_not_differentiated"]
    assert (
        note["message"]
        == "`loss` was never differentiated: it is computed, but nothing asks for its gradient."
    )
    assert note["line"] == 3
    assert note["hint"] == "Ask for it: tf.gradients(…), or optimizer.minimize(…)."
    assert "loss_not_differentiated" not in reported(source.replace("minimize(y)", "minimize(loss)"))


def test_a_loss_on_the_way_to_what_is_differentiated_is_fine() -> None:
    assert "loss_not_differentiated" not in reported(
        "import tensorflow as tf\nw = tf.Variable(3.)\n"
        "with tf.GradientTape() as tape:\n    loss = w * w\n    total = loss + 1.\ntape.gradient(total, w)\n"
    )


def test_a_loss_on_a_tape_that_is_never_asked() -> None:
    note = reported(
        "import tensorflow as tf\nw = tf.Variable(3.)\nwith tf.GradientTape() as tape:\n    loss = w * w\n"
    )["loss_not_differentiated"]
    assert note["hint"] == "Ask for it: tape.gradient(…, variables)."


def test_an_update_that_is_built_but_never_run() -> None:
    note = reported(
        "import tensorflow as tf\nw = tf.Variable(3.)\n"
        "train = tf.train.GradientDescentOptimizer(0.1).minimize(w * w)\n"
        "with tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n    print(s.run(w))\n"
    )["update_never_run"]
    assert note["message"].startswith("The update `GradientDescent` was built but never run")


def test_a_norm_within_its_bound() -> None:
    note = reported(
        "import tensorflow as tf\nx = tf.Variable(3.)\ng = tf.clip_by_norm(tf.gradients(x * 3., x)[0], 5.)\n"
        "with tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n    s.run(g)\n"
    )["nothing_clipped"]
    assert note["message"] == "Norm 3 is within 5: nothing was clipped."


def test_a_loop_that_doubles_zero_never_ends() -> None:
    answer = run_program(
        ProgramRequest(
            "import tensorflow as tf\na = tf.Variable(0.)\nwith tf.GradientTape() as t:\n    b = a * 2\n"
            "    while tf.norm(b) < 1000:\n        b = b * 2\n"
        ),
        replace(ROOMY, nodes=2000),
    )
    assert answer["status"] == "limit"
    (limit,) = [d for d in answer["diagnostics"] if d["severity"] == "error"]
    assert "doubling a never passes any bound" in limit["hint"]
    assert len(answer["graph"]["nodes"]) > 100  # the turns up to there are reported


@pytest.mark.parametrize(
    ("source", "at", "words"),
    [
        ("y = relu(x)", 0, "relu has a corner at 0; TensorFlow takes the slope 0 there."),
        ("y = |x|", 0, "abs has a corner at 0"),
        ("y = sqrt(x)", 0, "sqrt has no finite slope at 0"),
        ("y = max(x, 2)", 2, "TensorFlow gives the whole gradient to the first."),
    ],
)
def test_a_corner_is_reported(source: str, at: float, words: str) -> None:
    assert words in reported(source, at={"x": at})["kink"]["message"]
    assert "kink" not in reported(source, at={"x": at + 1})


def test_tied_elements_share_the_gradient() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable([3., {}, 1.])\n"
        "y = tf.reduce_max(x)\ng = tf.gradients(y, x)\n"
    )
    assert "shares the gradient evenly" in reported(source.format("3."))["kink"]["message"]
    assert "kink" not in reported(source.format("2."))


@pytest.mark.parametrize(
    ("source", "x", "message"),
    [
        ("y = log(x)", -1.0, "The log of a negative number, −1, is not defined."),
        ("y = 2 + 1/x", 0.0, "A division by 0."),
        ("y = exp(x)", 800.0, "Overflow: exp of 800 is beyond the largest float64, 1.798×10³⁰⁸."),
    ],
)
def test_a_target_that_is_no_number_is_reported_where_and_why(source: str, x: float, message: str) -> None:
    warning = reported(source, at={"x": x})["not_finite"]
    assert (warning["severity"], warning["line"]) == ("warning", 1)
    assert warning["message"] == message
    assert warning["hint"].startswith("Try another start")
    assert warning["message_zh"]
    assert "not_finite" not in reported(source, at={"x": 1.0})


def test_a_rate_is_blamed_only_where_something_moves_the_variable() -> None:
    asked = (
        "import tensorflow as tf\nx = tf.Variable(-1.)\nwith tf.GradientTape() as t:\n"
        "    y = tf.math.log(x)\ng = t.gradient(y, x)\n"
    )
    assert reported(asked)["not_finite"]["hint"].startswith("Try another start")
    assert reported(asked + "x.assign_sub(0.1 * g)\n")["not_finite"]["hint"].startswith(
        "Try a smaller learning rate"
    )


def test_a_feed_that_names_nothing_is_reported_with_what_was_meant() -> None:
    source = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [], name='input')\ny = x * 2\n"
    for known in ("x", "input", "input:0"):
        assert reported(source, feeds={known: 1}) == {}
    note = reported(source, feeds={"inputs": 1})["unknown_feed_name"]
    assert note["severity"] == "warning"
    assert note["message"] == "A value was fed to `inputs`, but the program has no such placeholder."
    assert note["hint"] == "Did you mean `input`?"


def test_a_name_that_no_variable_has_is_reported_where_gradients_are_restricted() -> None:
    found = run_program(ProgramRequest("y = x*z", wrt=("x", "q")))
    assert [gradient["name"] for gradient in found["gradients"]] == ["x"]
    (note,) = found["diagnostics"]
    assert (note["severity"], note["code"]) == ("warning", "unknown_variable")
    assert note["message"] == "There is no variable `q` to take a gradient with respect to."
    assert note["hint"] == "The variables are: x, z."
