"""Arguments that are taken at their usual value only; any other is refused, never passed over."""

from __future__ import annotations

import re

import pytest

from engine.errors import RefusedError
from engine.languages.surfaces.left_out import takes_only
from engine.programs import ProgramRequest, run_program


@takes_only(mode=(None, "fill"))
def take(a: int, mode: str | None = None) -> int:
    return a


def test_the_usual_values_change_nothing() -> None:
    assert (take(3), take(3, None), take(3, "fill"), take(3, mode="fill")) == (3, 3, 3, 3)


def test_any_other_value_is_refused_by_position_and_by_name() -> None:
    refusal = re.escape("take(mode=…) is supported with None or 'fill' only.")
    with pytest.raises(RefusedError, match=refusal):
        take(3, "clip")
    with pytest.raises(RefusedError, match=refusal):
        take(3, mode="clip")


@pytest.mark.parametrize(
    ("dialect", "lines"),
    [
        ("torch", "import torch\ntorch.rsub(torch.ones(2), torch.ones(2), alpha=3)"),
    ],
)
def test_a_program_hears_of_it(dialect: str, lines: str) -> None:
    answer = run_program(ProgramRequest(lines, dialect=dialect))
    assert (answer["status"], answer["diagnostics"][-1]["code"]) == ("error", "refused_name")


def test_eigh_of_jax_takes_the_mean_of_both_triangles() -> None:
    source = "import jax.numpy as jnp\nprint(jnp.linalg.eigvalsh(jnp.array([[0.0, 1.0], [3.0, 0.0]])))"
    assert run_program(ProgramRequest(source, dialect="jax"))["printed"] == ["[-2.  2.]"]  # ±(1 + 3) / 2
