"""A jaxpr that is not JAX's is shown with a word."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import jax, jax.numpy as jnp\nfrom jax import lax\n"


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("jax.make_jaxpr(lambda a: jnp.linalg.solve(a, a[0]))(jnp.eye(2))", "jax.numpy.linalg.solve"),
        (
            "jax.make_jaxpr(jax.grad(lambda x: jnp.interp(x, jnp.arange(3.), jnp.ones(3))))(0.5)",
            "jax.numpy.interp",
        ),
        ("jax.make_jaxpr(lambda x: jnp.pad(x, 1, mode='edge'))(jnp.ones(2))", "jax.numpy.pad"),
    ],
)
def test_a_note_names_the_function(expression: str, name: str) -> None:
    (note,) = run_program(ProgramRequest(f"{BEGIN}j = {expression}\n"))["diagnostics"]
    assert note["severity"] == "note"
    assert note["message"] == f"The jaxpr of {name} is written here in other operations than JAX's."


@pytest.mark.parametrize(
    "expression",
    [
        "jnp.linalg.inv(jnp.eye(2)); jax.make_jaxpr(jnp.sin)(1.0)",
        "jax.make_jaxpr(lambda x: jnp.pad(x, 1))(jnp.ones(2))",
        "jax.jit(lambda a: jnp.linalg.inv(a))(jnp.eye(2))",
    ],
)
def test_nothing_is_noted_where_no_such_jaxpr_is_shown(expression: str) -> None:
    assert run_program(ProgramRequest(f"{BEGIN}{expression}\n"))["diagnostics"] == []
