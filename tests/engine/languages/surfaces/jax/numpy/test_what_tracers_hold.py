"""What a tracer holds, as notebooks show it (values of jax 0.10.2)."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("call", "printed"),
    [
        ("jax.vmap(lambda x: print(x.val))(jnp.arange(3.0))", ["[0. 1. 2.]"]),
        ("jax.vmap(lambda x: print(x.val.shape, x.batch_dim), 1)(jnp.ones((2, 3)))", ["(2, 3) 1"]),
        ("jax.grad(lambda x: print(x.primal) or x)(2.0)", ["2.0"]),
        ("jax.jvp(lambda x: print(x.primal, x.tangent) or x, (2.0,), (1.0,))", ["2.0 1.0"]),
    ],
)
def test_a_tracer_shows_the_arrays_that_it_stands_for(call: str, printed: list[str]) -> None:
    answer = run_program(ProgramRequest(f"import jax\nimport jax.numpy as jnp\n{call}", dialect="jax"))
    assert answer["printed"] == printed, answer["diagnostics"]
