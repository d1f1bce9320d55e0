"""Runs of letters: what is read apart, what is one name, what is no mathematics, and what notes say of it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def run(source: str, **at: Any) -> dict[str, Any]:
    return run_program(ProgramRequest(source, dialect="math", at=at))


def target(answer: dict[str, Any]) -> Any:
    name = answer["target"].removesuffix(":0")
    return next(node["value"]["data"] for node in answer["graph"]["nodes"] if node["name"] == name)


def codes(answer: dict[str, Any]) -> list[str]:
    return [one["code"] for one in answer["diagnostics"]]


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [
        ("sinx", {"x": 2.0}, math.sin(2)),
        ("sin πx", {"x": 0.25}, math.sin(math.pi / 4)),
        ("2πr", {"r": 3.0}, 6 * math.pi),
        ("xe^x", {"x": 2.0}, 2 * math.exp(2)),
        ("mx+b", {"m": 2.0, "x": 3.0, "b": 4.0}, 10.0),
        ("ax^2+bx+c", {"a": 2.0, "b": 3.0, "c": 4.0, "x": 5.0}, 69.0),
        ("σ(wx+b)", {"w": 2.0, "x": 3.0, "b": -6.0}, 0.5),
        ("xlnx", {"x": 2.0}, 2 * math.log(2)),
        ("sin2x", {"x": 2.0}, math.sin(4)),
        ("2sinxcosx", {"x": 2.0}, math.sin(4)),
        ("tanθ", {"θ": 0.5}, math.tan(0.5)),
        ("xsin(x)", {"x": 2.0}, 2 * math.sin(2)),
        ("w1x1+w2x2+b", {"w1": 2.0, "x1": 3.0, "w2": 4.0, "x2": 5.0, "b": 6.0}, 32.0),
        ("θ₁x + θ₀", {"θ₁": 2.0, "x": 3.0, "θ₀": 4.0}, 10.0),
        ("W_1x + b_1", {"W_1": 2.0, "x": 3.0, "b_1": 4.0}, 10.0),
        ("ax1^2", {"a": 2.0, "x1": 3.0}, 18.0),
    ],
)
def test_a_run_that_is_hardly_a_name_is_read_apart_and_noted(
    text: str, at: dict[str, float], value: float
) -> None:
    answer = run(text, **at)
    assert target(answer) == pytest.approx(value)
    assert "letters_apart" in codes(answer)
    assert {one["name"] for one in answer["bindings"]} == set(at)


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [
        ("eˣ", {"x": 2.0}, math.exp(2)),
        ("2ⁿ", {"n": 5.0}, 32.0),
        ("e⁻ˣ", {"x": 2.0}, math.exp(-2)),
        ("x²ⁿ", {"x": 2.0, "n": 3.0}, 64.0),
        ("log₂ x", {"x": 8.0}, 3.0),
        ("log₁₀ x", {"x": 1000.0}, 3.0),
        ("log_3 x", {"x": 81.0}, 4.0),
        ("log₃(x)", {"x": 81.0}, 4.0),
        (r"\log_{0.5}(x)", {"x": 8.0}, -3.0),
        ("x^½", {"x": 9.0}, 3.0),
        ("2½ + x", {"x": 1.0}, 2.0),
        ("½x²", {"x": 4.0}, 8.0),
        ("alpha beta", {"alpha": 2.0, "beta": 3.0}, 6.0),
        ("cosec x", {"x": 2.0}, 1 / math.sin(2)),
        ("sh x + ch x - th x", {"x": 2.0}, math.exp(2) - math.tanh(2)),
        ("sech x", {"x": 2.0}, 1 / math.cosh(2)),
        ("Φ(x)", {"x": 1.0}, 0.8413447460685429),
        ("ReLU(x)", {"x": 2.0}, 2.0),
        (r"\sigma(x)", {"x": 0.0}, 0.5),
        ("W^{[1]} x + x^{(i)}", {"W_1": 2.0, "x": 3.0, "x_i": 4.0}, 10.0),
    ],
)
def test_spellings_that_need_no_note(text: str, at: dict[str, float], value: float) -> None:
    answer = run(text, **at)
    assert target(answer) == pytest.approx(value)
    assert codes(answer) == []


@pytest.mark.parametrize("text", ["2xy", "mc^2", "xyz", "exp2", "sinax", "αβ"])
def test_a_short_name_that_could_be_more_is_noted(text: str) -> None:
    answer = run(text)
    assert answer["status"] == "ok"
    assert codes(answer) == ["letters_together"]


@pytest.mark.parametrize(
    "text",
    ["loss^2", "cost", "lr", "means", "signal", "Δx^2", "x1 + x_2", "损失", "conv1d", "l2loss", "fc_1"],
)
def test_names_are_names(text: str) -> None:
    assert codes(run(text)) == []


def test_a_run_with_a_value_is_a_name_whatever_its_letters() -> None:
    assert target(run("sinx", sinx=3.0)) == 3.0
    assert target(run("ax = 3\nax^2")) == 9.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("minimize x^2", "`minimize` is a word, not mathematics."),
        ("learning rate", "Two words stand side by side: learning and rate."),
        ("0x10", "Numbers are written in decimal here."),
        ("log3 x", "`log3` can be the logarithm to base 3 or the logarithm of 3."),
        ("log_2.5 x", "The base of a logarithm is a number other than 0 and 1, as in log_3(x)."),
        ("log_1 x", "The base of a logarithm is a number other than 0 and 1, as in log_3(x)."),
        ("import os", "`import` is a word, not mathematics."),
        ("3.14.15", "Two numbers stand side by side: 3.14 and .15."),
        ("3 4", "Two numbers stand side by side: 3 and 4."),
        ("x == 2", "`=` cannot stand here; an operator was expected."),
        ("x AND y", "`AND` cannot stand here; an operator was expected."),
    ],
)
def test_what_is_no_mathematics_is_refused(text: str, message: str) -> None:
    answer = run(text)
    assert answer["status"] == "error"
    assert answer["diagnostics"][-1]["message"] == message


def test_the_root_of_a_product_is_noted() -> None:
    answer = run("√2x", x=8.0)
    assert (target(answer), codes(answer)) == (4.0, ["root_of_a_product"])
    assert codes(run("√(2) x")) == []


def test_layers_and_examples_inside_a_sum_are_elements() -> None:
    assert target(run(r"\sum_{i=1}^{3} x^{(i)}", x_1=1.0, x_2=2.0, x_3=4.0)) == 7.0


def test_the_other_reading_comes_with_the_note() -> None:
    """Sent again, the replacement is read the other way, and no note of that kind is left."""
    for text, code, names in [
        ("2xy", "letters_together", ["x", "y"]),
        ("xy^2", "letters_together", ["x", "y"]),
        ("sin(2πr)", "letters_apart", ["πr"]),
        ("√2x", "root_of_a_product", ["x"]),
    ]:
        note = next(one for one in run(text)["diagnostics"] if one["code"] == code)
        again = run(note["replacement"])
        assert again["status"] == "ok"
        assert code not in codes(again)
        assert [one["name"] for one in again["bindings"]] == names


def test_the_other_reading_is_found_whatever_ends_the_lines() -> None:
    for newline in ("\n", "\r\n", "\r"):
        note = run(f"\ufeffz = 2xy{newline}z")["diagnostics"][0]
        assert note["replacement"] == "z = 2x y\nz"


def test_a_power_of_a_name_stays_the_power_of_all_of_it_when_read_apart() -> None:
    note = run("xy^2")["diagnostics"][0]
    assert target(run(note["replacement"], x=2.0, y=3.0)) == 36.0


def test_a_word_in_a_product_is_noted_as_a_variable() -> None:
    assert codes(run("rate x")) == ["word_as_name"]
    assert codes(run("rate * x")) == []
    assert codes(run("rate = 2\nrate x")) == []


def test_words_for_operations_are_no_variables() -> None:
    for text in ("n choose k", "x plus y", "x times y", "x squared", "half x", "2 加 x"):
        assert codes(run(text)) == ["not_mathematics"], text


def test_the_imaginary_unit_is_not_meant() -> None:
    assert codes(run("exp(i)")) == ["i_is_a_name"]
    assert codes(run("i = 3\nexp(i)")) == []
