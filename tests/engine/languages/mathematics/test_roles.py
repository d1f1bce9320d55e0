"""Which variables of a formula are trained: all, those that the request names, or the weights of a loss."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, RunRequest, optimise, run_program
from engine.programs.answers.code import written_code
from tests.engine.languages.mathematics.reading import run
from tests.limits import ROOMY


def trained(source: str, wrt: tuple[str, ...] | None = None) -> list[str]:
    answer = run_program(ProgramRequest(source, dialect="math", wrt=wrt))
    return [gradient["name"] for gradient in answer["gradients"]]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("(y - w*x - b)^2", ["w", "b"]),
        ("z = w_1 x_1 + w_2 x_2 + b\n-(t log(sigmoid(z)) + (1-t) log(1 - sigmoid(z)))", ["w_1", "w_2", "b"]),
        ("x = [1, 2]\ny = [3, 5]\nloss = mean((θ₁ x + θ₀ - y)^2)", ["θ₁", "θ₀"]),
        ("(t - w x)^2 + λ w^2", ["w"]),
        ("y = w*x + b", ["w", "x", "b"]),  # nothing to compare with: no loss
        ("w*x*y", ["w", "x", "y"]),
        ("(1 - x)^2 + 100 (y - x^2)^2", ["x", "y"]),  # Rosenbrock's function
        ("(a - x)^2 + b (y - x^2)^2", ["a", "x", "b", "y"]),
        ("x y - y z + z w", ["x", "y", "z", "w"]),  # four coordinates
        ("sin(w t)", ["w", "t"]),
    ],
)
def test_weights_of_a_loss_are_trained_and_data_are_not(source: str, names: list[str]) -> None:
    assert trained(source) == names


def test_a_note_says_what_is_data() -> None:
    (note,) = run("(y - w*x - b)^2")["diagnostics"]
    assert (note["severity"], note["code"]) == ("note", "data_held_constant")
    assert note["message"] == "`y` and `x` are taken as data and held constant; `w` and `b` are trained."
    assert note["message_zh"] == "`y`、`x` 按数据处理，保持不变；训练的是 `w`、`b`。"


@pytest.mark.parametrize("wrt", [("x",), ("y", "x"), ("w", "x", "b", "y"), ()])
def test_a_request_names_what_is_trained(wrt: tuple[str, ...]) -> None:
    assert set(trained("(y - w*x - b)^2", wrt)) == set(wrt)


def test_a_name_that_the_formula_has_not_got_is_said() -> None:
    answer = run_program(ProgramRequest("x^2 + c", dialect="math", wrt=("d",)))
    (note,) = answer["diagnostics"]
    assert (note["code"], note["hint"]) == ("unknown_variable", "The variables are: x, c.")


def test_an_optimizer_moves_what_is_trained_alone() -> None:
    program = ProgramRequest("(y - w*x)^2", dialect="math", at={"w": 1, "x": 2, "y": 5})
    answer = optimise(
        program, RunRequest(steps=1, optimizer={"name": "GradientDescent", "learning_rate": 0.1})
    )
    assert answer["variables"] == {"w": pytest.approx([1, 2.2])}  # 1 + 0.1 · 2 · (5 − 2) · 2


def test_written_code_differentiates_by_what_is_trained() -> None:
    program = ProgramRequest("(y - w*x)^2", dialect="math", wrt=("x",))
    code = written_code(program, "tf1", ROOMY)
    assert "tf.gradients(y1, [x])" in code
