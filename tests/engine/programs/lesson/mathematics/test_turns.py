"""Loops and branches told as one run went through them, forward and back."""

from __future__ import annotations

import pytest

from tests.engine.programs.lesson.mathematics.lessons import (
    Steps,
    array,
    chinese,
    english,
    lesson,
    of_phase,
    steps,
    unequal_products,
    wrong_totals,
)

POWER = """\
import tensorflow as tf
x = tf.Variable({x})
_, y = tf.while_loop(lambda i, a: i < {turns}, lambda i, a: [i + 1, a * x], [0, 1.])
g = tf.gradients(y, x)
"""


def operations(told: Steps) -> Steps:
    """The backward steps of operations."""
    return [step for step in of_phase(told, "backward") if not step.get("about")]


def test_a_loop_is_told_turn_by_turn_and_back_from_the_last_turn() -> None:
    told = steps(POWER.format(x=2.0, turns=2))
    assert english(told) == [
        "To begin with, x = 2.",
        "Turn 1: i < 2 holds (i = 0), so the loop goes round. It begins with a = 1.",
        "a₁ = a · x = 2.",
        "Turn 2: i < 2 holds (i = 1), so the loop goes round. It begins with a = 2.",
        "y = a₁ · x = 4.",
        "i < 2 no longer holds (i = 2): the loop ends after 2 turns.",
        of_phase(told, "seed")[0]["sentence"]["en"],
        "Back through turn 2. Remembered from turn 2: a₁ = 2.",
        operations(told)[0]["sentence"]["en"],
        "Back through turn 1. Remembered from turn 1: a = 1.",
        operations(told)[1]["sentence"]["en"],
        of_phase(told, "sum")[0]["sentence"]["en"],
        of_phase(told, "close")[0]["sentence"]["en"],
    ]
    assert chinese(told)[1] == "第 1 轮：i < 2 成立（i = 0），所以循环执行这一轮。这一轮开始时 a = 1。"
    assert array(of_phase(told, "close")[0]["output"]["value"]) == 4  # 2x


def test_a_step_of_a_turn_names_the_nodes_that_the_graph_has() -> None:
    outcome, told = lesson(POWER.format(x=2.0, turns=2))
    last, first = operations(told)
    assert (last["of"], first["of"]) == ("while/mul", "while/mul")
    assert last["nodes"] == first["nodes"]
    names = {node.name for node in outcome.graph.nodes}
    assert all(set(step["nodes"]) <= names and step["node"] in names for step in told)


def test_of_many_turns_the_first_two_and_the_last_are_told_and_the_rest_is_added_up() -> None:
    told = steps(POWER.format(x=1.0, turns=100))
    assert len(operations(told)) == 3
    rest, back = [step for step in told if step.get("about") == "rest"]
    assert rest["sentence"]["en"] == (
        "Turns 3 to 99 go the same way and are left out here: i goes from 2 to 99 and a goes from 1 to 1."
    )
    assert back["sentence"]["en"].startswith(
        "Turns 99 to 3, on the way back, send back in the same way and are left out here."
    )
    assert [array(one["value"]) for one in back["contributions"]] == [97, 1]  # to x, and to a₂
    assert wrong_totals(told) == []


def test_a_loop_that_takes_no_turn_says_so() -> None:
    told = steps(POWER.format(x=2.0, turns=0))
    assert "i < 0 does not hold at the start (i = 0), so the loop takes no turn." in english(told)


BRANCH = """\
import tensorflow as tf
x = tf.Variable({x})
y = tf.cond(x > 0, lambda: 3. * x, lambda: x * 5.)
g = tf.gradients(y, x)
"""


@pytest.mark.parametrize(
    ("x", "sentence", "slope"),
    [
        (2.0, "x > 0 is true (x = 2), so the branch 3x is taken", 3),
        (-2.0, "x > 0 is false (x = −2), so the branch x · 5 is taken", 5),
    ],
)  # fmt: skip
def test_of_two_branches_the_one_that_was_taken_is_told(x: float, sentence: str, slope: float) -> None:
    told = steps(BRANCH.format(x=x))
    assert f"{sentence}; the other one is not computed." in english(told)
    assert len(operations(told)) == 1
    assert array(of_phase(told, "close")[0]["output"]["value"]) == slope


