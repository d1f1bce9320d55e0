"""Gradients of elements put at places: equal shares of ties; a product only where no place comes twice."""

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> list[str]:
    found = run_program(ProgramRequest(source=f"import jax, jax.numpy as jnp\n{source}", dialect="jax"))
    assert found["status"] == "ok", found["diagnostics"]
    return list(found["printed"])


def test_the_largest_of_a_segment_has_the_gradient_and_equal_ones_share_it():
    source = """
f = lambda x: jax.ops.segment_max(x, jnp.array([0, 0, 1, 1]), 2).sum()
print(jax.grad(f)(jnp.array([1.0, 3.0, 2.0, 2.0])))
"""
    assert printed(source) == ["[0.  1.  0.5 0.5]"]


def test_a_product_at_places_that_may_come_twice_has_no_gradient():
    source = """
f = lambda u: jnp.ones(2).at[jnp.array([0, 0])].multiply(u).sum()
try:
    jax.grad(f)(jnp.array([5.0, 7.0]))
except NotImplementedError as error:
    print(error)
"""
    assert printed(source) == ["scatter_mul gradients are only implemented if `unique_indices=True`"]


def test_an_unknown_mode_is_named():
    source = "try:\n    jnp.ones(2).at[5].get(mode='nearest')\nexcept ValueError as error:\n    print(error)"
    assert printed(source) == ['Unknown gather mode "nearest"']


def test_take_goes_round_or_takes_the_last_where_the_mode_says_so():
    source = "for mode in ('wrap', 'clip'):\n    print(jnp.take(jnp.arange(3), jnp.array([4]), mode=mode))"
    assert printed(source) == ["[1]", "[2]"]
