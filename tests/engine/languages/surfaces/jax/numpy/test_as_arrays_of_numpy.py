"""`x.__array__()`: an array of numpy, as JAX gives it."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program


def test_an_array_of_jax_gives_itself_to_numpy() -> None:
    source = """import jax.numpy as jnp
x = jnp.array([[1.0, 2.0]])
a = x.__array__()
a[0, 0] = 5
print(type(a).__name__, a, x.__array__("int32"), x)"""
    answer = run_program(ProgramRequest(source.replace("a = x.__array__()", "a = x.__array__().copy()")))
    assert answer["printed"] == ["ndarray [[5. 2.]] [[1 2]] [[1. 2.]]"], answer["diagnostics"]