NESTED = """\
import tensorflow as tf
x = tf.Variable(1.5)
def outer(i, a):
    _, b = tf.while_loop(lambda j, b: j < 2, lambda j, b: [j + 1, b * x], [0, a])
    return [i + 1, b + x]
_, y = tf.while_loop(lambda i, a: i < 2, outer, [0, 1.])
g = tf.gradients(y, x)
"""


def test_a_loop_in_a_loop_numbers_its_quantities_by_both_turns() -> None:
    told = steps(NESTED)
    rules = [step["rule"] for step in of_phase(told, "forward") if not step.get("about")]
    assert r"b_{2,1} = a_{1} \cdot x" in rules
    assert wrong_totals(told) == []
    assert unequal_products(told) == []


MAPPED = """\
import tensorflow as tf
x = tf.Variable([1., 2., 3.])
y = tf.reduce_sum(tf.map_fn(lambda v: v * v, x))
g = tf.gradients(y, x)
"""


def test_a_function_of_rows_is_told_row_by_row() -> None:
    told = steps(MAPPED)
    assert "Turn 2 of 3 of map_fn." in english(told)
    assert wrong_totals(told) == []
    assert len(operations(told)) == 8  # for each row a subscript and a product, then the stack and the sum


UPDATED = (
    POWER.replace("{x}", "2.0").replace("{turns}", "2").replace("g = tf.gradients(y, x)\n", "")
    + "train = tf.train.GradientDescentOptimizer(0.1).minimize(y)\n"
)


def test_what_follows_the_gradients_of_a_loop_is_told_too() -> None:
    told = steps(UPDATED)
    assert english(of_phase(told, "update")) == ["x ← 2 − 0.1 × 4 = 1.6."]
    assert [step["phase"] for step in told[-2:]] == ["update", "close"]


TAPE = """
import tensorflow as tf
x = tf.Variable(0.5)
with tf.GradientTape() as t:
    h = x
    for k in range({turns}):
        u = h * 2.
        h = tf.sin(u)
g = t.gradient(h, x)
"""


def test_a_loop_of_the_text_is_told_turn_by_turn_where_it_is_certain() -> None:
    told = steps(TAPE.format(turns=2))
    headings = [step["sentence"]["en"] for step in told if step.get("about") == "turn"]
    assert headings == [
        "Turn 1 of 2 of the loop in line 6.",
        "Turn 2 of 2 of the loop in line 6.",
        "Back through turn 2.",
        "Back through turn 1.",
    ]
    forward = [step for step in of_phase(told, "forward") if not step.get("about")][1:]
    assert [(step["rule"].partition(" ")[0], step["turns"]) for step in forward] == [
        ("u_{1}", [1]),
        ("h_{1}", [1]),
        ("u_{2}", [2]),
        ("h_{2}", [2]),
    ]


def test_of_many_turns_of_the_text_three_are_told() -> None:
    told = steps(TAPE.format(turns=30))
    assert len(operations(told)) == 6
    assert next(step["sentence"]["en"] for step in told if step.get("about") == "rest").startswith(
        "Lines 7 to 8 run 27 times more in the same way, which is left out here."
    )
    assert wrong_totals(told) == []


@pytest.mark.parametrize(
    "body",
    [
        "        if k != 1:\n            h = h * 2.\n",
        "        h = h * 2. if k else h + 1.\n",
        "        for _ in range(2):\n            h = h * 2.\n",
    ],
)
def test_a_loop_whose_turns_are_not_certain_has_no_headings(body: str) -> None:
    source = TAPE.format(turns=3).replace("        u = h * 2.\n        h = tf.sin(u)\n", body)
    told = steps(source)
    assert not any(step.get("about") == "turn" for step in told)
    assert wrong_totals(told) == []
