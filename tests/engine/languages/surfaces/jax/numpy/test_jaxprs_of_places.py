"""Jaxprs of subscripts, of loops over arrays, of branches and of quotients, as JAX 0.10.2 writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

JAXPRS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("places.json").read_text("utf-8"))
BEGIN = """
import jax, jax.numpy as jnp
from jax import lax
import jax.scipy as jsp
x = jnp.arange(3.); m = jnp.arange(12.).reshape(3, 4); iv = jnp.array([0, 2]); A = jnp.eye(3) * 2
def un(x):
    a, b, c = x
    return a + b
def loop(x):
    s = 0.
    for v in x: s = s + v
    return s
def spl(k):
    a, b = jax.random.split(k)
    return a
@jax.custom_vjp
def f(x, y): return jnp.sin(x) * y
f.defvjp(lambda x, y: (f(x, y), (jnp.cos(x), jnp.sin(x), y)), lambda r, g: (r[0] * g * r[2], r[1] * g))
@jax.custom_vjp
def g(x): return x * 2
g.defvjp(lambda x: (x * 2, None), lambda r, ct: (ct * 3,))
def show(f, *a):
    print(jax.make_jaxpr(f)(*a))
"""


@pytest.mark.parametrize("expected", JAXPRS, ids=lambda expected: expected["of"])
def test_a_jaxpr_is_written_as_jax_writes_it(expected: dict[str, Any]) -> None:
    answer = run_program(ProgramRequest(f"{BEGIN}show({expected['of']})"))
    assert "\n".join(answer["printed"]).split("\n") == expected["jaxpr"], answer["diagnostics"]
