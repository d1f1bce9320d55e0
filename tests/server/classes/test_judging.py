"""What the answers of a class come to: right, a known wrong way, one that many have given, something else."""

from __future__ import annotations

from typing import Any

from server.classes.asking import answer_key, ending_of
from server.classes.judging import bins_of

GRADIENT = {
    "index": 7,
    "output": {"value": {"dtype": "float64", "shape": [], "data": -1.14}},
    "question": {
        "kind": "number",
        "prompt": {"en": "What does sin x send back to x?", "zh": "sin x 向 x 传回多少？"},
        "answer": {"dtype": "float64", "shape": [], "data": -1.14},
        "choices": [
            {
                "id": "M2",
                "value": {"dtype": "float64", "shape": [], "data": 1.152},
                "why": {"en": "", "zh": ""},
            },
            {
                "id": "M3",
                "value": {"dtype": "float64", "shape": [], "data": -0.99},
                "why": {"en": "", "zh": ""},
            },
        ],
    },
}


def counts(key: dict[str, Any], said: list[Any]) -> dict[str, int]:
    """How many fell into each bin, by its English label."""
    return {one["label"]["en"]: one["count"] for one in bins_of(key, said) if one["count"]}


def test_numbers_are_counted_as_right_as_a_known_wrong_way_or_as_something_else() -> None:
    said = [-1.14, -1.1400385, 1.152, -0.99, 17.0, 3.0]
    assert counts(answer_key(GRADIENT, "number"), said) == {
        "right": 2,
        "passed on unchanged": 1,
        "the local derivative alone": 1,
        "something else": 2,
    }


def test_a_value_that_a_fifth_of_the_class_has_typed_is_shown_by_itself() -> None:
    said = [-1.14] * 7 + [2.5, 2.5, 8.0]
    assert counts(answer_key(GRADIENT, "number"), said) == {"right": 7, "2.5": 2, "something else": 1}


def test_a_number_can_be_asked_for_by_its_sign() -> None:
    key = answer_key(GRADIENT, "sign")
    assert (key["answer"], key["options"]) == ("-", ["+", "-", "0"])
    assert counts(key, ["-", "-", "+"]) == {"it falls": 2, "it rises": 1}
    assert [one["correct"] for one in bins_of(key, [])] == [True, False, False, False]


def test_formulas_are_offered_in_an_order_that_says_nothing() -> None:
    choice = {"id": "M2", "value": "1", "value_text": "1", "why": {"en": "", "zh": ""}}
    question = {
        "kind": "formula",
        "prompt": {"en": "By which factor?", "zh": "乘以什么？"},
        "answer": r"\cos x",
        "answer_text": "cos x",
        "choices": [choice],
    }
    key = answer_key({"index": 1, "question": question}, "formula")
    assert sorted(key["options"]) == ["1", r"\cos x"]
    assert key["options"] == answer_key({"index": 9, "question": question}, "formula")["options"]
    assert counts(key, [r"\cos x", "1"]) == {"cos x": 1, "1": 1}


def test_a_run_converges_oscillates_or_diverges() -> None:
    """x^2 from 3 at the rates 0.1, 1 and 1.1: x is multiplied by 0.8, -1 and -1.2 at each step."""
    losses = {rate: [9 * (1 - 2 * rate) ** (2 * k) for k in range(20)] for rate in (0.1, 1.0, 1.1)}
    assert ending_of(losses[0.1], "ok") == "converge"
    assert ending_of(losses[1.0], "ok") == "oscillate"
    assert ending_of(losses[1.1], "ok") == "diverge"
    assert ending_of([9.0, "inf"], "non_finite") == "diverge"
