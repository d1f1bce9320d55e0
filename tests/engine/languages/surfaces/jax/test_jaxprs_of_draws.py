"""The equations of random draws and of the normal distribution in a jaxpr, in JAX's order."""

import pytest

from engine.programs import ProgramRequest, run_program

WRITTEN = """
import jax, jax.numpy as jnp
def names(jaxpr):
    found = []
    for e in jaxpr.eqns:
        if str(e.primitive) == "jit":
            found.append(e.params["name"])
            found.append(names(e.params["jaxpr"].jaxpr))
        else:
            found.append(str(e.primitive))
    return found
key = jax.random.key(0)
"""


@pytest.mark.parametrize(
    ("function", "argument", "expected"),
    [
        ("lambda k: jax.random.fold_in(k, 3)", "key", "['random_fold_in']"),
        (
            "lambda x: jax.scipy.stats.norm.logpdf(x)",
            "1.0",
            "['square', 'mul', 'log', 'sub', 'square', 'div', 'add', 'div']",
        ),
        (
            "lambda k: jax.random.bernoulli(k)[None]",
            "key",
            "['_bernoulli', ['_uniform', ['convert_element_type', 'convert_element_type', 'random_bits', "
            "'shift_right_logical', 'or', 'bitcast_convert_type', 'sub', 'sub', 'mul', 'add', 'reshape', "
            "'max'], 'lt'], 'broadcast_in_dim']",
        ),
        (
            "lambda k: jax.random.permutation(k, jnp.zeros(3))",
            "key",
            "['broadcast_in_dim', '_shuffle', ['random_split', 'slice', 'squeeze', 'slice', 'squeeze', "
            "'random_bits', 'sort']]",
        ),
    ],
)
def test_equations(function: str, argument: str, expected: str) -> None:
    source = f"{WRITTEN}print(names(jax.make_jaxpr({function})({argument}).jaxpr))"
    found = run_program(ProgramRequest(source=source, dialect="jax"))
    assert found["printed"] == [expected], found["diagnostics"]
