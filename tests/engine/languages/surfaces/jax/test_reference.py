"""Programs that the real JAX has run: what they print, leave behind, and their jaxprs, letter by letter."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.graph import Tensor
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from engine.programs.program.static_values import all_values
from tests.limits import ROOMY

DATA = Path(__file__).parents[4] / "data"
CASES = {path.stem: json.loads(path.read_text()) for path in sorted((DATA / "frameworks").glob("jax-*.json"))}
OWN = {
    name: case
    for file in ("programs.json", "tutorials.json", "practice.json", "exercises.json")
    for name, case in json.loads((Path(__file__).parent / file).read_text()).items()
}
NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)")
WITHIN = 1e-4


def run(source: str) -> Any:
    """A program's outcome."""
    return run_request(ProgramRequest(source=source, dialect="jax"), ROOMY)


def same_text(found: str, wanted: str) -> bool:
    """Whether two texts are the same between their numbers, and these are close."""
    if NUMBER.sub("#", found).replace(" ", "") != NUMBER.sub("#", wanted).replace(" ", ""):
        return False
    pairs = zip(map(float, NUMBER.findall(found)), map(float, NUMBER.findall(wanted)), strict=True)
    return all(np.isclose(a, b, rtol=WITHIN, atol=1e-7, equal_nan=True) for a, b in pairs)


@pytest.mark.parametrize("name", CASES)
def test_prints(name: str) -> None:
    """The printed lines."""
    outcome = run(CASES[name]["source"])
    assert [d.message for d in outcome.diagnostics if d.severity == "error"] == []
    pairs = zip(outcome.printed, CASES[name]["printed"], strict=True)
    assert [(found, wanted) for found, wanted in pairs if not same_text(found, wanted)] == []


@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    """The arrays that its names hold at the end."""
    outcome = run(CASES[name]["source"])
    values = all_values(outcome)
    for held, wanted in CASES[name]["values"].items():
        found = outcome.names[held]
        array = values[found] if isinstance(found, Tensor) else np.asarray(found)
        assert (array.dtype.name, list(array.shape)) == (wanted["dtype"], wanted["shape"]), held
        np.testing.assert_allclose(
            array.astype("float64"), np.array(wanted["data"], "float64"), rtol=WITHIN, atol=1e-6
        )


def _jaxprs() -> Iterator[tuple[str, str]]:
    for name, case in CASES.items():
        yield from ((name, one) for one in case.get("jaxprs") or {})


@pytest.mark.parametrize(("name", "one"), list(_jaxprs()))
def test_jaxpr(name: str, one: str) -> None:
    """The text of a jaxpr."""
    asked = CASES[name]["jaxprs"][one]
    more = f"import jax\nasked_f, asked_args = {asked['of']}\nprint('@@@')\n"
    outcome = run(f"{CASES[name]['source']}\n{more}print(jax.make_jaxpr(asked_f)(*asked_args))\n")
    assert "\n".join(outcome.printed).split("@@@\n")[-1] == asked["text"]


@pytest.mark.parametrize("name", list(OWN))
def test_own_programs(name: str) -> None:
    """Programs of our own, as `scripts/record_jax.py` has asked the real JAX."""
    outcome = run(OWN[name]["source"])
    found = "\n".join(outcome.printed)
    assert same_text(found, "\n".join(OWN[name]["printed"])), found


@pytest.mark.parametrize(
    ("program", "about"),
    [
        ("jnp.arcsin(x)", "asin"),
        ("jnp.cumprod(x)", "cumprod"),
        ("x.at[jnp.array([0, 0])].add(x)", "scatter-add"),
        ("np.asarray(x)", "numpy"),
    ],
)
def test_bfloat16_left_out(program: str, about: str) -> None:
    """What is not known digit for digit of bfloat16 is refused, and works in float32."""
    start = "import numpy as np\nimport jax.numpy as jnp\nx = jnp.array([0.5, 0.25], jnp.bfloat16)\n"
    said = " ".join(one.message for one in run(f"{start}print({program})\n").diagnostics)
    assert about in said
    assert "bfloat16" in said
    assert run(f"{start}x = x.astype(jnp.float32)\nprint({program})\n").printed
