"""At corners each library takes a slope of its own: the table, our programs and the real libraries agree."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest
from engine.programs.service import run_program
from engine.programs.side_by_side import side_by_side
from engine.programs.side_by_side.corners import CORNERS, written
from tests.engine.programs.side_by_side.record_corners import POINTS
from tests.limits import ROOMY

RECORDED = json.loads((Path(__file__).parents[3] / "data" / "corners.json").read_text())
LIBRARIES = ("tensorflow", "torch", "jax")
CALLS = {
    "abs": ("tf.abs(x)", "torch.abs(x)", "jnp.abs(x)"),
    "relu": ("tf.nn.relu(x)", "torch.relu(x)", "jax.nn.relu(x)"),
    "relu6_low": ("tf.nn.relu6(x)", "F.relu6(x)", "jax.nn.relu6(x)"),
    "relu6_high": ("tf.nn.relu6(x)", "F.relu6(x)", "jax.nn.relu6(x)"),
    "leaky_relu": ("tf.nn.leaky_relu(x, 0.2)", "F.leaky_relu(x, 0.2)", "jax.nn.leaky_relu(x, 0.2)"),
    "elu": ("tf.nn.elu(x)", "F.elu(x)", "jax.nn.elu(x)"),
    "maximum": ("tf.maximum(x, y)", "torch.maximum(x, y)", "jnp.maximum(x, y)"),
    "minimum": ("tf.minimum(x, y)", "torch.minimum(x, y)", "jnp.minimum(x, y)"),
    "reduce_max": ("tf.reduce_max(x)", "torch.amax(x)", "jnp.max(x)"),
    "reduce_min": ("tf.reduce_min(x)", "torch.amin(x)", "jnp.min(x)"),
    "norm": ("tf.norm(x)", "torch.norm(x)", "jnp.linalg.norm(x)"),
    "sqrt": ("tf.sqrt(x)", "torch.sqrt(x)", "jnp.sqrt(x)"),
    "pow_base": ("tf.pow(x, y)", "torch.pow(x, y)", "jnp.power(x, y)"),
    "pow_half": ("x ** 0.5", "x ** 0.5", "x ** 0.5"),
    "clip_low": ("tf.clip_by_value(x, -1.0, 1.0)", "torch.clamp(x, -1.0, 1.0)", "jnp.clip(x, -1.0, 1.0)"),
    "clip_high": ("tf.clip_by_value(x, -1.0, 1.0)", "torch.clamp(x, -1.0, 1.0)", "jnp.clip(x, -1.0, 1.0)"),
    "sort": ("tf.sort(x)[0]", "torch.sort(x).values[0]", "jnp.sort(x)[0]"),
    "atan2": ("tf.atan2(x, y)", "torch.atan2(x, y)", "jnp.arctan2(x, y)"),
    "prod": ("tf.reduce_prod(x)", "torch.prod(x)", "jnp.prod(x)"),
    "std": ("tf.math.reduce_std(x)", "torch.std(x, unbiased=False)", "jnp.std(x)"),
    "floor": ("tf.floor(x)", "torch.floor(x)", "jnp.floor(x)"),
    "round": ("tf.round(x)", "torch.round(x)", "jnp.round(x)"),
    "where_sqrt": (
        "tf.where(x > 0, tf.sqrt(x), tf.zeros(()))",
        "torch.where(x > 0, torch.sqrt(x), torch.zeros(()))",
        "jnp.where(x > 0, jnp.sqrt(x), 0.0)",
    ),
}


def program(library: str, call: str, at: list[Any]) -> ProgramRequest:
    """A program of a library that differentiates one call."""
    names = ("x", "y")[: len(at)]
    listed = ", ".join(names)
    if library == "tensorflow":
        lines = ["import tensorflow as tf"] + [
            f"{name} = tf.Variable({one})" for name, one in zip(names, at, strict=True)
        ]
        return ProgramRequest(
            "\n".join([*lines, f"z = {call}", f"tf.gradients(z, [{listed}])"]), dialect="tf1"
        )
    if library == "torch":
        lines = ["import torch", "import torch.nn.functional as F"]
        lines += [
            f"{name} = torch.tensor({one}, requires_grad=True)" for name, one in zip(names, at, strict=True)
        ]
        return ProgramRequest(
            "\n".join([*lines, f"z = {call}", f"g = torch.autograd.grad(z, [{listed}])"]), dialect="torch"
        )
    lines = ["import jax", "import jax.numpy as jnp", f"def f({listed}):", f"    return {call}"]
    given = ", ".join(f"jnp.array({one})" for one in at)
    places = tuple(range(len(at)))
    return ProgramRequest("\n".join([*lines, f"g = jax.grad(f, argnums={places})({given})"]), dialect="jax")


def slopes(library: str, name: str) -> list[Any]:
    """What our program of that library gives."""
    found = run_program(program(library, CALLS[name][LIBRARIES.index(library)], POINTS[name]))
    assert found["status"] == "ok", found["diagnostics"]
    values = [row["value"] for row in found["gradients"]]
    if library == "jax":  # which lists no gradient of a function that is not drawn
        values = next(one["items"] for one in found["bindings"] if one["name"] == "g")
        values = [one["value"] for one in values]
    return [value["data"] if isinstance(value, dict) else value for value in values]


def same(a: Any, b: Any) -> bool:
    """Whether two slopes are the same number, or lists of them."""
    if isinstance(a, list) or isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if a is None or b is None:
        return a is b
    x, y = float(a), float(b)
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", POINTS)
def test_our_program_takes_the_slope_of_the_real_library(name: str, library: str) -> None:
    assert same(slopes(library, name), RECORDED[library][name])


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: corner.name)
def test_the_table_says_what_the_libraries_gave(corner: Any) -> None:
    assert corner.slopes == {library: written(RECORDED[library][corner.name]) for library in LIBRARIES}


def test_every_corner_where_libraries_differ_stands_in_the_table() -> None:
    texts = {name: {written(RECORDED[library][name]) for library in LIBRARIES} for name in POINTS}
    assert {corner.name for corner in CORNERS} == {name for name, found in texts.items() if len(found) > 1}


def test_a_program_lists_the_corners_of_its_ops_and_says_which_one_it_is_at() -> None:
    found = side_by_side(
        ProgramRequest("y = abs(x) + max(x, b)", dialect="math", at={"x": 0.0, "b": 1.0}),
        ROOMY,
        "tensorflow",
        "jax",
    )["corners"]
    assert [(one["op"], one["left"], one["right"], one["here"]) for one in found] == [
        ("Abs", "0", "1", True),
        ("Maximum", "1 and 0", "0.5 and 0.5", False),
    ]
