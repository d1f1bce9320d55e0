"""A learner's own derivative: right, wrong in one place, or not to be judged."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ProgramError
from engine.programs import ProgramRequest
from engine.programs.answers.comparison import compare_ways
from tests.limits import ROOMY

WAVE = "y = exp(sin(x))"
LOSS = "y = (t - w*x - b)^2"


def judged(source: str, derivative: str, by: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = compare_ways(ProgramRequest(source), ROOMY, by, derivative)["judgement"]
    return found


@pytest.mark.parametrize(
    ("source", "derivative", "by"),
    [
        (WAVE, "dy/dx = cos(x) * exp(sin(x))", None),
        (WAVE, "y cos(x)", None),
        ("y = 1/(1+exp(-x))", "y (1 - y)", None),
        ("y = (x + 1)^2", "2x + 2", None),
        ("y = sin(x)^2", "sin(2x)", None),
        ("y = ln(x)", "1/x", None),  # which has values where y has none
        (LOSS, "-2x (t - w x - b)", "w"),
        (LOSS, "2(b + w x - t)", "b"),
    ],
)
def test_a_right_derivative_may_be_written_in_any_way(source: str, derivative: str, by: str | None) -> None:
    found = judged(source, derivative, by)
    assert (found["verdict"], found["difference"], found["misconception"]) == ("right", None, None)
    assert found["here"]["typed"] == pytest.approx(found["here"]["right"])


@pytest.mark.parametrize(
    ("source", "derivative", "kind", "right", "typed", "misconception"),
    [
        (WAVE, "exp(sin(x))", "factor", r"\cos {x}", None, "M2"),
        (WAVE, "cos(x)", "factor", r"e^{\sin {x}}", None, "M3"),
        (WAVE, "exp(cos(x)) cos(x)", "factor", r"e^{\sin {x}}", r"e^{\cos {x}}", None),
        (WAVE, "-exp(sin(x)) cos(x)", "sign", None, "-1", None),
        ("y = sin(2x)", "cos(2x)", "factor", "2", None, "M2"),
        ("y = x sin(x)", "x cos(x)", "term", r"\sin {x}", None, "M1"),
        ("y = x^3 + 2x", "3x^2 + 2x", "term", "2", "2 x", None),
        ("y = (x + 1)^2", "2x + 3", "term", "2", "3", None),
        ("y = sin(sin(x))", "cos(sin(sin(x))) cos(x)", "factor", r"\cos{\left(\sin {x} \right)}",
         r"\cos{\left(\sin{\left(\sin {x} \right)} \right)}", "M6"),
    ],
)  # fmt: skip
def test_the_first_part_that_differs_is_named(
    source: str, derivative: str, kind: str, right: str, typed: str, misconception: str
) -> None:
    found = judged(source, derivative)
    assert found["verdict"] == "wrong"
    assert found["difference"] == {"kind": kind, "right": right, "typed": typed}
    assert found["misconception"] == misconception


def test_what_is_right_at_the_point_alone_is_wrong() -> None:
    found = judged("y = x^2", "2")  # at x = 1
    assert found["here"] == {"typed": 2.0, "right": 2.0}
    assert found["verdict"] == "wrong"
    assert found["apart"]["right"] == 2 * found["apart"]["at"]["x"]


@pytest.mark.parametrize(
    ("source", "derivative", "says"),
    [
        ("y = x^2", "2 q", "The function does not depend on `q`. Its letters are: x."),
        ("y = x^2", "2*(", "The formula ends too early: a number, a name or a bracket is missing."),
        ("y = sum(x^2 * [1, 2])", "[2x, 4x]", "Only the derivative of one number is judged, and this has 2."),
    ],
)
def test_what_cannot_be_judged_says_why(source: str, derivative: str, says: str) -> None:
    found = judged(source, derivative)
    assert (found["verdict"], found["says"]["en"]) == ("refused", says)
    assert found["difference"] is None


def test_the_sentences_name_the_part_in_both_languages() -> None:
    assert judged(WAVE, "exp(sin(x))")["says"] == {
        "en": "The factor cos x is missing. That is what you get if what came back is passed on unchanged."
        " It still has to be multiplied by the local derivative.",
        "zh": "缺少因子 cos x。如果把上游梯度原样传下去，就会得到这个值；还要乘以局部导数。",
    }


def test_a_partial_is_chosen_by_its_variable() -> None:
    body = compare_ways(ProgramRequest(LOSS, at={"x": 2, "t": 1}), ROOMY, "b")
    double = body["numeric"]["float64"]
    assert body["component"] == {"name": "b", "index": []}
    assert double["central"][2] == pytest.approx(4.0)  # -2 (1 - 2 - 1)
    exact = body["automatic"]["value"]["b"]
    assert double["errors"]["central"] == [pytest.approx(abs(one - exact)) for one in double["central"]]


def test_an_unknown_variable_is_named() -> None:
    with pytest.raises(ProgramError) as caught:
        compare_ways(ProgramRequest("y = x^2"), ROOMY, "z")
    assert caught.value.message == "There is no variable `z` to differentiate by."
