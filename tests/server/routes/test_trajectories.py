"""Every recorded trajectory of the real libraries comes out of a run, too, as `POST /runs` answers it."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest

from engine.ops.base.building import default_float
from server.schemas.answers.runs import RunAnswer
from server.schemas.requests import Program, Run
from server.workers.tasks import answer_run
from tests.data import FOLDER
from tests.limits import ROOMY

OPTIMIZERS = json.loads((FOLDER.parent / "optimizers" / "trajectories.json").read_text(encoding="utf-8"))
TRAINING = {
    path.stem: case
    for path in sorted(FOLDER.glob("*.json"))
    if "trajectory" in (case := json.loads(path.read_text(encoding="utf-8")))
}
TOLERANCES: dict[str, Any] = {
    "float32": {"rtol": 1e-4, "atol": 1e-5},
    "float64": {"rtol": 1e-6, "atol": 1e-9},
}
BOWL = """
import tensorflow as tf
x = tf.Variable([3.0, -1.0, 0.2], name="x")
loss = tf.reduce_sum(tf.constant([1.0, 10.0, 0.5]) * tf.square(x - 0.1))
"""


def run(**fields: Any) -> dict[str, Any]:
    """What a worker answers to the body of a request, program included."""
    asked = Run.model_validate(fields)
    assert isinstance(asked.program, Program)
    answer = answer_run("p_1", asked.program.to_engine(), asked.to_engine(), ROOMY)
    columns: dict[str, Any] = json.loads(gzip.decompress(answer.packed))
    RunAnswer.model_validate(columns)
    return columns


@pytest.mark.parametrize("case", OPTIMIZERS, ids=lambda case: f"{case['name']}-{len(case['settings'])}")
def test_a_run_goes_where_the_real_optimizer_went(case: dict[str, Any]) -> None:
    asked = {"name": case["name"], **case["settings"]}
    columns = run(program={"source": BOWL}, optimizer=asked, steps=len(case["rows"]) - 1)
    np.testing.assert_allclose(columns["variables"]["x"], case["rows"], rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("name", TRAINING)
def test_a_run_of_a_programs_own_optimizer_goes_where_tensorflow_went(name: str, dtype: str) -> None:
    case = TRAINING[name]
    trajectory = case["trajectory"]
    with default_float(dtype):
        source = case["source"].replace("tf.float32", f"tf.{dtype}")
        columns = run(program={"source": source}, steps=trajectory["steps"])
    steps, *variables, losses = zip(*trajectory[dtype], strict=True)
    assert columns["steps"] == list(steps)
    np.testing.assert_allclose(columns["loss"], losses, **TOLERANCES[dtype])
    for called, rows in zip(trajectory["variables"], variables, strict=True):
        np.testing.assert_allclose(column(columns, case, called), rows, **TOLERANCES[dtype])


def column(columns: dict[str, Any], case: dict[str, Any], name: str) -> Any:
    """What is recorded under this name: a trained variable, another one, or a number that is computed."""
    tensors = {fetch["name"]: fetch["tensor"] for fetch in case["fetches"]}
    tensor = tensors.get(name, f"{name}:0")
    trained = {gradient["x"]: gradient["name"] for gradient in columns["program"]["gradients"]}
    if tensor in trained:
        return columns["variables"][trained[tensor]]
    return columns["shared"].get(name) or columns["nodes"][tensor]


def test_there_are_trajectories_to_compare_with() -> None:
    assert len(OPTIMIZERS) >= 24
    assert len(TRAINING) >= 23
