"""Arguments of jnp's functions beside the arrays, and functions of bits and texts. Values are JAX's."""

import pytest

from engine.programs import ProgramRequest, run_program

BEFORE = "import jax, jax.numpy as jnp\nfrom jax import lax\nx = jnp.arange(6).reshape(2, 3)\n"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('x.flatten("F")', "[0 3 1 4 2 5]"),  # the first axis goes fastest
        ('jnp.reshape(x, (3, 2), order="F")[0]', "[0 4]"),
        ("jnp.einsum(x, (0, 1), x, (0, 1), (0,))", "[ 5 50]"),
        ("jnp.choose(jnp.array([1, 0, 1]), x)", "[3 1 5]"),  # from rows of an array
        ("jnp.fill_diagonal(jnp.zeros((3, 3)), jnp.array([1., 2.]), inplace=False)[2]", "[0. 0. 1.]"),
        ("jnp.insert(jnp.arange(5), slice(None, None, 2), -1)", "[-1  0  1 -1  2  3 -1  4]"),
        ("jnp.meshgrid(jnp.arange(2), jnp.arange(3), sparse=True)[1].shape", "(3, 1)"),
        ("jnp.logspace(0, 2, 3, dtype=int)", "[  1  10 100]"),
        ("jnp.nanmax(jnp.array([1., jnp.nan]), initial=3.)", "3.0"),
        ('jnp.unpackbits(jnp.array([5], dtype=jnp.uint8), bitorder="little")', "[1 0 1 0 0 0 0 0]"),
        ("jnp.unwrap(jnp.array([0., 350.]), period=360)", "[  0. -10.]"),
        ("jnp.bitwise_count(jnp.array([3, 7, -1]))", "[2 3 1]"),
        ('jnp.fromstring("1 2 3")', "[1. 2. 3.]"),
        ('jnp.promote_types("uint8", int)', "uint8"),  # a type of Python gives way
        ("lax.reduce_or(jnp.array([3, 4]), (0,))", "7"),  # bit by bit
        ("jax.scipy.stats.gumbel_l.cdf(0.0).round(4)", "0.6321"),  # 1 - 1 / e
    ],
)
def test_prints(expression: str, expected: str) -> None:
    found = run_program(ProgramRequest(source=f"{BEFORE}print({expression})", dialect="jax"))
    assert found["printed"] == [expected], found["diagnostics"]
