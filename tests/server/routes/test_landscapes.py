"""Landscapes over REST: a grid of values, and the points where every slope is zero."""

from __future__ import annotations

import base64
import gzip
import json
import struct
from typing import Any

import httpx
import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest
from engine.programs.landscapes import AxisRequest, LandscapeRequest, View, landscape
from server.schemas.answers import LandscapeAnswer, Progress
from server.schemas.requests import Landscape
from server.serialization.landscape_bands import join_landscape, written_band

BOWL = {"source": "x^2 + 3 y^2"}
X = {"variable": "x", "from": -1, "to": 1, "count": 3}
Y = {"variable": "y", "from": 0, "to": 2, "count": 3}


def test_a_bowl(client: httpx.Client) -> None:
    response = client.post("/landscapes", json={"program": BOWL, "axes": [X, Y], "gradient": True})
    assert response.status_code == 200, response.text
    found = response.json()
    LandscapeAnswer.model_validate(found)
    assert found["axes"] == [{"variable": "x", "values": [-1, 0, 1]}, {"variable": "y", "values": [0, 1, 2]}]
    assert found["values"] == [[1, 4, 13], [0, 3, 12], [1, 4, 13]]
    assert found["gradient"][0] == [[-2, -2, -2], [0, 0, 0], [2, 2, 2]]
    assert [(point["kind"], point["at"]) for point in found["points"]] == [("minimum", {"x": 0, "y": 0})]
    assert found["points"][0]["eigenvalues"] == [2, 6]


def test_bands_in_base64_make_one_text() -> None:
    asked = LandscapeRequest(
        (AxisRequest(100, "x", start=0, stop=1), AxisRequest(7, "y", start=0, stop=1)),
        gradient=True,
        encoding="base64",
    )
    view = View.of(ProgramRequest(BOWL["source"]), asked, Limits())
    cuts = [(0, 3), (3, 60), (60, 100)]
    parts = [written_band(view, cut) for cut in cuts]
    findings = view.without_grids([part.glimpse for part in parts])
    found = json.loads(gzip.decompress(join_landscape("p_1", asked, findings, parts, Limits())))
    assert {name: found[name] for name in ("values", "gradient")} == {
        name: landscape(ProgramRequest(BOWL["source"]), asked, Limits())[name]
        for name in ("values", "gradient")
    }


def test_numbers_come_as_bytes_for_who_wants_them(client: httpx.Client) -> None:
    asked = {"program": BOWL, "axes": [X, Y], "encoding": "base64"}
    found = client.post("/landscapes", json=asked).json()
    LandscapeAnswer.model_validate(found)
    assert (found["values"]["dtype"], found["values"]["shape"]) == ("float64", [3, 3])
    numbers = struct.unpack("<9d", base64.b64decode(found["values"]["base64"]))
    assert numbers == (1, 4, 13, 0, 3, 12, 1, 4, 13)


def test_a_landscape_without_slopes(client: httpx.Client) -> None:
    found = client.post("/landscapes", json={"program": BOWL, "axes": [X]}).json()
    assert found["gradient"] is None
    assert found["values"] == [4, 3, 4]  # y is 1


def test_a_trajectory_through_a_landscape(client: httpx.Client) -> None:
    run = {"optimizer": {"name": "GradientDescent", "learning_rate": 0.1}, "steps": 5, "start": {"x": 1}}
    axes = [{"direction": "trajectory", "count": 5}, {"direction": "trajectory", "count": 5}]
    found = client.post("/landscapes", json={"program": BOWL, "axes": axes, "run": run}).json()
    LandscapeAnswer.model_validate(found)
    assert [len(column) for column in found["path"].values()] == [6, 6]


@pytest.mark.slow
def test_a_large_landscape_in_bands_is_what_one_process_computes_and_reports_its_progress(
    client: httpx.Client,
) -> None:
    body = {"program": BOWL, "axes": [{**X, "count": 900}, {**Y, "count": 700}], "gradient": True}
    asked = Landscape.model_validate(body).to_engine()
    bands = len(View.of(ProgramRequest(BOWL["source"]), asked, Limits()).bands())
    assert bands > 1
    lines = client.post(
        "/landscapes", json=body, headers={"accept": "application/x-ndjson"}
    ).text.splitlines()
    *progress, found = map(json.loads, lines)
    for event in progress:
        Progress.model_validate(event)
    assert [event["sequence"] for event in (*progress, found)] == list(range(bands + 2))
    assert [(event["done"], event["parts"]) for event in progress] == [(n, bands) for n in range(bands + 1)]
    whole = landscape(ProgramRequest(BOWL["source"]), asked, Limits())
    assert {name: found[name] for name in whole} == whole  # bit for bit
    assert client.post("/landscapes", json=body).json() == {
        name: value for name, value in found.items() if name not in ("type", "sequence")
    }


@pytest.mark.parametrize(
    ("axes", "code"),
    [
        ([], "bad_field"),
        ([X, Y, X], "bad_field"),
        ([{**X, "count": 10**9}], "bad_field"),
        ([{**X, "variable": "q"}], "unknown_variable"),
        ([{"variable": "x", "count": 3}], "bad_axis"),
        ([{**X, "form": 1}], "unknown_field"),
    ],
)
def test_what_does_not_fit_is_refused_at_once(client: httpx.Client, axes: list[Any], code: str) -> None:
    response = client.post("/landscapes", json={"program": BOWL, "axes": axes})
    assert (response.status_code, response.json()["code"]) == (422, code)
