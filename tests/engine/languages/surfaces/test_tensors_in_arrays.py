"""Numbers of PyTorch, TensorFlow 2 and JAX written into arrays of numpy, as losses are noted down."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

BODY = """
import numpy as np
a = np.zeros(3)
a[0] = {one}
a[1] += {one}
m = np.zeros((2, 2), dtype=int)
m[0] = {two}
m[1] = [{one}, 7]
print(a.tolist(), m.tolist())
"""


def answer(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest(source))


@pytest.mark.parametrize(
    ("library", "one", "two"),
    [
        ("import torch", "torch.tensor(2.5)", "torch.tensor([1.5, 3.0])"),
        ("import tensorflow as tf", "tf.constant(2.5)", "tf.constant([1.5, 3.0])"),
        ("import jax.numpy as jnp", "jnp.array(2.5)", "jnp.array([1.5, 3.0])"),
    ],
)
def test_a_tensor_in_an_array_is_the_number_that_it_holds(library: str, one: str, two: str) -> None:
    found = answer(library + BODY.format(one=one, two=two))
    assert found["status"] == "ok", found["diagnostics"]
    assert found["printed"] == ["[2.5, 2.5, 0.0] [[1, 3], [2, 7]]"]


def test_a_tensor_of_several_numbers_that_requires_grad_is_refused_as_pytorch_does() -> None:
    source = """
import numpy as np, torch
a = np.zeros(2)
b = torch.tensor([1.0, 2.0], requires_grad=True)
a[0] = b.sum()
print(a)
a[:] = b
"""
    found = answer(source)
    assert found["printed"] == ["[3. 0.]"]
    assert "Can't call numpy() on Tensor that requires grad" in found["diagnostics"][-1]["message"]


def test_what_does_not_fit_is_said_as_numpy_says_it() -> None:
    found = answer("import numpy as np\na = np.zeros(3)\na[0:2] = [1, 2, 3]\n")
    assert found["diagnostics"][0]["message"] == (
        "A list cannot be written there: could not broadcast input array from shape (3,) into shape (2,)."
    )
