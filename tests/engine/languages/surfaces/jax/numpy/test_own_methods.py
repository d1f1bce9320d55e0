"""numpy's functions that call the method of an array of JAX, as numpy beside JAX 0.10.2 does."""

import pytest

from engine.programs import ProgramRequest, run_program

BEFORE = """
import jax
import jax.numpy as jnp
import numpy as np
i = jnp.array([1, 2, 2])
m = jnp.arange(6.).reshape(2, 3)
"""
SEEN = [
    ("np.mean(i)", "Array(1.6666667, dtype=float32)"),
    ("np.sum(m, axis=0)", "Array([3., 5., 7.], dtype=float32)"),
    ("np.std(i)", "Array(0.4714045, dtype=float32)"),
    ("np.argmax(m)", "Array(5, dtype=int32)"),
    ("np.cumsum(i)", "Array([1, 3, 5], dtype=int32)"),
    ("np.reshape(m, (3, 2))[0]", "Array([0., 1.], dtype=float32)"),
    ("np.nonzero(i)", "(Array([0, 1, 2], dtype=int32),)"),
    ("jax.jit(lambda v: np.sum(v) * 2)(m)", "Array(30., dtype=float32)"),
    ("jax.grad(lambda v: np.mean(v ** 2))(m)[1]", "Array([1.       , 1.3333334, 1.6666667], dtype=float32)"),
    ("np.dot(i, i)", "9"),
    ("np.sum(np.array([1, 2]))", "3"),
]


@pytest.mark.parametrize(("line", "wanted"), SEEN)
def test_numpy_leaves_an_array_of_jax_to_its_own_method(line: str, wanted: str) -> None:
    """A number of numpy's own prints as numpy 1.26 has it."""
    answer = run_program(ProgramRequest(f"{BEFORE}print(repr({line}))", dialect="jax"))
    assert answer["printed"] == [wanted], answer["diagnostics"]
