"""Loops as programs write them. Whole graphs against TensorFlow's: tests/data/recorded, `loop_…`, `map_…`."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def answer(source: str, dialect: str = "tf1") -> dict[str, Any]:
    return run_program(ProgramRequest(f"import tensorflow as tf\n{source}", dialect=dialect, gradients=False))


def printed(source: str, dialect: str = "tf1") -> list[str]:
    found = answer(source, dialect)
    assert [d for d in found["diagnostics"] if d["severity"] == "error"] == []
    lines: list[str] = found["printed"]
    return lines


def mistake(source: str, dialect: str = "tf1") -> dict[str, Any]:
    diagnostics = answer(source, dialect)["diagnostics"]
    found: dict[str, Any] = next(d for d in diagnostics if d["severity"] == "error")
    return found


def test_loop_variables_may_stand_in_lists_tuples_and_dicts() -> None:
    assert printed(
        "def turn(i, state):\n"
        "    a, b = state['pair']\n"
        "    return i + 1, {'sum': state['sum'] + a, 'pair': [a * 2, b]}\n"
        "i, state = tf.while_loop(lambda i, _: i < 3, turn, (0, {'sum': 0, 'pair': [1, 10]}))\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run([i, state['sum'], state['pair']]))"
    ) == ["[3, 7, [8, 10]]"]


def test_a_loop_takes_no_more_turns_than_it_may() -> None:
    assert printed(
        "x = tf.constant(2.0)\n"
        "y = tf.while_loop(lambda a: a < 1000.0, lambda a: a * x, [x], maximum_iterations=4)\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run([y] + tf.gradients(y, x)))"
    ) == ["[32.0, 80.0]"]


def test_a_shape_that_grows_is_declared() -> None:
    assert printed(
        "shapes = [tf.TensorShape([]), tf.TensorShape([None])]\n"
        "_, a = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.concat([a, [i]], 0)),\n"
        "    [0, tf.constant([7])], shape_invariants=shapes)\n"
        "with tf.Session() as sess:\n"
        "    print(a.shape, sess.run(a))"
    ) == ["(?,) [7 0 1 2]"]


def test_several_tensors_are_gone_through_side_by_side() -> None:
    assert printed(
        "a, b = tf.constant([[1., 2.], [3., 4.]]), tf.constant([2., 3.])\n"
        "y = tf.map_fn(lambda p: p[0] * p[1], (a, b), dtype=tf.float32)\n"
        "f, _ = tf.scan(lambda s, _: (s[1], s[0] + s[1]), tf.range(7), initializer=(0, 1))\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run(y).tolist(), sess.run(f))"
    ) == ["[[2.0, 4.0], [9.0, 12.0]] [ 1  1  2  3  5  8 13]"]


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
@pytest.mark.parametrize(
    "call", ["map_fn(lambda v: v, ", "scan(lambda a, v: a + v, ", "foldl(lambda a, v: a, "]
)
def test_a_list_of_numbers_is_several_tensors_and_none_has_rows(call: str, dialect: str) -> None:
    found = mistake(f"tf.{call}[1., 2.])", dialect)
    assert found["message"] == "The rows of tensors are gone through, but a single number has none."
    assert (
        found["hint"] == "A list means several tensors side by side; for one write tf.constant([1.0, 2.0])."
    )


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
def test_arrays_in_a_list_are_gone_through_side_by_side(dialect: str) -> None:
    show = "print(tf.Session().run(y))" if dialect == "tf1" else "print(y.numpy())"
    arrays = "[np.array([1., 2.]), np.array([3., 4.])]"
    source = f"import numpy as np\ny = tf.map_fn(lambda p: p[0] * p[1], {arrays}, dtype=tf.float64)\n{show}"
    assert printed(source, dialect) == ["[3. 8.]"]


def test_an_array_becomes_a_constant_in_the_scope_of_its_loop() -> None:
    made = answer("import numpy as np\ntf.map_fn(lambda v: v, np.array([1., 2.]))")["graph"]["nodes"]
    assert "map/elem" in [node["name"] for node in made]


def test_without_a_row_nobody_knows_what_a_function_gives() -> None:
    found = mistake("tf.foldl(lambda a, v: a + v, tf.zeros([0]))", "tf2")
    assert found["message"].startswith("There is no row to go through")
    assert printed("print(tf.foldl(lambda a, v: a + v, tf.zeros([0]), 7.))", "tf2") == ["7.0"]


def test_a_turn_that_loses_a_value_is_reported() -> None:
    found = mistake("tf.while_loop(lambda i, a: i < 3, lambda i, a: i + 1, [0, 1.0])")
    assert found["message"] == "The body of tf.while_loop gives 1 values, but takes 2."
    assert found["line"] == 2


def test_an_array_of_tensors_needs_its_size() -> None:
    assert mistake("tf.TensorArray(tf.float32, size=0, dynamic_size=True)")["code"] == "wrong_arguments"


def test_a_place_that_was_never_written_is_reported() -> None:
    found = mistake(
        "array = tf.TensorArray(tf.float32, size=2).write(0, 1.0)\ntf.Session().run(array.stack())"
    )
    assert found["message"] == "A place of the array was never written."


def test_a_tape_goes_through_rows_one_after_the_other() -> None:
    assert printed(
        "x = tf.Variable([1., 2., 3.])\n"
        "with tf.GradientTape(persistent=True) as tape:\n"
        "    y = tf.map_fn(lambda v: v * v, x)\n"
        "    z = tf.scan(lambda a, v: a * v, x)\n"
        "    w = tf.foldl(lambda a, v: a + v * v, x, initializer=0.)\n"
        "for value in (y, z, w):\n"
        "    print(value.numpy(), tape.gradient(value, x).numpy())",
        "tf2",
    ) == ["[1. 4. 9.] [2. 4. 6.]", "[1. 2. 6.] [9. 4. 2.]", "14.0 [2. 4. 6.]"]  # as TensorFlow 2.21.0


def test_an_eager_case_takes_the_first_that_holds() -> None:
    cases = "[(x < 1., lambda: 1), (x > 1., lambda: 2)]"
    assert printed(f"x = tf.constant(2.)\nprint(tf.case({cases}, default=lambda: 3))", "tf2") == ["2"]


def test_a_shape_that_grows_undeclared_is_reported() -> None:
    found = mistake("tf.while_loop(lambda a: True, lambda a: tf.concat([a, a], 0), [tf.ones([1])])")
    assert found["message"] == (
        "A loop variable comes into a turn with the shape (1,), but leaves it with (2,)."
    )
    assert found["hint"].startswith("Say what may change: shape_invariants=[tf.TensorShape([None])")


def test_a_loop_variable_keeps_its_type() -> None:
    found = mistake("tf.while_loop(lambda a: a < 3., lambda a: tf.cast(a, tf.int32), [0.])")
    assert found["message"] == "A loop variable comes into a turn as float32, but leaves it as int32."


def test_a_condition_that_is_no_truth_value_is_reported() -> None:
    assert mistake("y = tf.while_loop(lambda i: i, lambda i: i + 1, [0])")["code"] == "dtype_mismatch"


def test_a_variable_takes_no_value_of_another_shape() -> None:
    found = mistake("v = tf.Variable([1., 2.])\ntf.assign(v, [1., 2., 3.])")
    assert found["message"] == (
        "A variable of the shape (2,) cannot take a value of the shape (3,). Here v is (2,)."
    )
    assert (found["line"], found["code"]) == (3, "shape_mismatch")
