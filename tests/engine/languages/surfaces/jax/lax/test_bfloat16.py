"""What is said of bfloat16, which compiled functions of JAX round less often than it is rounded here."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

START = "import jax, jax.numpy as jnp\n"


def codes(source: str) -> list[str]:
    answer = run_program(ProgramRequest(START + source), ROOMY)
    return [one["code"] for one in answer["diagnostics"]]


def test_a_note_says_where_the_digits_may_differ() -> None:
    assert codes(
        "x = jnp.ones(3, jnp.bfloat16)\nprint(jax.jit(lambda x: (x * 1.1).astype('float32'))(x))"
    ) == ["own_rounding"]
    assert codes("print(jnp.ones(3, jnp.float16) * 1.1)") == []
