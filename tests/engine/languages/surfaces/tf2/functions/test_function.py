"""`tf.function`: what happens once for each trace, what at every call, and what is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

STEP = """
import tensorflow as tf
w = tf.Variable([[1.], [2.]])
b = tf.Variable(0.5)
optimizer = tf.keras.optimizers.Adam(0.1)
{decorator}
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.matmul(x, w) + b - y) ** 2)
    gradients = tape.gradient(loss, [w, b])
    optimizer.apply_gradients(zip(gradients, [w, b]))
    return loss
x, y = tf.constant([[1., 2.], [3., 4.]]), tf.constant([[1.], [2.]])
for i in range(3):
    print(step(x, y).numpy())
"""


def run(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest(f"import tensorflow as tf\n{source}", dialect="tf2"))


def error_of(source: str) -> dict[str, Any]:
    (error,) = [one for one in run(source)["diagnostics"] if one["severity"] == "error"]
    found: dict[str, Any] = error
    return found


def test_print_runs_once_and_tf_print_at_every_call() -> None:
    answer = run(
        "@tf.function\ndef f(x):\n    print('traced')\n"
        "    tf.print('runs with', x)\n    return x\n"
        "f(tf.constant(1))\nf(tf.constant(2))"
    )
    assert answer["printed"] == ["traced", "runs with 1", "runs with 2"]


def test_tf_print_inside_a_branch_runs_where_the_branch_is_taken() -> None:
    answer = run(
        "@tf.function\ndef f(x):\n    if x > 0:\n        tf.print('positive')\n"
        "    else:\n        tf.print('not')\n"
        "f(tf.constant(1))\nf(tf.constant(-2))\nf(tf.constant(3))"
    )
    assert answer["printed"] == ["positive", "not", "positive"]


def test_a_function_is_drawn_as_its_lines_would_be() -> None:
    traced, plain = (
        run_program(ProgramRequest(STEP.format(decorator=decorator), dialect="tf2"))
        for decorator in ("@tf.function", "")
    )
    assert traced["printed"] == plain["printed"]
    assert traced["graph"] == plain["graph"]
    assert traced["gradients"] == plain["gradients"]
    assert {*traced} == {*plain}
    different = {part for part in traced if traced[part] != plain[part]}
    assert different <= {"bindings", "usage", "id"}  # the function itself, and the steps of its walk


def test_what_a_loop_computes_in_a_function_is_drawn_turn_by_turn() -> None:
    body = (
        "def f(x):\n    for i in tf.range(3):\n        x = x * 2.\n"
        "    return x\nprint(f(tf.constant(1.)).numpy())"
    )
    traced, plain = run(f"@tf.function\n{body}"), run(body)
    assert traced["printed"] == plain["printed"] == ["8.0"]
    multiplied = [node for node in traced["graph"]["nodes"] if node["op"] == "Mul"]
    assert len(multiplied) == 3


def test_random_numbers_are_drawn_at_every_call() -> None:
    answer = run(
        "@tf.function\ndef f():\n    return tf.random.uniform([])\na, b = f(), f()\nprint(bool(a == b))"
    )
    assert answer["printed"] == ["False"]


def test_a_step_that_nothing_needs_may_fail_as_tensorflow_leaves_it_out() -> None:
    answer = run(
        "@tf.function\ndef f(x):\n    y = 1 // x\n    return x + 1\nprint(f(tf.constant(0)).numpy())"
    )
    assert (answer["status"], answer["printed"]) == ("ok", ["1"])


def test_a_tensor_that_a_list_kept_from_a_trace_has_no_value() -> None:
    error = error_of(
        "kept = []\n@tf.function\ndef f(x):\n    kept.append(x)\n"
        "    return x\nf(tf.constant(1))\nprint(kept[0] + 1)"
    )
    assert error["code"] == "out_of_scope"


def test_a_tensor_that_a_list_kept_from_a_loop_is_refused() -> None:
    error = error_of(
        "@tf.function\ndef f(x):\n    kept = []\n    for i in tf.range(3):\n"
        "        kept.append(i)\n    return kept\n"
        "f(tf.constant(1))"
    )
    assert error["code"] == "out_of_scope"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "if x > 0:\n        y = 1\n    return y",
            "'y' must also be initialized in the else branch",
        ),
        (
            "if x > 0:\n        y = 1\n    else:\n        y = 2.\n    return y",
            "'y' has dtype int32 in the main branch, but dtype float32 in the else branch",
        ),
        ("if x > 0:\n        return 1.", "the else branch must also have a return statement."),
        (
            "y = tf.constant(0)\n    while x > 0:\n        y = tf.cast(y, tf.float32)\n"
            "        x -= 1\n    return y",
            "'y' has dtype int32 before the loop, but dtype float32 after one iteration",
        ),
        ("return x.numpy()", "'SymbolicTensor' object has no attribute 'numpy'"),
    ],
)
def test_what_autograph_refuses_is_said_in_its_words(body: str, message: str) -> None:
    assert error_of(f"@tf.function\ndef f(x):\n    {body}\nf(tf.constant(1))")["message"] == message


def test_a_gradient_is_none_where_no_branch_joins_and_zero_where_another_branch_would() -> None:
    answer = run(
        "@tf.function\ndef f(x, y, z):\n    with tf.GradientTape() as tape:\n"
        "        tape.watch([x, y, z])\n"
        "        r = x * x if x > y else y * y\n    return tape.gradient(r, [x, y, z])\n"
        "g = f(tf.constant(3.), tf.constant(2.), tf.constant(1.))\n"
        "print(g[0].numpy(), g[1].numpy(), g[2])"
    )
    assert answer["printed"] == ["6.0 0.0 None"]


def test_an_error_at_a_call_has_the_place_of_its_line() -> None:
    error = error_of(
        "@tf.function\ndef f(x):\n    y = x * 2\n    tf.debugging.assert_positive(y)\n"
        "    return y\nf(tf.constant(-1))"
    )
    assert error["line"] == 5


def test_a_loop_without_end_in_a_function_meets_the_budget() -> None:
    answer = run(
        "@tf.function\ndef f(x):\n    while x > 0:\n        x = x + 1 - 1\n    return x\nf(tf.constant(1))"
    )
    assert answer["status"] == "limit"
