"""Matrices and their factors in jax.scipy.linalg, and jax.lax beside them. Expected values are JAX's."""

import pytest

from engine.programs import ProgramRequest, run_program

BEFORE = """import jax, jax.numpy as jnp
from jax import lax
import jax.scipy.linalg as sl
A = jnp.array([[0., 2.], [3., 1.]])
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (
            "sl.lu(A)[0].tolist(), sl.lu(A)[2].tolist()",
            "[[0.0, 1.0], [1.0, 0.0]] [[3.0, 1.0], [0.0, 2.0]]",
        ),
        ("sl.lu_factor(A)[1]", "[1 1]"),  # each row was exchanged with the second
        ("jnp.round(sl.lu_solve(sl.lu_factor(A), jnp.array([1., 2.]), trans=1), 4)", "[0.8333 0.3333]"),
        ("sl.circulant(jnp.array([1, 2, 3]))[0]", "[1 3 2]"),
        ("sl.hadamard(4)[3]", "[ 1 -1 -1  1]"),
        ("sl.qr(jnp.ones((3, 2)))[0].shape", "(3, 3)"),  # whole, as scipy has it
        ("jnp.round(sl.sqrtm(jnp.array([[4., 0.], [0., 9.]])), 4)[1]", "[0.+0.j 3.+0.j]"),
        ("jax.scipy.special.softmax(jnp.zeros((2, 2)))[0]", "[0.25 0.25]"),  # of all elements together
        ("lax.clz(jnp.array([1, 8]))", "[31 28]"),
        ("lax.reduce_precision(jnp.array([1.2345, 1e9]), 5, 4)", "[1.25  inf]"),
        ("lax.batch_matmul(jnp.ones((2, 1, 3)), jnp.ones((2, 3, 1))).ravel()", "[3. 3.]"),
        ("jnp.take_along_axis(jnp.arange(6).reshape(2, 3), jnp.array([[1], [0]]), axis=0)[0]", "[3 4 5]"),
    ],
)
def test_prints(expression: str, expected: str) -> None:
    found = run_program(ProgramRequest(source=f"{BEFORE}print({expression})", dialect="jax"))
    assert found["printed"] == [expected], found["diagnostics"]
