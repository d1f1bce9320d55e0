"""What asks for a derivative around a formula is left out with a note; everything else is read as before."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("derivative of x^3", ""),
        ("find the derivative of x^3 with respect to x", "x"),
        ("what is the gradient of x^3?", ""),
        ("differentiate x^3 wrt x", "x"),
        ("d/dx x^3", "x"),
        ("d/dx (x^3)", "x"),
        ("∂/∂x x^3", "x"),
        (r"\frac{d}{dx} x^3", "x"),
        (r"$\frac{\partial}{\partial x} x^3$", "x"),
        ("求导 x³", ""),
        ("求导：x^3", ""),
        ("导数 x^3", ""),
        ("对x求导 x^3", "x"),
        ("求 x^3 的导数", ""),
        ("x^3 对 x 的导数", "x"),
        ("x^3 的导数是什么？", ""),
    ],
)
def test_the_formula_alone_is_read(text: str, by: str) -> None:
    answer = run_program(ProgramRequest(text, at={"x": 2.0}))
    note = next(one for one in answer["diagnostics"] if one["code"] == "derivative_of")
    assert (f"by {by} is" in note["message"]) == bool(by)
    value = {node["name"]: node["value"] for node in answer["graph"]["nodes"]}
    assert value[answer["target"].removesuffix(":0")]["data"] == 8.0
    (gradient,) = answer["gradients"]
    assert value[gradient["tensor"].removesuffix(":0")]["data"] == 12.0


def test_columns_stay_those_of_the_text() -> None:
    answer = run_program(ProgramRequest("derivative of sin(x) + foo(x)"))
    (error,) = [one for one in answer["diagnostics"] if one["severity"] == "error"]
    assert (error["line"], error["column"]) == (1, 24)


@pytest.mark.parametrize("text", ["d/dx(x^2) + x", "y = d/dx x^2", "∇f", "dy/dx", "d^2/dx^2 x^3", "d²y/dx²"])
def test_what_would_be_another_number_is_refused(text: str) -> None:
    answer = run_program(ProgramRequest(text, dialect="math"))
    assert answer["status"] == "error"
    assert "deriv" in answer["diagnostics"][-1]["message"]


@pytest.mark.parametrize("text", ["sin x", "x in", "d/d", "d x", "对x"])
def test_letters_alone_ask_for_nothing(text: str) -> None:
    codes = [one["code"] for one in run_program(ProgramRequest(text, dialect="math"))["diagnostics"]]
    assert "derivative_of" not in codes
