"""Division by a number that a compiled function knows: XLA multiplies by its inverse, rounded once more.

The digits are those that JAX 0.10 prints.
"""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

IMPORTS = "import jax\nimport jax.numpy as jnp\nx = jnp.float32(10)\n"


def printed(expression: str) -> str:
    answer = run_program(ProgramRequest(f"{IMPORTS}print({expression})"))
    assert answer["status"] == "ok", answer["diagnostics"]
    return str(answer["printed"][0])


@pytest.mark.parametrize(
    ("expression", "digits"),
    [
        ("x / 3", "3.3333333"),
        ("jax.jit(lambda x: x / 3)(x)", "3.3333335"),
        ("jax.jit(lambda x, y: x / y)(x, 3.0)", "3.3333333"),
        ("jax.lax.fori_loop(0, 3, lambda i, x: x / 3, x)", "0.3703704"),
        ("jax.grad(lambda x: x / 3)(x)", "0.33333334"),
        ("jnp.mean(jnp.array([1.0, 2.0, 4.0]))", "2.3333335"),
        ("jnp.std(jnp.array([1.0, 2.0, 4.0]))", "1.2472191"),
        ("jnp.round(jnp.float32(3.14159), 2)", "3.1399999"),
        ("jnp.round(jnp.float32(3.14159), 3)", "3.1420002"),
    ],
)
def test_a_number_is_divided_by_as_in_compiled_code(expression: str, digits: str) -> None:
    assert printed(expression) == digits


def test_round_without_digits_gives_a_whole_number() -> None:
    assert printed("repr(round(jnp.float32(2.5))), round(jnp.float32(3.14159), 2)") == (
        "Array(2, dtype=int32) 3.1399999"
    )


def test_a_jaxpr_still_has_the_division() -> None:
    assert printed("jax.make_jaxpr(lambda x: x / 3)(x)").split(" in ")[0].endswith("div a 3.0:f32[]")
