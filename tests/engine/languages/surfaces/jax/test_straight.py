"""A jitted function in a loop: the same numbers and the same counts, as a list of calls or one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.execution.budget import Limits
from engine.languages.surfaces.jax.straight import Straight
from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

BEGIN = "import jax\nimport jax.numpy as jnp\n"
HALVING = BEGIN + "f = jax.jit(lambda x: x * 0.5 + 1)\nx = 10.0\nfor i in range(400):\n    x = f(x)\nprint(x)"
PROGRAMS = {
    "numbers": HALVING,
    "a gradient": BEGIN
    + "f = jax.jit(jax.value_and_grad(lambda x: jnp.exp(-(x ** 2))))\nx = 1.0\nfor i in range(300):\n"
    "    y, g = f(x)\n    x = x - 0.05 * g\nprint(x, y, g)",
    "keys": BEGIN
    + "@jax.jit\ndef f(key):\n    key, k = jax.random.split(key)\n    return key, jax.random.normal(k)\n"
    "key = jax.random.key(0)\nfor i in range(100):\n    key, z = f(key)\nprint(z)",
    "printing inside": BEGIN
    + "@jax.jit\ndef f(x):\n    jax.debug.print('{}', x)\n    return jnp.sin(x) * jnp.cos(x) + 1\nx = 1.0\n"
    "for i in range(250):\n    x = f(x)\nprint(x)",
    "arguments given back": BEGIN
    + "f = jax.jit(lambda x, y: (x, y, x, x + y))\na = 1.0\nfor i in range(400):\n"
    "    p, q, r, a = f(a * 0.5, 2)\nprint(p, q, r, a, p is r)",
    "large arrays": BEGIN
    + "f = jax.jit(lambda x: x / 2 + 1)\nx = jnp.arange(300.0)\nfor i in range(400):\n    x = f(x)\n"
    "y = jnp.arange(3.0)\nfor i in range(100):\n    y = f(y)\nprint(x[299], y)",
}


def answer(
    monkeypatch: pytest.MonkeyPatch, source: str, limits: Limits, *, straight: bool
) -> tuple[Any, int]:
    """The answer to a program, and how often equations ran as a list of calls."""
    count = 0
    run = Straight.run

    def counting(self: Straight, held: dict[Any, Any], budget: Any) -> bool:
        nonlocal count
        has_run = straight and run(self, held, budget)
        count += has_run
        return has_run

    with monkeypatch.context() as patch:
        patch.setattr(Straight, "run", counting)
        return run_program(ProgramRequest(source), limits), count


def answers(monkeypatch: pytest.MonkeyPatch, source: str, limits: Limits) -> Sequence[tuple[Any, int]]:
    """One by one, and as lists of calls where that can be."""
    return [answer(monkeypatch, source, limits, straight=straight) for straight in (False, True)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_as_a_list_of_calls(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (expected, _), (found, count) = answers(monkeypatch, PROGRAMS[name], ROOMY)
    assert found["status"] == "ok"
    assert json.dumps(found) == json.dumps(expected)
    assert count > 10


def test_the_half_of_x_and_one_comes_to_two(monkeypatch: pytest.MonkeyPatch) -> None:
    found, count = answer(monkeypatch, HALVING, ROOMY, straight=True)
    assert found["printed"] == ["2.0"]  # x = x / 2 + 1
    assert count > 100


@pytest.mark.parametrize("limits", [replace(ROOMY, element_operations=2_900), replace(ROOMY, steps=2_600)])
def test_a_limit_stops_a_program_where_it_did(limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    (expected, _), (found, count) = answers(monkeypatch, HALVING, limits)
    assert found["status"] == "limit"
    assert json.dumps(found) == json.dumps(expected)
    assert count > 10
