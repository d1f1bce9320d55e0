"""A function as a program: what it uses comes along, and its gradient is what the program computes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engine.programs import ProgramRequest, run_program
from gradlens.function_source import arguments, plain_value, program_of
from tests.gradlens import functions


def gradients(request: ProgramRequest) -> dict[str, Any]:
    answer = run_program(request)
    assert answer["status"] == "ok", answer["diagnostics"]
    return {row["name"]: row["value"]["data"] for row in answer["gradients"]}


def test_a_function_of_numbers_is_differentiated_with_what_it_uses() -> None:
    request = program_of(functions.loss, {"w": 3.0})
    text = request.source
    assert text.split("\n")[:3] == ["import jax", "", "SCALE = 2.0"]
    assert text.index("def half(") < text.index("def loss(")
    assert text.endswith("y, gradients = jax.value_and_grad(loss, argnums=(0, 1))(w, b, n)\n")
    found = gradients(request)
    assert found == {"w": 4.0, "b": 8.0}  # 2 · 2 (1.5 + 0.5) / 2, and without the half


@pytest.mark.parametrize("framework", ["torch", "tensorflow"])
def test_the_framework_that_a_function_uses_differentiates_it(
    framework: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(functions, "torch", ModuleType(framework))
    (found,) = gradients(program_of(functions.of_numpy, {"x": [0.0, 1.0]})).values()
    assert found == [0.0, 2.0]


@pytest.mark.parametrize(
    ("function", "at", "message"),
    [
        (lambda x: x, {"x": 1.0}, "Only a function that is written with `def` has a text"),
        (functions.loss, {}, "What is w? Write show(loss, w=…)."),
        (functions.loss, {"v": 1.0}, "loss has no argument 'v'; it has w, b, n."),
        (functions.of_a_table, {"x": 1.0}, "of_a_table uses TABLE, which is neither a number nor a function"),
        (
            functions.around(2.0),
            {"x": 1.0},
            "inner uses scale of the function around it; make it an argument.",
        ),
        (np.sin, {}, "Only a function that is written with `def` has a text"),
        (functions.loss, {"w": object()}, "is no number and no list of numbers."),
    ],
)
def test_what_cannot_be_shown_is_said_in_words(function: Any, at: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as refused:
        program_of(function, at)
    assert message in str(refused.value)


def test_a_function_of_numpy_is_one_of_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "torch", ModuleType("pandas"))
    with pytest.raises(ValueError, match="The module pandas is none that Gradlens knows"):
        program_of(functions.of_numpy, {"x": 1.0})


def test_arrays_are_lists_and_defaults_hold() -> None:
    assert arguments(functions.loss, {"w": np.array([1.0, 2.0])}) == {"w": [1.0, 2.0], "b": 0.5, "n": 2}
    assert plain_value(np.float32(0.5)) == 0.5
