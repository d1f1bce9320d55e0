"""A service with a key answers those who know it, and says to others what is missing."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from server.http.access import is_open
from tests.server.classes.members import student, teacher
from tests.server.http.test_problems import check_problem
from tests.server.service import running

KEY = "three-grey-herons"

pytestmark = pytest.mark.slow  # starts a service of its own


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client that does not send the key."""
    with running(tmp_path_factory.mktemp("data"), GRADLENS_ACCESS_KEY=KEY) as client:
        yield client


@pytest.mark.parametrize("path", ["examples", "openapi.json", "programs/p_x", "classes/K7F3QX4M/events"])
def test_nothing_is_answered_without_the_key(closed: httpx.Client, path: str) -> None:
    response = closed.get(path)
    check_problem(response, 401, "access_key_needed")
    assert response.headers["www-authenticate"] == 'Bearer realm="gradlens"'


@pytest.mark.parametrize("key", ["", "three-grey-heron", "three-grey-heronsx", "鹭鹭鹭鹭"])
def test_a_wrong_key_opens_nothing(closed: httpx.Client, key: str) -> None:
    assert closed.get("examples", headers={b"gradlens-key": key.encode()}).status_code == 401


def test_the_key_comes_in_its_own_header_or_as_a_bearers(closed: httpx.Client) -> None:
    for headers in ({"gradlens-key": KEY}, {"authorization": f"Bearer {KEY}"}):
        answer = closed.post("programs", json={"source": "y = x^2", "at": {"x": 3}}, headers=headers)
        assert answer.status_code == 200


def test_an_answer_that_is_known_needs_the_key_too(closed: httpx.Client) -> None:
    for _ in range(2):
        closed.get("examples", headers={"gradlens-key": KEY})
    assert closed.get("examples").status_code == 401


def test_a_class_works_with_the_key_beside_its_own_tokens(closed: httpx.Client) -> None:
    with httpx.Client(base_url=closed.base_url, headers={"gradlens-key": KEY}, timeout=30) as client:
        room = teacher(client)
        joined = student(room)
        assert room("PUT", "/state", link=None, step=3, node=None, mode="follow").status_code == 204
        assert [event[2]["step"] for event in joined.poll()] == [3]


@pytest.mark.parametrize("path", ["../../", "../../embed", "../../favicon.svg", "health", "ready", "metrics"])
def test_the_page_and_how_the_service_is_are_open(closed: httpx.Client, path: str) -> None:
    assert closed.get(path).status_code == 200


def test_a_short_link_leads_to_the_page_which_asks_for_the_key(closed: httpx.Client) -> None:
    response = closed.get(f"../../l/l_{'a' * 20}")
    assert (response.status_code, response.headers["location"]) == (307, f"../?link=l_{'a' * 20}")


@pytest.mark.parametrize("path", ["/api/v1/programs/health", "/api/v1/programs/p/tensors/ready"])
def test_what_only_ends_like_an_open_path_is_none(path: str) -> None:
    assert not is_open(path)
