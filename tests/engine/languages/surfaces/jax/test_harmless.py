"""An argument of JAX that would change a number is used or refused, never passed over."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

FIRST = "import jax\nimport jax.numpy as jnp\n"
USED = (
    ("jnp.all(jnp.array([True, False]), where=jnp.array([True, False]))", "True"),
    ("jnp.var(jnp.array([1.0, 3.0]), correction=1)", "2.0"),
    ("jnp.std(jnp.array([1.0, 3.0, 9.0]), where=jnp.array([True, True, False]))", "1.0"),
    ("jnp.diff(jnp.array([1, 4]), prepend=0)", "[1 3]"),
    ("jnp.interp(5.0, jnp.array([0.0, 1.0]), jnp.array([0.0, 1.0]), right=-1.0)", "-1.0"),
    ("jnp.trace(jnp.arange(8.0).reshape(2, 2, 2), axis1=1, axis2=2)", "[ 3. 11.]"),
    ("jnp.cross(jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0]))", "-2.0"),
    ("jnp.nan_to_num(jnp.array([jnp.inf]), posinf=7.0)", "[7.]"),
    ("jnp.median(jnp.array([1.0, jnp.nan, 3.0]))", "nan"),
    ("jnp.median(jnp.arange(8.0).reshape(2, 2, 2), axis=(0, 1))", "[3. 4.]"),
    ("jnp.array_equal(jnp.array([jnp.nan]), jnp.array([jnp.nan]), equal_nan=True)", "True"),
    ("jax.nn.logsumexp(jnp.array([0.0, 9.0]), where=jnp.array([True, False]))", "0.0"),
    ("jax.nn.standardize(jnp.array([1.0, 3.0]), mean=1.0, variance=1.0, epsilon=0.0)", "[0. 2.]"),
)


def test_arguments_that_are_used() -> None:
    source = FIRST + "".join(f"print({expression})\n" for expression, _ in USED)
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert answer["printed"] == [wanted for _, wanted in USED], answer["diagnostics"]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("jnp.cov(jnp.ones((2, 3)), fweights=jnp.array([1, 2, 3]))", "fweights"),
        ("jax.lax.top_k(jnp.ones(3), 2, axis=0)", "axis"),
        ("jnp.quantile(jnp.ones(3), 0.5, weights=jnp.ones(3))", "weights"),
    ],
)
def test_others_are_refused(call: str, name: str) -> None:
    answer = run_program(ProgramRequest(FIRST + call, dialect="jax"))
    assert (answer["status"], answer["diagnostics"][-1]["code"]) == ("error", "refused_name")
    assert f"{name}=" in answer["diagnostics"][-1]["message"]


def test_where_of_max_needs_a_first_value() -> None:
    source = f"{FIRST}jnp.max(jnp.array([1, 2]), where=jnp.array([True, False]))"
    said = run_program(ProgramRequest(source, dialect="jax"))["diagnostics"][-1]["message"]
    assert "one has to specify 'initial'" in said
