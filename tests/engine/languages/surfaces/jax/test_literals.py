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


@pytest.mark.parametrize(
    ("function", "printed"),
    [
        pytest.param("lambda x: (x**2).mean() / 3", "[0.22222222 0.44444445 0.6666667 ]", id="twice"),
        pytest.param("lambda x: (x**2).mean() / 7", "[0.0952381 0.1904762 0.2857143]", id="by-seven"),
    ],
)
def test_what_is_known_when_a_function_is_compiled_is_divided_and_not_multiplied_by_an_inverse(
    function: str, printed: str
) -> None:
    source = (
        "import jax\nimport jax.numpy as jnp\n"
        f"print(jax.jit(jax.grad({function}))(jnp.array([1.0, 2.0, 3.0])))"
    )
    assert run_program(ProgramRequest(source=source))["printed"] == [printed]
