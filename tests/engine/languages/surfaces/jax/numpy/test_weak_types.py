"""Whether results of Python's own numbers give way to other types, as in JAX 0.10.2."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import jax, jax.numpy as jnp\nfrom jax.scipy import special, stats\n"


@pytest.mark.parametrize(
    ("expression", "dtype", "weak"),
    [
        ("stats.norm.cdf(0.5)", "float32", False),
        ("stats.norm.sf(0.5)", "float32", False),
        ("stats.norm.ppf(0.5)", "float32", False),
        ("stats.norm.pdf(0.5)", "float32", True),
        ("stats.uniform.cdf(0.5)", "float32", False),
        ("stats.beta.cdf(0.5, 2.0, 3.0)", "float32", True),
        ("special.ndtri(0.5)", "float32", False),
        ("special.gamma(0.5)", "float32", False),
        ("special.betainc(0.5, 1.0, 0.3)", "float32", True),
        ("jnp.log2(0.5)", "float32", False),
        ("jnp.rint(2)", "float32", False),
        ("jnp.angle(jnp.float16(2))", "float32", False),
        ("jnp.angle(jnp.ones(2, jnp.float16))", "float16", False),
        ("jnp.nan_to_num(0.5)", "float32", False),
        ("jnp.median(2)", "float32", False),
        ("jnp.frexp(jnp.float16(2))[0]", "float16", False),
        ("0.95 ** jnp.int32(3)", "float32", True),
        ("2.0 ** jnp.arange(4)", "float32", False),
        ("jax.grad(jnp.var)(2.0)", "float32", True),
        ("jnp.arange(3) + 1j", "complex64", True),
        ("jnp.ones(2) * 1j", "complex64", False),
        ("jnp.array(1j) * 2", "complex64", True),
        ("jax.jit(lambda z: z * z)(1j)", "complex64", True),
    ],
)
def test_types(expression: str, dtype: str, weak: bool) -> None:
    answer = run_program(ProgramRequest(f"{BEGIN}y = {expression}\nprint(y.dtype, y.weak_type)"))
    assert answer["printed"] == [f"{dtype} {weak}"], answer["diagnostics"]


@pytest.mark.parametrize("expression", ["jax.nn.sigmoid(2)", "jax.nn.silu(jnp.array([2]))"])
def test_the_sigmoid_of_whole_numbers_is_refused(expression: str) -> None:
    (error,) = run_program(ProgramRequest(BEGIN + expression))["diagnostics"]
    assert error["message"].startswith("logistic does not accept dtype int32.")


def test_the_exponent_of_ldexp_is_whole() -> None:
    (error,) = run_program(ProgramRequest(BEGIN + "jnp.ldexp(0.5, 0.5)"))["diagnostics"]
    assert error["message"] == "ldexp not supported for input types (dtype('float32'), dtype('float32'))"
