"""Places, counts and convolutions of jnp, by numbers that can be checked by hand."""

from __future__ import annotations

from engine.execution.budget import Limits
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from tests.limits import ROOMY

HEAD = "import jax\nimport jax.numpy as jnp\n"


def printed(source: str) -> list[str]:
    """What a program prints. Fails where it is stopped."""
    outcome = run_request(ProgramRequest(HEAD + source, dialect="jax"), Limits(wall_s=60.0))
    assert [one.message for one in outcome.diagnostics if one.severity == "error"] == []
    return [str(line) for line in outcome.printed]


def test_a_convolution_of_the_same_length_begins_with_the_first_element() -> None:
    source = 'print(jnp.convolve(jnp.array([1., 2., 3.]), jnp.ones(2), mode="same"))'
    assert printed(source) == ["[1. 3. 5.]"]  # 1, 1 + 2, 2 + 3


def test_nonzero_with_a_size_is_cut_or_filled_up_also_inside_of_jit() -> None:
    source = """
find = jax.jit(lambda x: jnp.nonzero(x, size=3, fill_value=-1)[0])
print(find(jnp.array([0, 5, 0, 7])), find(jnp.array([1, 1, 1, 1])))
"""
    assert printed(source) == ["[ 1  3 -1] [0 1 2]"]


def test_a_histogram_counts_the_largest_element_in_the_last_bin() -> None:
    source = "counts, edges = jnp.histogram(jnp.array([0., 1., 2., 4.]), bins=2)\nprint(counts, edges)"
    assert printed(source) == ["[2. 2.] [0. 2. 4.]"]


def test_what_jit_gives_is_an_array_also_where_the_function_gave_a_number() -> None:
    assert printed("print(jax.jit(lambda x: 3)(1.0) + jnp.ones(1))") == ["[4.]"]


def test_a_place_that_is_counted_in_a_row_has_coordinates() -> None:
    assert printed("print([int(i) for i in jnp.unravel_index(7, (3, 4))])") == ["[1, 3]"]  # 7 = 1 * 4 + 3


def test_adagrad_divides_by_the_root_of_all_squares() -> None:
    source = """
import optax
rule = optax.adagrad(1.0, initial_accumulator_value=7.0, eps=0.0)
w = jnp.array(0.0)
print(rule.update(jnp.array(3.0), rule.init(w), w)[0])
"""
    assert printed(source) == ["-0.75"]  # -3 / sqrt(7 + 9)


def test_gradients_for_the_concentration_of_gamma_numbers_are_refused() -> None:
    source = HEAD + "jax.grad(lambda a: jax.random.gamma(jax.random.key(0), a))(2.0)"
    outcome = run_request(ProgramRequest(source, dialect="jax"), ROOMY)
    assert [one.code for one in outcome.diagnostics] == ["no_gradient"]


def test_random_keys_are_equal_where_their_numbers_are() -> None:
    source = """
keys = jax.random.split(jax.random.key(1), 3)
print(keys == keys[0], keys[0] != keys[0], jnp.all(keys == keys))
print(jax.make_jaxpr(lambda a, b: a == b)(keys[0], keys[1]))
"""
    jaxpr = "{ lambda ; a:key<fry>[] b:key<fry>[]. let c:bool[] = eq a b in (c,) }"
    assert printed(source) == ["[ True False False] False True", jaxpr]


def test_an_axis_that_vmap_moves_is_written_as_a_plain_number() -> None:
    source = "print(jax.make_jaxpr(jax.vmap(lambda v: v[0]))(jnp.ones((2, 1, 3))))"
    jaxpr = "{ lambda ; a:f32[2,1,3]. let b:f32[2,3] = squeeze[dimensions=(1,)] a in (b,) }"
    assert printed(source) == [jaxpr]


def test_put_beyond_an_end_changes_the_last_element_there() -> None:
    source = """
print(jnp.put(jnp.zeros(3), jnp.array([5, 1]), jnp.array([7.0, 8.0]), inplace=False))
print(jnp.put(jnp.zeros(3), jnp.array([-1, -7]), 2.0, inplace=False))
"""
    assert printed(source) == ["[0. 8. 7.]", "[2. 0. 2.]"]
