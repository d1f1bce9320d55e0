"""Places, signs and diagonals that jnp reads in ways of its own. Expected values are JAX's."""

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("jnp.digitize(jnp.array([0.5, 2.5]), jnp.array([3., 2., 1.]))", "[3 1]"),  # edges that fall
        ("jnp.bincount(jnp.array([-1, 1]))", "[1 1]"),  # what is below counts as zero
        ("jnp.take_along_axis(jnp.array([[1., 2.]]), jnp.array([[5]]), axis=1)", "[[nan]]"),  # outside
        ("jnp.signbit(jnp.array([-0.0, 0.0, -1.0]))", "[ True False  True]"),
        ("jax.grad(jax.grad(jax.grad(jax.grad(jnp.sinc))))(0.0)", "19.481821"),  # π⁴ / 5
        ("jnp.linalg.diagonal(jnp.arange(8).reshape(2, 2, 2))[1]", "[4 7]"),  # of each matrix
        ("jnp.linalg.trace(jnp.arange(8).reshape(2, 2, 2))", "[ 3 11]"),
        ("jnp.average(jnp.array([1., 3.]), returned=True)[1]", "2.0"),
    ],
)
def test_prints(expression: str, expected: str) -> None:
    found = run_program(
        ProgramRequest(source=f"import jax, jax.numpy as jnp\nprint({expression})", dialect="jax")
    )
    assert found["printed"] == [expected], found["diagnostics"]
