"""`x.at[…].divide` and `power`, and truths of complex numbers, as JAX 0.10.2 has them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def answer(line: str) -> dict[str, Any]:
    return run_program(ProgramRequest("import jax, jax.numpy as jnp\nx = jnp.arange(4)\n" + line))


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("x.at[1].divide(2)", "Array([0. , 0.5, 2. , 3. ], dtype=float32)"),
        ("x.at[jnp.array([1, 1])].divide(2)", "Array([0.  , 0.25, 2.  , 3.  ], dtype=float32)"),
        ("x.at[1:3].divide(jnp.array([2, 4]))", "Array([0. , 0.5, 0.5, 3. ], dtype=float32)"),
        ("(x > 1).at[0].divide(2)", "Array([0., 0., 1., 1.], dtype=float32)"),
        ("x.at[jnp.array([2, 2])].power(2)", "Array([ 0,  1, 16,  3], dtype=int32)"),
        ("x.at[2].power(0.5)", "Array([0, 1, 1, 3], dtype=int32)"),
        ("jnp.all(jnp.array([3j]))", "Array(False, dtype=bool)"),
        ("jnp.any(jnp.array([0j, 3j]))", "Array(False, dtype=bool)"),
        ("jnp.any(jnp.array([1 + 3j]))", "Array(True, dtype=bool)"),
        ("jnp.fabs(True)", "Array(1., dtype=float32)"),
    ],
)
def test_values(expression: str, shown: str) -> None:
    found = answer(f"print(repr({expression}))")
    assert found["printed"] == [shown], found["diagnostics"]


def test_divide_has_the_gradient_of_a_division() -> None:
    line = "print(jax.grad(lambda v: (v.at[0].divide(v[1]) ** 2).sum())(jnp.array([3.0, 2.0])))"
    assert answer(line)["printed"] == ["[1.5  1.75]"]


def test_fabs_refuses_complex_numbers() -> None:
    (error,) = answer("jnp.fabs(jnp.array([3j]))")["diagnostics"]
    assert error["message"] == "ufunc 'fabs' does not support complex dtypes"
