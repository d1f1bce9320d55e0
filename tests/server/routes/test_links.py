"""Links over REST: a state of the page is kept under an id that follows from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.service import running

STATE = {"source": "损失 = (x - 1)^2", "at": {"x": 2.5}, "step": 3, "open": ["gradients"], "deep": [[[]]]}


def kept(client: httpx.Client, state: Any) -> Any:
    response = client.post("/links", json={"state": state})
    assert response.status_code == 200, response.text
    return response.json()


def test_a_state_comes_back_by_its_id(client: httpx.Client) -> None:
    link = kept(client, STATE)
    assert link["url"] == f"l/{link['id']}"
    assert client.get(f"/links/{link['id']}").json() == {"state": STATE}


def test_the_same_state_has_the_same_id(client: httpx.Client) -> None:
    assert kept(client, STATE) == kept(client, dict(reversed(STATE.items())))
    assert kept(client, STATE) != kept(client, {**STATE, "step": 4})


def test_a_short_address_opens_the_page_on_the_state(client: httpx.Client) -> None:
    link = kept(client, STATE)
    answer = client.get(httpx.URL(client.base_url).join(f"/{link['url']}"))
    assert (answer.status_code, answer.headers["location"]) == (307, f"../?link={link['id']}")


def test_a_link_is_no_program_and_no_run(client: httpx.Client) -> None:
    name = kept(client, STATE)["id"]
    assert client.get(f"/programs/{name}").status_code == 404
    assert client.get(f"/runs/{name}").status_code == 404


def test_an_id_that_is_not_known_is_a_problem(client: httpx.Client) -> None:
    response = client.get(f"/links/l_{'a' * 20}")
    assert (response.status_code, response.json()["code"]) == (404, "unknown_link")


def test_32_kb_are_kept_and_no_more(client: httpx.Client) -> None:
    frame = len('{"source":""}')
    assert kept(client, {"source": "x" * (32_000 - frame)})
    response = client.post("/links", json={"state": {"source": "x" * (32_001 - frame)}})
    assert (response.status_code, response.json()["code"]) == (413, "state_too_large")


@pytest.mark.parametrize("body", ["[]", '{"state": []}', '{"state": {"a": }}', "{}", '{"state": {}, "b": 1}'])
def test_what_is_no_state_is_not_kept(client: httpx.Client, body: str) -> None:
    sent = client.post("/links", content=body, headers={"content-type": "application/json"})
    assert sent.status_code == 422


@pytest.mark.slow
def test_a_link_opens_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        name = kept(first, STATE)["id"]
    with running(tmp_path) as second:
        assert second.get(f"/links/{name}").json() == {"state": STATE}
