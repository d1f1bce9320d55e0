"""An op that one file defines is found everywhere: whatever asks about ops asks their blocks."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.differentiation.forward import jvp
from engine.differentiation.numeric import GraphFunction, complex_step
from engine.errors import DtypeError
from engine.graph import Graph
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import Module
from engine.languages.surfaces import MODULES
from engine.ops import REGISTRY, OpDef, constant, placeholder
from engine.programs import ProgramRequest, run_program, tell_lesson
from engine.programs.answers.code import written_code
from engine.programs.answers.comparison import compare_ways
from engine.programs.program import running
from scripts.ops_page import ops_page
from server.routes.catalogues import compressed, op_view
from tests.limits import ROOMY

FILE = "tests.engine.ops.torricelli"
LIMITS = ROOMY


@pytest.fixture(autouse=True)
def op(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpDef]:
    """The op, which programs here may import from `water`; afterwards there is none."""
    defined: OpDef = importlib.import_module(FILE).torricelli
    module = Module("water", {"torricelli": Native("water.torricelli", lambda x: defined(x))})
    monkeypatch.setattr(running, "MODULES", {**MODULES, "water": module})
    yield defined
    REGISTRY.remove("Torricelli")
    del sys.modules[FILE]


def program(depth: float) -> ProgramRequest:
    return ProgramRequest(
        "import tensorflow as tf, water\n"
        f"x = tf.Variable({depth}, name='x')\n"
        "y = water.torricelli(x)\n"
        "dx = tf.gradients(y, [x])\n"
        "sess = tf.Session()\n"
        "sess.run(tf.global_variables_initializer())\n"
        "print(sess.run([y, dx]))\n"
    )


def notes_at(depth: float) -> list[str]:
    """What is said of the program at this depth."""
    answer = run_program(program(depth))
    return [f"{one['message']} {one['message_zh']}" for one in answer["diagnostics"]]


def test_a_program_runs_it_and_its_gradient() -> None:
    answer = run_program(program(8.0))
    assert "".join(answer["printed"]) == "[4.0, [0.25]]"  # √16, and 1/4
    assert answer["gradients"][0]["value"]["data"] == 0.25


def test_the_catalogue_of_the_interface_lists_it(op: OpDef) -> None:
    listed = json.loads(gzip.decompress(compressed.__wrapped__("ops")))["ops"]
    assert op_view(op) in listed
    assert op_view(op)["latex"] == r"\sqrt{2 {x}}"
    assert op_view(op)["doc_zh"] == "水深 x 处小孔的出水速度。"


def test_the_lesson_tells_its_formula_and_its_slope() -> None:
    steps: Any = tell_lesson(program(8.0))["steps"]
    forward = next(step for step in steps if step["node"] == "Torricelli")
    assert forward["rule_numbers"] == r"\sqrt{2 {8}} = 4"
    back = next(step for step in steps if step["phase"] == "gradient" and step["of"] == "Torricelli")
    assert back["rule"] == r"\bar{y} / y"
    assert back["output"]["value"]["data"] == 0.25


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("numpy", "np.sqrt(2 * x)"),
        ("jax", "jnp.sqrt(2 * x)"),
        ("math", "sqrt(2 * x)"),
        ("latex", r"\sqrt{2 \cdot x}"),
        ("torch", "torch.special.torricelli(x)"),
        ("tf2", "tf.torricelli(x)"),
    ],
)
def test_code_calls_it_by_name_or_writes_its_formula(language: str, text: str) -> None:
    assert text in written_code(program(8.0), language, LIMITS)


def test_the_comparison_of_the_ways_to_differentiate_reads_its_formula() -> None:
    found = compare_ways(program(8.0), LIMITS)
    assert found["symbolic"]["value"] == pytest.approx(0.25)
    assert found["symbolic"]["latex"] == r"\frac{\sqrt{2}}{2 \sqrt{x}}"
    assert found["automatic"]["value"] == 0.25


def test_forward_mode_and_the_complex_step_take_its_slope(op: OpDef) -> None:
    with Graph(default_float="float64").as_default():
        x: Any = placeholder("float64", ())
        y = op(x)
    known = {x: np.asarray(8.0)}
    assert jvp([y], [x], [1.0], known) == [0.25]
    function = GraphFunction(y, (x,), known)
    assert function.is_analytic()
    assert complex_step(function.in_type("complex128"), np.array([8.0]), 1e-20) == pytest.approx([0.25])


def test_a_note_says_that_a_gradient_passed_its_corner() -> None:
    notes = " ".join(notes_at(0.0))
    assert "torricelli has no finite slope at 0." in notes
    assert "torricelli 在 0 处没有有限的斜率。" in notes
    assert "no finite slope" not in " ".join(notes_at(8.0))


def test_what_is_not_defined_is_noted_with_its_reason() -> None:
    notes = " ".join(notes_at(-2.0))
    assert "No water flows at the depth −2." in notes
    assert "深度 −2 处没有水流。" in notes


def test_it_refuses_elements_that_its_block_does_not_accept(op: OpDef) -> None:
    with Graph().as_default(), pytest.raises(DtypeError, match="takes only floats"):
        op(constant(3))


def test_the_reference_page_describes_it() -> None:
    page = ops_page()
    entry = page[page.index("### Torricelli") :]
    assert "The speed of water at the depth x." in entry
    assert r"- local derivative by `x`: $`\frac{1}{{out}}`$" in entry
    assert "- corner: torricelli has no finite slope at 0." in entry
