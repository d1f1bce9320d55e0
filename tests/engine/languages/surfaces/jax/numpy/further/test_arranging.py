"""Further functions of `jnp`: results that one can see at once."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

SEEN = (
    ("jnp.block([[jnp.ones((1, 1)), jnp.zeros((1, 1))]])", "[[1. 0.]]"),
    ("jnp.delete(jnp.arange(4), 1)", "[0 2 3]"),
    ("jnp.insert(jnp.arange(3), 1, 9)", "[0 9 1 2]"),
    ("jnp.union1d(jnp.array([2, 1]), jnp.array([2, 3]))", "[1 2 3]"),
    ("jnp.gradient(jnp.array([0.0, 1.0, 4.0]))", "[1. 2. 3.]"),
    ("jnp.polyder(jnp.array([1.0, 2.0, 3.0]))", "[2. 2.]"),
    ("jnp.nanmedian(jnp.array([1.0, jnp.nan, 5.0]))", "3.0"),
    ("jnp.lexsort((jnp.array([3, 1, 2]), jnp.array([1, 1, 0])))", "[2 1 0]"),
    ("jnp.r_[1:3, 7]", "[1 2 7]"),
    ("jnp.put_along_axis(jnp.zeros((1, 2)), jnp.array([[1]]), 5.0, 1, inplace=False)", "[[0. 5.]]"),
    ("jax.scipy.linalg.block_diag(jnp.ones((1, 1)), 2 * jnp.ones((1, 1)))", "[[1. 0.]\n [0. 2.]]"),
    ("jax.scipy.linalg.toeplitz(jnp.array([1, 2]))", "[[1 2]\n [2 1]]"),
)


def test_results() -> None:
    source = "import jax\nimport jax.numpy as jnp\n" + "".join(f"print({one})\n" for one, _ in SEEN)
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert "\n".join(answer["printed"]) == "\n".join(wanted for _, wanted in SEEN), answer["diagnostics"]


def test_what_is_left_out_of_complex_numbers_is_refused_by_name() -> None:
    source = "import jax.numpy as jnp\njnp.linalg.qr(jnp.eye(2) * 1j)"
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert answer["diagnostics"][-1]["code"] == "refused_name"
