"""Imports over REST: a file is opened, kept by its content, run, differentiated and given out again."""

from __future__ import annotations

import gzip
from typing import Any

import httpx
import pytest

from engine.interchange.messages import GraphDef
from tests.engine.interchange.reading.graphs import layers, small
from tests.engine.programs.imported.test_growing import file_of

FILE = {"content-type": "application/octet-stream"}
SIN = file_of("x = tf.Variable(3.0, name='x')\ny = tf.sin(x)")


def opened(client: httpx.Client, data: bytes) -> Any:
    response = client.post("/imports", content=data, headers=FILE)
    assert response.status_code == 200, response.text
    return response.json()


def test_a_file_is_opened_and_kept_by_its_content(client: httpx.Client) -> None:
    answer = opened(client, SIN)
    assert (answer["format"], answer["nodes"], answer["diagnostics"]) == ("pb", 5, [])
    assert [node["name"] for node in answer["graph"]["nodes"]][-1] == "Sin"
    assert client.get(f"/imports/{answer['id']}").json() == answer
    assert client.get(f"/programs/{answer['id']}").status_code == 404


def test_ten_thousand_nodes_are_opened(client: httpx.Client) -> None:
    assert opened(client, layers(10_000).SerializeToString())["nodes"] == 10_000


def test_a_gradient_grows_the_graph_into_another_import(client: httpx.Client) -> None:
    name = opened(client, SIN)["id"]
    grown = client.post(f"/imports/{name}/gradients", json={"y": "Sin", "xs": ["x"]}).json()
    assert (grown["of"], grown["nodes"]) == (name, 10)
    assert [row["tensor"] for row in grown["gradients"]] == ["gradients/Sin_grad/mul:0"]
    values = client.post(f"/imports/{grown['id']}/values", json={"variables": {"x": 0.0}}).json()
    assert values["values"]["gradients/Sin_grad/mul:0"]["data"] == 1.0  # cos 0
    assert values["variables"] == {"x": "given"}


def test_a_graph_goes_out_as_it_came_in(client: httpx.Client) -> None:
    message = small("mul_x_x")
    name = opened(client, message.SerializeToString())["id"]
    out = client.get(f"/imports/{name}/graph?format=pb")
    assert GraphDef.FromString(out.content) == message
    seen = client.get(f"/imports/{name}/graph?detail=essentials").json()["nodes"]
    assert [node["inputs"] for node in seen if node["name"] == "mul"] == [["Variable", "Variable"]]


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 422, "empty_graph"),
        (b"hello", 422, "not_a_graph"),
        (SIN[:-3], 422, "damaged_file"),
        (gzip.compress(bytes(33_000_000)), 413, "file_too_large"),
        (bytes(32_000_001), 413, "file_too_large"),
        (b"\x0a\x00" * 1_000_000, 422, "too_many_nodes"),
    ],
    ids=["empty", "words", "truncated", "bomb", "long", "a million nodes"],
)
def test_a_file_that_cannot_be_opened_is_a_problem_in_both_languages(
    client: httpx.Client, data: bytes, status: int, code: str
) -> None:
    response = client.post("/imports", content=data, headers=FILE)
    problem = response.json()
    assert (response.status_code, problem["code"]) == (status, code)
    assert problem["message_zh"] != problem["detail"]


def test_a_file_says_that_it_is_bytes(client: httpx.Client) -> None:
    response = client.post("/imports", content=SIN, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


def test_what_is_not_there_is_a_problem(client: httpx.Client) -> None:
    name = opened(client, SIN)["id"]
    assert client.get("/imports/i_none").json()["code"] == "unknown_import"
    assert client.post("/imports/i_none/values", json={}).status_code == 404
    for body in ({"y": "Cos", "xs": ["x"]}, {"y": "Sin", "xs": []}, {"y": "Sin"}):
        assert client.post(f"/imports/{name}/gradients", json=body).status_code == 422
    assert client.post(f"/imports/{name}/values", json={"feeds": {"z": 1}}).json()["code"] == "unknown_node"
