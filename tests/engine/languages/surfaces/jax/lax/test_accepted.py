"""What `jax.lax` accepts, and corners of `jnp` beside it, by numbers that can be checked by hand."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n"


def printed(source: str) -> list[str]:
    """What a program prints. Fails where it is stopped."""
    answer = run_program(ProgramRequest(HEAD + source, dialect="jax"))
    assert answer["status"] == "ok", answer["diagnostics"]
    return [str(line) for line in answer["printed"]]


def test_lax_does_not_convert_whole_numbers() -> None:
    source = """
for call in (lambda: lax.sin(2), lambda: lax.floor(jnp.arange(3)), lambda: lax.div(True, True)):
    try:
        call()
    except TypeError as error:
        print(error)
"""
    assert printed(source) == [
        "sin does not accept dtype int32. Accepted dtypes are subtypes of floating, complexfloating.",
        "floor does not accept dtype int32. Accepted dtypes are subtypes of floating.",
        "div does not accept dtype bool at position 0. Accepted dtypes at position 0 are subtypes of "
        "integer, floating, complexfloating.",
    ]


def test_rounding_leaves_whole_numbers_as_they_are() -> None:
    source = "x = jnp.array([1, 2])\nprint(jnp.floor(x), jnp.ceil(x), jnp.trunc(x), jnp.trunc(-1.5))"
    assert printed(source) == ["[1 2] [1 2] [1 2] -1.0"]


def test_a_number_keeps_its_shape_when_it_is_turned() -> None:
    assert printed("print(jnp.transpose(2).shape, jnp.flip(2).shape)") == ["() ()"]


def test_full_like_spreads_an_array_over_the_shape() -> None:
    assert printed("print(jnp.full_like(jnp.zeros((2, 2), int), jnp.array([1.5, 2.0])))") == [
        "[[1 2]",
        " [1 2]]",
    ]


def test_a_place_outside_is_filled_where_the_program_asks_for_it() -> None:
    source = """
x = jnp.arange(6).reshape(2, 3)
print(x.at[5, 0].get(mode="fill", fill_value=-1), x.at[1, 0].get(mode="fill"))
"""
    assert printed(source) == ["-1 3"]


def test_a_convolution_of_whole_numbers_gives_floats() -> None:
    assert printed("print(jnp.convolve(jnp.array([1, 2]), jnp.array([1, 1])))") == ["[1. 3. 2.]"]


def test_entropies_and_powers_at_zero() -> None:
    source = """
from jax.scipy.special import boxcox, kl_div, rel_entr
print(kl_div(0.0, 0.0), rel_entr(0.0, 1.0), boxcox(1.0, 0.0))
"""
    assert printed(source) == ["0.0 0.0 0.0"]  # 0 log 0 counts as 0; log 1 = 0


def test_arrays_are_joined_in_the_type_that_is_asked_for() -> None:
    source = """
print(jnp.stack([jnp.ones(1), jnp.zeros(1)], dtype=int).tolist())
print(jnp.concatenate([jnp.arange(2), jnp.arange(1)], dtype=jnp.float32))
"""
    assert printed(source) == ["[[1], [0]]", "[0. 1. 0.]"]
