"""Modules that a program without its import lines is taken to mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.languages.surfaces import ASSUMED, EAGER_MODULES, MODULES, TORCH_MODULES
from engine.languages.surfaces.catalogue import JAX_ASSUMED, JAX_MODULES
from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("assumed", "modules"),
    [
        pytest.param(ASSUMED, MODULES, id="tf1"),
        pytest.param(ASSUMED, EAGER_MODULES, id="tf2"),
        pytest.param(ASSUMED, TORCH_MODULES, id="torch"),
        pytest.param(JAX_ASSUMED, JAX_MODULES, id="jax"),
    ],
)
def test_every_assumed_module_is_there(assumed: Mapping[str, str], modules: Mapping[str, Any]) -> None:
    assert set(assumed.values()) <= set(modules)


def test_jnp_is_taken_to_be_jax_numpy_and_the_program_hears_of_it() -> None:
    answer = run_program(ProgramRequest(source="import jax\nprint(jax.grad(lambda x: jnp.sin(x))(0.0))"))
    assert answer["printed"] == ["1.0"]
    assert [each["code"] for each in answer["diagnostics"]] == ["assumed_import"]
