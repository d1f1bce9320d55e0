"""Reads and updates of a variable in one run: what 120 runs of each program printed in TensorFlow 1.15.5.

Where all runs agreed, so do we, without a word; where they did not, a warning says so.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

START = "import tensorflow as tf\nw = tf.Variable(3., name='w')\nfed = tf.placeholder_with_default(2., ())\n"
END = "\nsess = tf.Session()\nsess.run(tf.global_variables_initializer())\nprint(sess.run(asked))\n"

DESCENT = "train = tf.train.GradientDescentOptimizer(.1).minimize(y)\n"
TURNS = "y = tf.while_loop(lambda i, s: i < 3, body, [0, 0.]{more})[1]\nasked = [y]"

# The program between START and END, and what every run of TensorFlow 1.15.5 printed.
CERTAIN = {
    "a product with the update": (
        "a = w.assign_add(1.)\nasked = [w * a, tf.gradients(w * a, w)[0]]",
        "[16.0, 4.0]",
    ),
    "an op that waits": (
        "a = w.assign(fed * 2.)\nwith tf.control_dependencies([a]):\n    y = w * w\nasked = [y]",
        "[16.0]",
    ),
    "the variable beside its update": (f"y = w * w\n{DESCENT}asked = [train, w]", "[None, 2.4]"),
    "a read beside its update": (f"y = w * w\n{DESCENT}asked = [train, w.read_value()]", "[None, 2.4]"),
    "a read before its update": (
        "old = tf.identity(w)\nwith tf.control_dependencies([old]):\n"
        "    a = w.assign_add(1.)\nasked = [old, a]",
        "[4.0, 4.0]",
    ),
    "a copy before its update": (
        "old = w + 0.\nwith tf.control_dependencies([old]):\n    a = w.assign_add(1.)\nasked = [old, a]",
        "[3.0, 4.0]",
    ),
    "two updates, one after the other": (
        "a = w.assign_add(1.)\nwith tf.control_dependencies([a]):\n    b = w.assign_add(1.)\nasked = [a, b]",
        "[5.0, 5.0]",
    ),
    "a view of what is written later": (
        "old = tf.reshape(w, [1])\na = w.assign(5.)\n"
        "with tf.control_dependencies([a]):\n    y = old * 2.\nasked = [y]",
        "[array([10.], dtype=float32)]",
    ),
    "the same without a gradient": (
        "old = tf.stop_gradient(w)\na = w.assign_add(1.)\n"
        "with tf.control_dependencies([a]):\n    y = old * 1.\nasked = [old, y]",
        "[4.0, 4.0]",
    ),
    "a loss whose gradient needs it": (
        f"y = tf.square(w * 2. - 1.)\n{DESCENT}asked = [train, y]",
        "[None, 25.0]",
    ),
    "two branches": (
        "yes = tf.placeholder_with_default(True, ())\n"
        "asked = [tf.cond(yes, lambda: w * 1., lambda: tf.assign(w, 9.) * 1.)]",
        "[3.0]",
    ),
    "first values": ("v = tf.Variable(w.initialized_value() * 2.)\nasked = [v]", "[6.0]"),
    "turns that wait for each other": (
        "def body(i, s):\n    with tf.control_dependencies([tf.assign_add(w, 1.)]):\n        s = s + w\n"
        "    with tf.control_dependencies([s]):\n        return tf.identity(i) + 1, s\n"
        + TURNS.format(more=""),
        "[15.0]",
    ),
    "one turn at a time": (
        "def body(i, s):\n    with tf.control_dependencies([tf.assign_add(w, 1.)]):\n"
        "        return i + 1, s + w.read_value()\n" + TURNS.format(more=", parallel_iterations=1"),
        "[15.0]",
    ),
}

YES = "yes = tf.placeholder_with_default(True, ())\n"
LATER = "with tf.control_dependencies([r]):\n    a = w.assign({to})\n"
THEN = "with tf.control_dependencies([a]):\n    y = r + 0.\nasked = [y]"
CARRY = "r = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, {next}), [0, w])[1]\n"

# The memory that a branch or a loop hands on, and what every run of TensorFlow 1.15.5 printed.
CERTAIN |= {
    "what a branch returns, written later": (
        f"{YES}r = tf.cond(yes, lambda: w, lambda: w)\n{LATER.format(to='4.')}{THEN}",
        "[4.0]",
    ),
    "what the other branch computes": (
        f"{YES}r = tf.cond(yes, lambda: w + 1., lambda: w)\n{LATER.format(to='9.')}{THEN}",
        "[4.0]",
    ),
    "a view out of a branch": (
        f"{YES}r = tf.cond(yes, lambda: tf.reshape(w, [1, 1]), lambda: tf.zeros([1, 1]))\n"
        f"r = tf.squeeze(r)\n{LATER.format(to='8.')}{THEN}",
        "[8.0]",
    ),
    "what a branch returns, fetched beside its update": (
        f"{YES}r = tf.cond(yes, lambda: w, lambda: w)\n{LATER.format(to='4.')}asked = [r, a]",
        "[4.0, 4.0]",
    ),
    "a product of what a branch returns": (
        f"{YES}q = tf.cond(yes, lambda: w, lambda: w)\nr = q * 1.\n{LATER.format(to='4.')}"
        "with tf.control_dependencies([a]):\n    y = tf.stack([r, q])\nasked = [y]",
        "[array([3., 4.], dtype=float32)]",
    ),
    "an update in a branch": (
        f"{YES}r = tf.cond(yes, lambda: tf.assign_add(w, 1.), lambda: w + 0.)\n{LATER.format(to='9.')}{THEN}",
        "[9.0]",
    ),
    "what a loop carries": (CARRY.format(next="v") + LATER.format(to="5.") + THEN, "[5.0]"),
    "what a loop computes": (CARRY.format(next="v + 1.") + LATER.format(to="5.") + THEN, "[6.0]"),
    "two that change places in each turn": (
        "u = tf.Variable(7.)\n"
        "r = tf.while_loop(lambda i, p, q: i < 3, lambda i, p, q: (i + 1, q, p), [0, w, u])[2]\n"
        + LATER.format(to="5.")
        + THEN,
        "[5.0]",
    ),
    "a loop in a branch": (
        f"{YES}turns = lambda: tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, v), [0, w])[1]\n"
        f"r = tf.cond(yes, turns, lambda: tf.constant(1.))\n{LATER.format(to='6.')}{THEN}",
        "[6.0]",
    ),
}

# What some runs printed; what others printed stands beside it, where it is another number.
BY_CHANCE = {
    "a square beside an update": ("a = w.assign(5.)\nasked = [a.op, w * w]", "[None, 9.0]"),  # 25
    "its gradient": (
        "a = w.assign(fed + 3.)\ny = w * w\nasked = [a, y, tf.gradients(y, w)[0]]",
        "[5.0, 9.0, 6.0]",
    ),
    "a loss whose gradient does not need it": (
        f"y = w * w\n{DESCENT}asked = [train, y]",
        "[None, 9.0]",
    ),  # 5.76
    "a line": (f"y = 2. * w\n{DESCENT}asked = [train, y]", "[None, 6.0]"),  # 5.6
    "what was computed of the update": (
        "a = w.assign_add(1.)\nc = a * 1.\nwith tf.control_dependencies([a]):\n"
        "    b = w.assign_add(1.)\nasked = [c, b]",
        "[4.0, 5.0]",
    ),
    "turns that overlap": (
        "def body(i, s):\n    return i + 1, s + tf.assign_add(w, 1.)\n" + TURNS.format(more=""),
        "[15.0]",  # 16, 18
    ),
    "what a branch returns, beside an update": (
        f"{YES}r = tf.cond(yes, lambda: w, lambda: w)\na = w.assign(4.)\nasked = [r * 1., a]",
        "[3.0, 4.0]",  # 4
    ),
    "a row that is written": (
        "t = tf.Variable([3., 1.])\nasked = [tf.scatter_update(t, [0], [7.]), tf.reduce_sum(t)]",
        "[array([7., 1.], dtype=float32), 4.0]",  # 8
    ),
}


def answered(program: str) -> tuple[str, list[dict[str, Any]]]:
    """What a program prints, and the warnings of this kind."""
    answer = run_program(ProgramRequest(START + program + END))
    found = [one for one in answer["diagnostics"] if one["code"].endswith("in_either_order")]
    return "\n".join(answer["printed"]), found


@pytest.mark.parametrize("name", CERTAIN)
def test_what_has_one_order_prints_what_tensorflow_prints_and_is_not_warned_of(name: str) -> None:
    program, printed = CERTAIN[name]
    assert answered(program) == (printed, [])


@pytest.mark.parametrize("name", BY_CHANCE)
def test_what_may_come_in_either_order_is_warned_of(name: str) -> None:
    program, printed = BY_CHANCE[name]
    said, warnings = answered(program)
    assert said == printed
    assert [warning["severity"] for warning in warnings] == ["warning"]


def test_the_warning_names_both_and_says_which_number_is_shown() -> None:
    (warning,) = answered("a = w.assign(5.)\ny = w * w\nasked = [a, y]")[1]
    assert warning["message"] == (
        "`y` reads `w`, `a` writes it in the same run, and nothing orders the two: "
        "TensorFlow may run either first, so this number may differ from run to run. "
        "Here it is computed with `w` as it was before the update."
    )
    assert warning["message_zh"] == (
        "`y` 读取 `w`，而 `a` 在同一次运行中写它，两者之间没有先后关系：TensorFlow 可能先运行任何一个，"
        "所以这个数每次都可能不同。这里用的是更新之前的 `w`。"
    )
    assert (warning["line"], warning["code"]) == (5, "read_and_update_in_either_order")


def test_a_gradient_that_reads_an_updated_variable_is_named_itself() -> None:
    v = "v = tf.Variable(2., name='v')\ng = tf.gradients(w * v, v)[0]\na = w.assign(5.)\nasked = [g, a]"
    assert answered(v)[1][0]["message"].startswith("`g` reads `w`, `a` writes it")


def test_two_assignments_in_one_run_leave_either() -> None:
    said, (warning,) = answered("asked = [w.assign(5.), w.assign(7.)]")
    assert said == "[7.0, 7.0]"  # or twice 5: a fetch shows what is left
    assert warning["code"] == "updates_in_either_order"


def test_two_additions_come_out_the_same_in_either_order() -> None:
    assert answered("asked = [w.assign_add(5.), w.assign_add(7.)]") == ("[15.0, 15.0]", [])


def test_the_warning_is_there_after_a_hundred_runs_by_one_function_too() -> None:
    asked = f"y = w * w\n{DESCENT}asked = [train, y]"
    loop = "\nfor _ in range(100):\n    sess.run(asked)\n"
    answer = run_program(ProgramRequest(START + asked + END + loop))
    assert "read_and_update_in_either_order" in [one["code"] for one in answer["diagnostics"]]


def test_runs_by_one_function_show_what_the_run_leaves() -> None:
    asked = f"y = w * w\n{DESCENT}asked = [train, w.read_value(), w]"
    loop = (
        "\nfor _ in range(40):\n    _, read, value = sess.run(asked)\n    assert read == value\nprint(value)"
    )
    answer = run_program(ProgramRequest(START + asked + END + loop))
    assert float(answer["printed"][-1]) == pytest.approx(3 * 0.8**41)
