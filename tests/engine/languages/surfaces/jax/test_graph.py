"""The graph and the gradients of JAX programs whose training step is jitted: as those of one that is not."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest
from engine.programs.program.running import run_request
from engine.programs.service import run_program, tell_lesson
from tests.limits import ROOMY

STEP = """\
import jax
import jax.numpy as jnp
x = jnp.array([1.0, 2.0])
def loss(w):
    return jnp.sum((x * w - 1.0) ** 2)
{jit}
def step(w):
    g = jax.grad(loss)(w)
    return w - 0.1 * g
w = jnp.array([0.5, 2.0])
w = step(w)
"""
EAGER, JITTED = STEP.format(jit=""), STEP.format(jit="@jax.jit")


def outcome(source: str) -> Any:
    return run_request(ProgramRequest(source, dialect="jax"), ROOMY)


def shapes(source: str) -> list[tuple[str, str, str | None]]:
    """Of each node: its op, its phase, and the op of the forward node that it belongs to."""
    return [(n.op.name, n.phase, n.of and n.of.op.name) for n in outcome(source).graph.nodes]


def test_a_jitted_step_has_the_nodes_of_the_step_without_jit() -> None:
    assert shapes(JITTED) == shapes(EAGER)


def test_a_gradient_inside_of_jit_is_a_row_of_the_answer() -> None:
    answer = run_program(ProgramRequest(JITTED, dialect="jax"))
    (row,) = answer["gradients"]
    assert row["name"] == "w"
    assert row["value"]["data"] == pytest.approx([-1.0, 12.0])  # 2 x (x w - 1) = 2 · 1 · -0.5, 2 · 2 · 3
    assert outcome(JITTED).target.node.op.name == "Sum"


def test_the_lesson_of_a_jitted_step_goes_back_through_the_loss() -> None:
    eager, jitted = (
        tell_lesson(ProgramRequest(source, dialect="jax"), ROOMY, "mathematics")["steps"]
        for source in (EAGER, JITTED)
    )
    assert [step["sentence"] for step in jitted] == [step["sentence"] for step in eager]
    assert [step["phase"] for step in jitted].count("backward") == 4


def test_the_picture_of_a_jitted_step_has_the_numbers_that_it_was_called_with() -> None:
    (picture,) = outcome(JITTED).workspace.jaxprs
    (argument,) = picture["gradient"]["arguments"]
    assert (picture["name"], argument["value"]["data"]) == ("loss", [0.5, 2.0])


def test_a_gradient_in_each_turn_of_a_jitted_scan_is_entered() -> None:
    source = JITTED.replace("def step(w):", "def steps(w):\n  def step(w, _):").replace(
        "    g =", "      g ="
    )
    source = source.replace("    return w - 0.1 * g", "      return w - 0.1 * g, None\n  ends = jax.lax.scan")
    source = source.replace("ends = jax.lax.scan", "return jax.lax.scan(step, w, None, length=3)[0]")
    found = outcome(source.replace("w = step(w)", "w = steps(w)"))
    assert [d.message for d in found.diagnostics] == []
    assert len(found.workspace.gradient_calls) == 3


@pytest.mark.parametrize("source", [EAGER, JITTED, JITTED.replace("(loss)(w)", "(jax.jit(loss))(w)")])
def test_gradient_nodes_know_their_forward_nodes_and_none_comes_after(source: str) -> None:
    nodes = outcome(source).graph.nodes
    assert {node.phase for node in nodes} == {"forward", "gradient"}
    assert all(
        node.of is not None and node.of.phase == "forward" for node in nodes if node.phase == "gradient"
    )


def test_a_gradient_whose_way_back_is_not_drawn_any_more_is_none_of_the_answers() -> None:
    source = (
        "import jax\n\ndef f(w):\n    return jax.numpy.sin(w) ** 2\n\nw = 1.0\n"
        "for step in range(200):\n    w = w - 0.1 * jax.grad(f)(w)\n"
    )
    answer = run_program(ProgramRequest(source))
    rows = answer["gradients"]
    assert len(rows) > 10
    assert [one["code"] for one in answer["diagnostics"]] == ["drawn_in_part"]
    assert "the first 600 operations" in answer["diagnostics"][0]["message"]
    assert [row for row in rows if row["tensor"] is None] == []
    phases = {step["phase"] for step in tell_lesson(ProgramRequest(source), level="mathematics")["steps"]}
    assert {"seed", "backward", "close"} <= phases
