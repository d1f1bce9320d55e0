"""TensorFlow 1's assertions: what stops the program at once, and what stops a run."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def diagnostic(program: str) -> dict[str, Any]:
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{program}\n", dialect="tf1"))
    found: dict[str, Any] = answer["diagnostics"][0]
    return found


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "tf.assert_equal([1, 2], [1, 3])",
            "x == y does not hold for every element: x = [1, 2], y = [1, 3].",
        ),
        ("tf.assert_positive([1., 0.])", "x > 0 does not hold for every element: x = [1.0, 0.0]."),
        ("tf.debugging.assert_non_negative(-1)", "x >= 0 does not hold for every element: x = -1."),
        ("tf.assert_negative(1)", "x < 0 does not hold for every element: x = 1."),
        ("tf.assert_rank(tf.zeros([2]), 2)", "This tensor was to have 2 axes, but its shape is (2,)."),
        ("tf.assert_type(tf.zeros([2]), tf.int32)", "zeros:0 was to be int32, but is float32."),
        (
            "tf.assert_less(tf.constant(1), 2.)",
            "Less needs int32 for its input y, but assert_less/y:0 is float32.",
        ),
        ("tf.assert_less(1, 2, message=5)", "`message` of tf.assert_less() takes a text, not 5."),
    ],
)
def test_what_is_known_to_fail_stops_the_program(call: str, message: str) -> None:
    assert diagnostic(call)["message"] == message


RUN = "x = tf.placeholder(tf.float32, [None], name='x')\n{}\ntf.Session().run(c, {{x: [1., -2.]}})"


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (
            "c = tf.assert_positive(x, message='steps')",
            "Assertion failed: steps Condition x > 0 did not hold element-wise: x (x:0) =  [1.0, -2.0]",
        ),
        (
            "c = tf.assert_less(x, 0.)",
            "Assertion failed: Condition x < y did not hold element-wise: x (x:0) =  [1.0, -2.0] "
            "y (assert_less/y:0) =  0.0",
        ),
        ("c = tf.Assert(tf.reduce_all(x > 0.), ['x', x])", "Assertion failed: x [1.0, -2.0]"),
        ("c = tf.check_numerics(tf.sqrt(x), 'root')", "root : Tensor had NaN values"),
        ("c = tf.verify_tensor_all_finite(x / 0., 'share')", "share : Tensor had Inf values"),
    ],
)
def test_a_run_stops_where_an_assertion_fails(check: str, message: str) -> None:
    reported = diagnostic(RUN.format(check))
    assert reported["code"] == "assertion_failed"
    assert reported["message"].startswith(message)


def test_what_nothing_waits_for_stops_no_run() -> None:
    program = RUN.format("tf.assert_positive(x)\nc = x + 1.")
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{program}\n", dialect="tf1"))
    assert answer["status"] == "ok"
