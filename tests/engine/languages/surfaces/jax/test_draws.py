"""Random numbers that JAX 0.10.2 has drawn of the same keys."""

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> list[str]:
    found = run_program(ProgramRequest(source=f"import jax\n{source}", dialect="jax"))
    assert found["status"] == "ok", found["diagnostics"]
    return list(found["printed"])


def test_few_and_many_expected_successes_are_drawn_as_jax_draws_them():
    source = "k = jax.random.key(42)\nfor n in (10, 100):\n    print(jax.random.binomial(k, n, 0.4, (5,)))"
    assert printed(source) == ["[3. 6. 3. 4. 6.]", "[39. 32. 40. 36. 33.]"]


def test_under_vmap_each_key_draws_until_its_own_numbers_are_accepted():
    source = """
keys = jax.random.split(jax.random.key(42), 3)
draw = lambda key: jax.random.poisson(key, 30.0, (3,))
print((jax.vmap(draw)(keys) == jax.numpy.stack([draw(key) for key in keys])).all())
"""
    assert printed(source) == ["True"]


def test_gamma_numbers_and_their_logarithms_have_jaxs_last_digits():
    source = """import jax
from jax import random
keys = random.split(random.PRNGKey(44), 4)
print([float(random.beta(k, 1, 2)) for k in keys])
print([float(x) for x in jax.vmap(lambda k: random.loggamma(k, 1.0))(keys)])"""
    assert run_program(ProgramRequest(source, dialect="jax"))["printed"] == [
        "[0.2217773050069809, 0.06637778878211975, 0.25483959913253784, 0.009393739514052868]",
        "[-1.2290161848068237, -0.49689096212387085, -0.1057647168636322, -2.3166844844818115]",
    ]
