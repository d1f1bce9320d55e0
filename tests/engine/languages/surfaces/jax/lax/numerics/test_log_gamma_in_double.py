"""ln Γ in double precision: JAX's last digits, which whole numbers of its exponential show."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program


def test_factorials_of_the_exponential_of_log_gamma_are_jaxs() -> None:
    source = """import jax, jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
n = jnp.array([1, 4, 8, 9, 12, 13, 14])
print(jnp.exp(jax.lax.lgamma(n + 1.0)).astype(int))
for x in 5.0, 3.5, -2.5:
    print(float(jax.lax.lgamma(x)))"""
    answer = run_program(ProgramRequest(source))
    assert answer["printed"] == [
        "[          1          24       40320      362880   479001599  6227020800",
        " 87178291200]",
        "3.178053830347946",
        "1.2009736023470747",
        "-0.05624371649767457",
    ], answer["diagnostics"]
