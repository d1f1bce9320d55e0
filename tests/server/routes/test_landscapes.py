"""Landscapes over REST: a grid of values, and the points where every slope is zero."""

from __future__ import annotations

import base64
import gzip
import json
import struct
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from engine.programs import ProgramRequest
from engine.programs.landscapes import AxisRequest, LandscapeRequest, View, landscape
from server.schemas.answers.landscapes import LandscapeAnswer, LandscapeBand, LandscapeFooter, LandscapeHeader
from server.schemas.requests import Landscape
from server.serialization.landscape_bands import band_of_lines, join_landscape, written_band
from tests.limits import ROOMY

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
    view = View.of(ProgramRequest(BOWL["source"]), asked, ROOMY)
    cuts = [(0, 3), (3, 60), (60, 100)]
    parts = [written_band(view, cut) for cut in cuts]
    findings = view.without_grids([part.glimpse for part in parts])
    found = json.loads(gzip.decompress(join_landscape("p_1", asked, findings, parts, ROOMY)))
    assert {name: found[name] for name in ("values", "gradient")} == {
        name: landscape(ProgramRequest(BOWL["source"]), asked, ROOMY)[name] for name in ("values", "gradient")
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


LINES = {"accept": "application/x-ndjson"}
FORMS: dict[str, type[BaseModel]] = {
    "header": LandscapeHeader,
    "band": LandscapeBand,
    "footer": LandscapeFooter,
}


def lines_of(client: httpx.Client, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a landscape, each as its schema has it, numbered from 0."""
    text = client.post("/landscapes", json=body, headers=LINES).text
    events = [json.loads(line) for line in text.splitlines()]
    for event in events:
        FORMS[event["type"]].model_validate(event)
    assert [event["sequence"] for event in events] == list(range(len(events)))
    return events


def put_together(events: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole answer that the lines make."""
    header, *bands, footer = events
    bands.sort(key=lambda band: band["first"])
    assert [band["first"] for band in bands[1:]] == [band["end"] for band in bands[:-1]]
    grids = [[row for band in bands for row in band["values"]]]
    for axis in range(len(header["axes"])):
        grids.append([row for band in bands for row in band["gradient"][axis]])
    whole = {**header, **footer, "values": grids[0], "gradient": grids[1:]}
    return {key: value for key, value in whole.items() if key not in ("type", "sequence", "bands")}


def test_a_small_landscape_has_one_band_for_who_reads_lines(client: httpx.Client) -> None:
    body = {"program": BOWL, "axes": [X, Y], "gradient": True}
    header, band, footer = lines_of(client, body)
    assert (header["bands"], band["first"], band["end"]) == (1, 0, 3)
    assert band["values"] == [[1, 4, 13], [0, 3, 12], [1, 4, 13]]
    assert footer["points"][0]["at"] == {"x": 0, "y": 0}
    assert put_together([header, band, footer]) == client.post("/landscapes", json=body).json()


@pytest.mark.slow
def test_a_large_landscape_comes_in_bands_that_are_what_one_process_computes(client: httpx.Client) -> None:
    body = {"program": BOWL, "axes": [{**X, "count": 900}, {**Y, "count": 700}], "gradient": True}
    asked = Landscape.model_validate(body).to_engine()
    bands = len(View.of(ProgramRequest(BOWL["source"]), asked, ROOMY).bands())
    assert bands > 1
    events = lines_of(client, body)
    assert [event["type"] for event in events] == ["header", *["band"] * bands, "footer"]
    assert events[0]["bands"] == bands
    found = put_together(events)
    whole = landscape(ProgramRequest(BOWL["source"]), asked, ROOMY)
    assert {name: found[name] for name in whole} == whole  # bit for bit
    assert client.post("/landscapes", json=body).json() == found


def test_a_band_in_base64_holds_the_bytes_of_its_own_rows() -> None:
    asked = LandscapeRequest(
        (AxisRequest(9, "x", start=0, stop=8), AxisRequest(2, "y", start=0, stop=1)), encoding="base64"
    )
    view = View.of(ProgramRequest(BOWL["source"]), asked, ROOMY)
    band = band_of_lines(asked, view.frame(), (3, 6), written_band(view, (3, 6)))
    assert (band["first"], band["end"], band["values"]["shape"]) == (3, 6, [3, 2])
    numbers = struct.unpack("<6d", base64.b64decode(band["values"]["base64"]))
    assert numbers == (9, 12, 16, 19, 25, 28)  # x² + 3 y² at x = 3, 4, 5 and y = 0, 1


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
