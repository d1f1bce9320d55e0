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
