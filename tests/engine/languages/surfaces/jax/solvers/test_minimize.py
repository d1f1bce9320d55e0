"""`jax.scipy.optimize.minimize`: minima that one knows, and what it says where it stops."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program

FIRST = "import jax\nimport jax.numpy as jnp\nfrom jax.scipy.optimize import minimize\n"


def run(lines: str) -> Any:
    """A program's answer."""
    return run_program(ProgramRequest(f"{FIRST}{lines}", dialect="jax"))


def test_a_parabola_has_its_minimum_at_its_vertex() -> None:
    lines = "r = minimize(lambda x: jnp.sum((x - 3.0) ** 2), jnp.zeros(2), method='BFGS')\n"
    assert run(f"{lines}print(jnp.round(r.x, 4), r.success, r.status, r.nit)")["printed"] == [
        "[3. 3.] True 0 3"
    ]


def test_rosenbrock_ends_where_jax_ends_in_single_precision() -> None:
    lines = (
        "def f(x):\n    return 100.0 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2\n"
        "r = minimize(f, jnp.array([-1.2, 1.0]), method='BFGS')\nprint(r.success, jnp.round(r.x, 2))\n"
    )
    assert run(lines)["printed"] == ["False [-0.28  0.04]"]  # the real JAX 0.10.2 does not get further


def test_another_method_is_refused() -> None:
    answer = run("minimize(lambda x: jnp.sum(x), jnp.zeros(2), method='Newton')")
    assert answer["diagnostics"][-1]["message"] == "minimize(method='Newton') is not part of Gradlens."


def test_no_gradient_goes_backwards_through_it() -> None:
    lines = (
        "def best(a):\n"
        "    return minimize(lambda x: jnp.sum((x - a) ** 2), jnp.zeros(1), method='BFGS').x[0]\n"
        "jax.grad(best)(1.0)\n"
    )
    assert "Reverse-mode differentiation does not work" in run(lines)["diagnostics"][-1]["message"]
