"""JAX's picture of a program: the equations of the gradient's jaxpr, the forward ones first."""

from __future__ import annotations

import json

import pytest

from engine.programs import ProgramRequest
from engine.programs.answers.graph_files import download_graph
from engine.programs.service import run_program, tell_lesson
from tests.limits import ROOMY

EXP_SIN = """\
import jax
import jax.numpy as jnp
def f(x):
    return jnp.exp(jnp.sin(x))
print(jax.grad(f)(3.0))
"""
REQUEST = ProgramRequest(EXP_SIN, dialect="jax")


def test_each_equation_is_a_node_and_cos_is_computed_on_the_way_forward() -> None:
    nodes = json.loads(download_graph(REQUEST, "jax", "json", ROOMY))["nodes"]
    assert [(node["name"], node["op"], node["inputs"], node["phase"]) for node in nodes] == [
        ("a", "VariableV2", [], "forward"),
        ("b", "sin", ["a"], "forward"),
        ("c", "cos", ["a"], "forward"),
        ("d", "exp", ["b"], "forward"),
        ("e_0", "Const", [], "gradient"),
        ("e", "mul", ["e_0", "d"], "gradient"),
        ("f", "mul", ["e", "c"], "gradient"),
    ]
    assert nodes[-1]["value"]["data"] == pytest.approx(-1.1400385)  # e^sin 3 · cos 3


def test_the_lesson_goes_through_the_equations_in_order() -> None:
    found = tell_lesson(REQUEST, ROOMY, "jax")
    assert found["level"] == "jax"
    sentences = [step["sentence"]["en"] for step in found["steps"]]
    assert sentences == [
        "The function is given a = 3.",
        "b = sin a = 0.1411.",
        "c = cos a = −0.99.",
        "d = exp b = 1.152.",
        "e = mul 1.0 d = 1.152.",
        "f = mul e c = −1.14.",
    ]


def test_the_gradient_by_a_plain_number_is_part_of_the_answer_and_of_the_lesson() -> None:
    (gradient,) = run_program(REQUEST)["gradients"]
    assert (gradient["name"], gradient["value"]["data"]) == ("x", pytest.approx(-1.1400385))
    steps = tell_lesson(REQUEST, ROOMY, "mathematics")["steps"]
    assert [step["phase"] for step in steps].count("backward") == 2


def test_a_lesson_as_mathematics_calls_an_argument_by_its_name() -> None:
    source = "import jax\nimport jax.numpy as jnp\nprint(jax.grad(lambda x: jnp.exp(jnp.sin(x)))(3.0))\n"
    said = [
        step["sentence"]["en"] for step in tell_lesson(ProgramRequest(source), level="mathematics")["steps"]
    ]
    assert "sin x = 0.1411." in said  # and not sin 3


def test_the_way_back_of_vjp_has_a_picture_with_what_was_pulled_back() -> None:
    source = "import jax\ny, pull = jax.vjp(lambda x: x ** 2, 3.0)\nprint(pull(4.0))\n"
    assert values(source)[-1] == 24.0  # 4 · 2 · 3


def test_a_function_that_asks_its_values_is_drawn_along_the_path_that_it_took() -> None:
    source = "import jax\n\ndef f(x):\n    while x < 10:\n        x = x * 2\n    return x\n\n"
    source += "print(jax.grad(f)(3.0))\n"
    assert values(source)[-1] == 4.0  # 3, 6, 12


def values(source: str) -> list[float]:
    """What each step of the lesson at JAX's level computes."""
    steps = tell_lesson(ProgramRequest(source), level="jax")["steps"]
    return [step["output"]["value"]["data"] for step in steps]
