"""Questions: predict, then reveal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.programs.lesson.mathematics.lessons import Steps, array, of_phase, steps


def question_of(told: Steps, phase: str, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = of_phase(told, phase)[place]["question"]
    return found


def test_a_backward_step_asks_what_is_sent_and_knows_what_leads_to_wrong_answers() -> None:
    question = question_of(steps("y = exp(sin(x))", x=3), "backward", 1)
    assert question["kind"] == "number"
    assert question["prompt"] == {
        "en": "What does sin x send back to x?",
        "zh": "sin x 向 x 传回多少？",
    }
    assert array(question["answer"]) == pytest.approx(-1.1400385675133151)
    wrong = {choice["id"]: choice for choice in question["choices"]}
    assert list(wrong) == ["M2", "M3", "M4", "M6"]
    assert array(wrong["M3"]["value"]) == pytest.approx(-0.9899924966004454)  # cos 3
    assert wrong["M3"]["why"] == {
        "en": "That is what you get if the local derivative stands alone. It still has to be multiplied by "
        "what came back.",
        "zh": "如果只取局部导数，就会得到这个值；还要乘以上游梯度。",
    }


def test_a_sum_asks_for_the_gradient_in_all() -> None:
    question = question_of(steps("c = a + b\nd = a*b\ny = (c + d) + c*d", a=2, b=3), "sum", 2)
    assert array(question["answer"]) == 25
    assert {one["id"]: float(array(one["value"])) for one in question["choices"]} == {
        "M1": 18,
        "M5": 126,
        "M14": 29,
    }


def test_where_a_quantity_waits_the_question_is_which_operation_goes_on() -> None:
    told = steps("c = a + b\nd = a*b\ny = (c + d) + c*d", a=2, b=3)
    asked = [step for step in told if step["question"] and step["question"]["kind"] == "node"]
    (question,) = [step["question"] for step in asked]
    assert question["answer"] == asked[0]["of"]
    assert [one["why"]["en"] for one in question["choices"]] == [
        "c must wait: 1 of its 2 users have not reported yet.",
        "d must wait: 1 of its 2 users have not reported yet.",
    ]


ARRAYS = """
import tensorflow as tf
w = tf.Variable([1., 2., 3., 4., 5.])
x = tf.constant([2., 2., 3., 3., 4.])
y = tf.reduce_sum(w * x)
g = tf.gradients(y, w)
"""


def test_of_arrays_the_factor_is_asked_for() -> None:
    question = question_of(steps(ARRAYS), "backward", 1)
    assert (question["kind"], question["answer"]) == ("formula", "x")
    assert [(one["id"], one["value"]) for one in question["choices"]] == [("M2", "1"), ("M7", "w")]


LAYER = """
import tensorflow as tf
x = tf.constant([[1., 2., 3.], [4., 5., 6.]])
W = tf.Variable([[1., 2.], [3., 4.], [5., 6.]])
y = tf.reduce_mean(tf.matmul(x, W))
train = tf.train.GradientDescentOptimizer(1.0).minimize(y)
"""


def test_of_a_product_of_matrices_the_right_one_is_to_be_chosen() -> None:
    question = question_of(steps(LAYER), "backward", 1)
    back = r"\partial y/\partial(x\, W)"
    assert (question["kind"], question["answer"]) == ("formula", rf"x^{{\top}}\; {back}")
    assert [(one["id"], one["value"]) for one in question["choices"]] == [
        ("M15", rf"x\; {back}"),
        ("M16", rf"{back}\; x^{{\top}}"),
    ]


def test_what_comes_back_to_each_number_alike_is_asked_for_once() -> None:
    question = question_of(steps(LAYER), "backward", 0)
    assert question["prompt"]["en"] == "What does mean(x W) send back to each number of x W?"
    assert array(question["answer"]) == 0.25
    assert [(one["id"], float(array(one["value"]))) for one in question["choices"]] == [("M2", 1)]


def test_of_a_larger_array_one_number_is_asked_for_at_which_wrong_answers_differ() -> None:
    question = question_of(steps(LAYER), "update")
    assert question["prompt"] == {
        "en": "Which number of W stands at [2, 1], counted from 0?",
        "zh": "W 中位置 [2, 1]（从 0 数起）的数是多少？",
    }
    assert array(question["answer"]) == pytest.approx(6 - 9 / 4)  # each number of x's last column a quarter
    wrong = {one["id"]: float(array(one["value"])) for one in question["choices"]}
    assert wrong["M8"] == pytest.approx(6 + 9 / 4)


def test_of_an_array_that_is_not_written_out_the_shape_is_asked_for_where_it_changes() -> None:
    source = (
        "import tensorflow as tf\nA = tf.Variable(tf.ones([20, 3]))\nB = tf.matmul(A, tf.ones([3, 30]))\n"
    )
    question = question_of(
        steps(f"{source}y = tf.reduce_sum(tf.sin(B))\ng = tf.gradients(y, A)"), "forward", 1
    )
    assert question["prompt"]["en"].startswith("Which shape has B")
    assert array(question["answer"]).tolist() == [20, 30]


def test_a_large_array_of_the_same_shape_is_not_asked_for() -> None:
    source = "import tensorflow as tf\nA = tf.Variable(tf.ones([20, 3]))\ny = tf.reduce_sum(tf.sin(A))\n"
    assert question_of(steps(f"{source}g = tf.gradients(y, A)"), "forward", 1) is None


@pytest.mark.parametrize(("x", "sign"), [(3, "+"), (-3, "-"), (0, "0")])
def test_the_closing_step_asks_for_the_direction(x: float, sign: str) -> None:
    question = question_of(steps("y = x^2", x=x), "close")
    assert (question["kind"], question["answer"]) == ("sign", sign)


DESCENT = """
import tensorflow as tf
x = tf.Variable(3.)
y = x * x
train = tf.train.GradientDescentOptimizer({rate}).minimize(y)
"""


@pytest.mark.parametrize(
    ("rate", "endings"),
    [(0.1, ["converge"]), (0.9, ["converge", "oscillate"]), (1.0, ["oscillate"]), (1.1, ["diverge"])],
)
def test_with_an_optimizer_the_last_question_is_how_it_goes_on(rate: float, endings: list[str]) -> None:
    told = steps(DESCENT.format(rate=rate))
    question = question_of(told, "close")
    assert question["kind"] == "ending"
    assert [question["answer"], *question["also_right"]] == endings
    update = question_of(told, "update")
    assert [one["id"] for one in update["choices"]] == ["M8", "M9", "M10"]


def test_a_gradient_that_is_none_is_not_to_be_answered_with_0() -> None:
    source = (
        "import tensorflow as tf\nx, z = tf.Variable(1.), tf.Variable(1.)\n"
        "y = x * 2.\ng = tf.gradients(y, [x, z])"
    )
    question = question_of(steps(source), "close", 1)
    assert question["answer"] is None
    assert [(one["id"], float(array(one["value"]))) for one in question["choices"]] == [("M13", 0)]


FANNED = ["y = x*x", "f = (a*b)*(a+b)", "b = a + a\nc = b + b", "y = x*sin(x) + x", "y = (x+1)*(x+2)*(x+3)"]


@pytest.mark.parametrize("source", FANNED)
def test_where_paths_meet_overwriting_and_multiplying_are_wrong_or_said_to_be_right_by_chance(
    source: str,
) -> None:
    for step in of_phase(steps(source), "sum"):
        question = step["question"]
        wrong = {one["id"]: one for one in question["choices"]}
        for name in ("M1", "M5"):
            is_right = array(wrong[name]["value"]) == pytest.approx(array(question["answer"]))
            assert is_right == wrong[name].get("coincides", False)
