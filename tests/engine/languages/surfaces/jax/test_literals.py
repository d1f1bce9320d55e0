"""Numbers that stand in a program, as a jaxpr writes them, checked against the real library."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("function", "argument", "literal"),
    [
        pytest.param("lambda x: 0.1 * x", "1.0", "mul 0.1:f32[] a", id="weak"),
        pytest.param("lambda x: (1 / 3) * x", "1.0", "mul 0.3333333333333333:f32[] a", id="all-digits"),
        pytest.param("lambda x: 3 * x", "1.0", "mul 3.0:f32[] a", id="a-whole-number"),
        pytest.param("lambda x: 0.1 * x", "jnp.float32(1.0)", "mul 0.10000000149011612:f32[] a", id="strong"),
        pytest.param("lambda x: 0.1 * x", "jnp.ones(2)", "mul 0.10000000149011612:f32[] a", id="array"),
    ],
)
def test_a_float_beside_a_weak_type_is_written_as_python_has_it_else_as_the_array_holds_it(
    function: str, argument: str, literal: str
) -> None:
    source = f"import jax\nimport jax.numpy as jnp\nprint(jax.make_jaxpr({function})({argument}))"
    answer = run_program(ProgramRequest(source=source))
    assert literal in answer["printed"][0]
