"""Mistakes that learners make with JAX: the class of the error and its words, as JAX 0.10.2 gives them."""

import json
from pathlib import Path

import pytest

from engine.programs import ProgramRequest, run_program

SEEN = json.loads(Path(__file__).with_name("mistakes.json").read_text(encoding="utf-8"))
BEFORE = """
import jax
import jax.numpy as jnp
import numpy as np
import optax
from functools import partial
from jax import lax, grad, jit, vmap
"""
CAUGHT = """
    print('NO ERROR')
except Exception as e:
    print(type(e).__name__)
    print(str(e))
"""


@pytest.mark.parametrize("seen", SEEN, ids=lambda seen: seen["source"][-1])
def test_a_mistake_is_refused_in_the_words_of_jax(seen: dict[str, list[str]]) -> None:
    """Of texts that name a place in a file, the place is left out."""
    body = "\n".join(f"    {line}" for line in seen["source"])
    answer = run_program(ProgramRequest(f"{BEFORE}try:\n{body}{CAUGHT}", dialect="jax"))
    lines = [line.rstrip() for line in "\n".join(answer["printed"]).rstrip().split("\n")]
    assert lines == seen["printed"], answer["diagnostics"]
