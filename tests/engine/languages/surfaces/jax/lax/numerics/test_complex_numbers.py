"""Complex numbers in JAX: their derivatives, eigenvalues, transforms. Expected values are JAX's own."""

import pytest

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> list[str]:
    found = run_program(ProgramRequest(source=f"import jax, jax.numpy as jnp\n{source}", dialect="jax"))
    assert found["status"] == "ok", found["diagnostics"]
    return list(found["printed"])


Z = "z = jnp.array([1+2j, 0.5-1j])\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print(jax.grad(lambda w: w**2, holomorphic=True)(1+2j))", "(2+4j)"),  # 2 z
        ("print(jax.grad(lambda w: jnp.abs(w)**2)(3+4j))", "(6-8j)"),  # 2 conj(z), as JAX writes it
        ("print(jax.grad(jnp.real)(1+2j), jax.grad(jnp.imag)(1+2j))", "(1+0j) -1j"),
        ("print(jax.jvp(jnp.exp, (0j,), (1+1j,))[1])", "(1+1j)"),
        ("print(jax.vjp(lambda x: x * 1j, 2.0)[1](1+1j)[0])", "-1.0"),
        ("print(jax.grad(lambda x: jnp.sum(jnp.abs(jnp.fft.fft(x))**2))(jnp.array([1., 2.])))", "[4. 8.]"),
        ("print(jax.grad(lambda x: jnp.sum(jnp.abs(jnp.fft.rfft(x))**2))(jnp.array([1., 2.])))", "[4. 8.]"),
        ("print(jax.jacrev(lambda w: w**2, holomorphic=True)(z)[0])", "[2.+4.j 0.+0.j]"),
        ("print(jnp.linalg.norm(z), jnp.var(z))", "2.5 2.3125"),
        ("print(jnp.cov(z))", "(4.625+0j)"),
        ("print(jnp.linalg.eigvals(jnp.array([[0., 1.], [-1., 0.]])))", "[0.+1.j 0.-1.j]"),
        ("print(jnp.roots(jnp.array([1., -3., 2.])))", "[2.+0.j 1.+0.j]"),
        ("print(jnp.fft.hfft(jnp.array([1+2j, 0.5-1j, 2.])))", "[ 4. -3.  2.  1.]"),
        ("print(jnp.correlate(z, jnp.array([1j, 1.])))", "[2.5-2.j]"),
    ],
)
def test_numbers(source: str, expected: str) -> None:
    assert printed(Z + source) == [expected]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("jax.grad(lambda w: w**2)(1j)", "grad requires real-valued outputs"),
        ("jax.grad(lambda w: w**2, holomorphic=True)(1.)", "grad with holomorphic=True requires inputs with"),
        ("jax.jacfwd(lambda w: w**2)(1j)", "jacfwd requires real-valued inputs"),
        ("jnp.argmax(z)", "gt does not accept dtype complex64"),
    ],
)
def test_what_is_refused_in_words_of_jax(call: str, said: str) -> None:
    (found,) = printed(f"{Z}try:\n    {call}\nexcept TypeError as wrong:\n    print(wrong)")
    assert found.startswith(said)


def test_the_jaxpr_of_a_gradient_of_absolute_values() -> None:
    source = (
        "j = jax.make_jaxpr(jax.grad(lambda w: jnp.abs(w)))(1j)\nprint([str(e.primitive) for e in j.eqns])"
    )
    wanted = ["abs", "conj", "convert_element_type", "eq", "select_n", "div", "complex", "mul"]
    assert printed(source) == [str(wanted)]
