"""`odeint`: solutions that one knows, and their gradients by the adjoint equation."""

from __future__ import annotations

from math import exp
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

FIRST = "import jax\nimport jax.numpy as jnp\nfrom jax.experimental.ode import odeint\n"
DECAY = f"{FIRST}def f(y, t, k):\n    return -k * y\n"


def numbers(lines: str) -> list[float]:
    """The numbers that a program prints."""
    answer = run_program(ProgramRequest(lines, dialect="jax"))
    assert answer["status"] == "ok", answer["diagnostics"]
    return [float(word) for word in " ".join(answer["printed"]).replace("[", " ").replace("]", " ").split()]


def test_decay_is_an_exponential() -> None:
    found = numbers(f"{DECAY}print(odeint(f, 1.0, jnp.array([0.0, 1.0, 2.0]), 0.5))")
    assert found == pytest.approx([1.0, exp(-0.5), exp(-1.0)], rel=1e-5)


def test_gradients_go_to_the_start_the_times_and_the_arguments() -> None:
    lines = (
        "g = jax.grad(lambda y, t, k: odeint(f, y, t, k)[-1], (0, 1, 2))(2.0, jnp.array([0.0, 1.0]), 0.5)\n"
    )
    found = numbers(f"{DECAY}{lines}print(g[0], g[1], g[2])")
    y = 2 * exp(-0.5)  # y(t) = y₀ exp(-k (t₁ - t₀))
    assert found == pytest.approx([y / 2, 0.5 * y, -0.5 * y, -y], rel=1e-4)


def test_a_dict_stays_a_dict_and_a_batch_is_solved_one_by_one() -> None:
    lines = (
        f"{FIRST}def f(s, t):\n    return {{'x': s['v'], 'v': -s['x']}}\n"
        "ts = jnp.array([0.0, jnp.pi])\n"
        "print(odeint(f, {'x': 1.0, 'v': 0.0}, ts)['x'][1])\n"
        "print(jax.vmap(lambda x: odeint(f, {'x': x, 'v': 0.0}, ts)['x'][1])(jnp.array([2.0, 3.0])))\n"
    )
    assert numbers(lines) == pytest.approx([-1, -2, -3], rel=1e-4)  # half a turn


def refused(lines: str) -> Any:
    """The message of a program's error."""
    return run_program(ProgramRequest(f"{FIRST}{lines}", dialect="jax"))["diagnostics"][-1]["message"]


def test_a_derivative_of_another_shape_is_refused() -> None:
    said = refused("odeint(lambda y, t: jnp.sum(y), jnp.ones(2), jnp.array([0.0, 1.0]))")
    assert "has the shape (), but y0 has (2,)" in said


def test_whole_numbers_are_refused() -> None:
    assert "needs y0 and t of floats" in refused("odeint(lambda y, t: y, 1, jnp.array([0.0, 1.0]))")
