"""JAX's picture of a program: the equations of the gradient's jaxpr, the forward ones first."""

from __future__ import annotations

import json

import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest
from engine.programs.answers.graph_files import download_graph
from engine.programs.service import run_program, tell_lesson

EXP_SIN = """\
import jax
import jax.numpy as jnp
def f(x):
    return jnp.exp(jnp.sin(x))
print(jax.grad(f)(3.0))
"""
REQUEST = ProgramRequest(EXP_SIN, dialect="jax")


def test_each_equation_is_a_node_and_cos_is_computed_on_the_way_forward() -> None:
    nodes = json.loads(download_graph(REQUEST, "jax", "json", Limits()))["nodes"]
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
    found = tell_lesson(REQUEST, Limits(), "jax")
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
    steps = tell_lesson(REQUEST, Limits(), "mathematics")["steps"]
    assert [step["phase"] for step in steps].count("backward") == 2
