"""Races over REST: several runs of one program in one answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from engine.programs.races import RaceRequest, cuts_of, part_of, run_race
from server.schemas.answers.runs import RaceAnswer
from tests.server.service import running

SQUARE = {"source": "y = x^2", "at": {"x": 3}}
ADAM = {"name": "Adam", "learning_rate": 0.1}
LINES = {"accept": "application/x-ndjson"}
DESCENT = {"name": "GradientDescent", "learning_rate": 0.01}


def race(client: httpx.Client, **fields: Any) -> Any:
    """The answer to one race."""
    response = client.post("/races", json=fields)
    assert response.status_code == 200, response.text
    return response.json()


def test_a_race_holds_what_runs_of_their_own_hold(client: httpx.Client) -> None:
    runs = [
        {"optimizer": ADAM},
        {"optimizer": DESCENT, "start": {"x": -2}},
        {"optimizer": DESCENT, "process": [{"clip_by_norm": 5}]},
    ]
    found = race(client, program=SQUARE, steps=20, runs=runs)
    for run, raced in zip(runs, found["runs"], strict=True):
        assert isinstance(run, dict)
        alone = client.post(
            "/runs", json={"program": SQUARE, "steps": 20, "record": "variables", **run}
        ).json()
        assert raced["columns"]["loss"] == pytest.approx(alone["loss"], rel=1e-12)
        assert raced["columns"]["variables"]["x"] == pytest.approx(alone["variables"]["x"], rel=1e-12)
        assert raced["status"] == alone["status"]
    assert found["runs"][1]["start"] == {"x": -2}


def test_a_races_answer_is_as_documented(client: httpx.Client) -> None:
    found = race(client, program=SQUARE, steps=3, runs=[{"optimizer": {**DESCENT, "learning_rate": 1e30}}])
    RaceAnswer.model_validate(found)
    assert found["runs"][0]["status"] == "diverged"


def test_a_small_race_sent_in_lines_is_one_line(client: httpx.Client) -> None:
    asked = {"program": SQUARE, "steps": 4, "runs": [{"optimizer": ADAM}]}
    lines = client.post("/races", json=asked, headers=LINES).text.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"type": "race", "sequence": 0, **client.post("/races", json=asked).json()}
    ]


@pytest.mark.parametrize("headers", [{}, LINES], ids=["whole", "lines"])
def test_a_race_that_does_not_fit_is_a_problem_and_no_stream(
    client: httpx.Client, headers: dict[str, str]
) -> None:
    asked = {"program": SQUARE, "steps": 1, "runs": [{"optimizer": {"name": "Adm"}}]}
    response = client.post("/races", json=asked, headers=headers)
    assert (response.status_code, response.json()["code"]) == (422, "unknown_optimizer")
    assert response.headers["content-type"] == "application/problem+json"


def test_the_same_race_has_the_same_id_and_bytes(client: httpx.Client) -> None:
    asked = {"program": SQUARE, "steps": 3, "runs": [{"optimizer": ADAM}]}
    first, second = (client.post("/races", json=asked) for _ in range(2))
    assert first.content == second.content
    assert first.json()["id"].startswith("race_")
    assert first.json()["program"] == client.post("/programs", json=SQUARE).json()["id"]


WIDE = """
import numpy as np
import tensorflow as tf
w = tf.Variable(np.linspace(0.0, 1.0, 2000))
loss = tf.reduce_sum(tf.square(w))
"""


@pytest.mark.slow
def test_a_long_race_is_put_together_from_parts(tmp_path: Path) -> None:
    rates = [0.0001 * k for k in range(1, 81)]
    runs = [{"optimizer": {"name": "Momentum", "learning_rate": rate, "momentum": 0.9}} for rate in rates]
    asked = RaceRequest(tuple(RunRequest(500, run["optimizer"]) for run in runs), 500, "loss")
    limits, program = Limits(wall_s=100), ProgramRequest(WIDE)
    parts = cuts_of(program, asked, limits)
    assert len(parts) > 1
    with running(tmp_path, GRADLENS_LIMITS__WALL_S="100") as client:
        found = race(client, program={"source": WIDE}, steps=500, runs=runs, record="loss")
    whole = [m for cut in parts for m in run_race(program, part_of(asked, cut), limits)["runs"]]
    assert found["runs"] == whole  # bit for bit


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"runs": [{"optimizer": ADAM}] * 101}, 422, "bad_field"),
        ({"runs": []}, 422, "bad_field"),
        ({"runs": [{"optimizer": ADAM}] * 100, "steps": 100_000}, 422, "race_limit"),
        ({"runs": [{"optimizer": {"name": "Adm"}}]}, 422, "unknown_optimizer"),
        ({"runs": [{"optimiser": ADAM}]}, 422, "unknown_field"),
        ({"runs": [{"start": {"q": 1}, "optimizer": ADAM}]}, 422, "unknown_variable"),
        ({"program": "p_nothing"}, 404, "unknown_program"),
    ],
)
def test_what_does_not_fit_is_refused_at_once(
    client: httpx.Client, fields: dict[str, Any], status: int, code: str
) -> None:
    asked = {"program": SQUARE, "steps": 1, "runs": [{"optimizer": ADAM}], **fields}
    response = client.post("/races", json=asked)
    assert (response.status_code, response.json()["code"]) == (status, code)
