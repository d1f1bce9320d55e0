"""Differences over REST: two programs, or graphs from files, before and after a change."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from server.schemas.differences import DifferencesAnswer
from tests.engine.interchange.reading.graphs import small

WAVE = {"source": "y = exp(sin(x))", "at": {"x": 3}}
OTHER = {"source": "y = exp(-sin(x))", "at": {"x": 3}}


def asked(client: httpx.Client, before: Any, after: Any, **more: Any) -> Any:
    response = client.post("/differences", json={"before": before, "after": after, **more})
    assert response.status_code == 200, response.text
    DifferencesAnswer.model_validate(response.json())
    return response.json()


def test_two_programs_are_compared(client: httpx.Client) -> None:
    body = asked(client, WAVE, OTHER)
    assert body["added"] == ["Neg", "gradients/Neg_grad/Neg"]
    assert body["removed"] == body["changed"] == []
    assert body["before"]["id"].startswith("p_")
    assert not body["equal"]
    assert body["says"]["zh"].startswith("前向：新增 1 个；梯度部分：新增 1 个。")


def test_a_program_may_be_named_by_its_id(client: httpx.Client) -> None:
    name = client.post("/programs", json=WAVE).json()["id"]
    body = asked(client, name, name)
    assert body["equal"]
    assert asked(client, WAVE, OTHER) == asked(client, name, OTHER)


def test_a_graph_from_a_file_may_be_named_by_its_id(client: httpx.Client) -> None:
    octets = {"content-type": "application/octet-stream"}
    name = client.post("/imports", content=small("mul_x_x").SerializeToString(), headers=octets).json()["id"]
    body = asked(client, name, name, detail="tensorflow")
    assert body["equal"]
    assert body["before"] == body["after"]
    assert (body["before"]["kind"], body["before"]["id"], body["gradients"]) == ("graph", name, [])


def test_a_tolerance_is_part_of_what_is_asked(client: httpx.Client) -> None:
    close = {"source": "y = exp(sin(x))", "at": {"x": 3.0001}}
    assert asked(client, WAVE, close)["verdict"]["gradients"] is False
    wide = asked(client, WAVE, close, tolerance={"relative": 0.01})
    assert wide["verdict"]["gradients"] is True
    assert wide["tolerance"] == {"relative": 0.01, "absolute": 1e-7}


@pytest.mark.parametrize(
    ("before", "after", "status", "code", "where"),
    [
        ("p_nothing", WAVE, 404, "unknown_program", "before"),
        (WAVE, "i_nothing", 404, "unknown_import", "after"),
        (WAVE, {"source": "y = exp(sni(x))"}, 422, "unknown_function", "after, line 1, column 9"),
        ({"source": "y = (x"}, WAVE, 422, "syntax_error", "before, line 1, column 7"),
        (WAVE, {}, 422, "missing_field", "after.source"),
    ],
)
def test_what_cannot_be_compared_says_which_of_the_two(
    client: httpx.Client, before: Any, after: Any, status: int, code: str, where: str
) -> None:
    response = client.post("/differences", json={"before": before, "after": after})
    problem = response.json()
    assert (response.status_code, problem["code"], problem["where"]) == (status, code, where)
    assert problem["message_zh"] != problem["detail"]


def test_an_unknown_field_is_refused(client: httpx.Client) -> None:
    response = client.post("/differences", json={"before": WAVE, "afer": WAVE})
    assert (response.status_code, response.json()["code"]) == (422, "missing_field")
