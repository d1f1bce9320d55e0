"""Whoever keeps the service waiting is waited for up to a deadline, and never in everybody's way."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from server.http.connections import MAX_AHEAD
from server.http.open_connections import RESERVED_DESCRIPTORS, connection_limit
from tests.server.http.raw import Raw, connected, head
from tests.server.http.test_problems import FIELDS
from tests.server.service import running

pytestmark = pytest.mark.slow  # starts services of its own

PLACES = 20
JSON_BODY = "Content-Type: application/json"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A service with short deadlines."""
    short = "0.5"
    data_dir = tmp_path_factory.mktemp("quick")
    with running(data_dir, GRADLENS_HEADER_S=short, GRADLENS_BODY_S=short, GRADLENS_WRITE_S=short) as service:
        yield service


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A service with few places."""
    data_dir = tmp_path_factory.mktemp("small")
    with running(data_dir, GRADLENS_CONNECTIONS=str(PLACES), GRADLENS_BODIES_BYTES="300000") as service:
        yield service


def check_raw_problem(answer: bytes, status: int, code: str) -> Any:
    """Hold what came to the form of a problem document, and of the connection's last answer."""
    first, _, body = answer.partition(b"\r\n\r\n")
    lines = first.decode().lower().split("\r\n")
    assert lines[0].startswith(f"http/1.1 {status} "), answer
    assert {"content-type: application/problem+json", "connection: close"} <= set(lines)
    problem = json.loads(body)
    assert (set(problem), problem["status"], problem["code"]) == (FIELDS, status, code)
    return problem


# -- deadlines -----------------------------------------------------------------------------------------------


def test_headers_that_do_not_come_close_the_connection(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        raw.send(head(quick, "GET", "/health"))
        check_raw_problem(raw.read_to_end(), 408, "request_too_slow")


def test_who_says_nothing_is_not_waited_for(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        assert raw.read_to_end() == b""


def test_empty_lines_are_no_beginning(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        raw.send(b"\r\n")
        assert raw.read_to_end() == b""


def test_a_body_that_stops_closes_the_connection(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        raw.send(head(quick, "POST", "/programs", JSON_BODY, "Content-Length: 100") + b'\r\n{"source')
        check_raw_problem(raw.read_to_end(), 408, "request_too_slow")


def test_a_body_that_is_refused_and_never_ends_closes_the_connection(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        raw.send(head(quick, "POST", "/programs", JSON_BODY, "Content-Length: 3000000") + b"\r\n")
        raw.send(b" " * 2_100_000)
        assert b"413 " in raw.read_to_end()


def test_a_long_answer_is_no_reason_to_close(quick: httpx.Client) -> None:
    source = "import time\nimport tensorflow as tf\nx = tf.Variable(0.0)\n"
    source += "for _ in range(3_000_000):\n    pass\n"
    body = json.dumps({"source": source}).encode()
    with connected(quick) as [raw]:
        raw.send(head(quick, "POST", "/programs", JSON_BODY, f"Content-Length: {len(body)}") + b"\r\n" + body)
        raw.send(b"\r\n")  # as some clients do
        assert raw.read_some(12).startswith(b"HTTP/1.1 200")


def test_an_answer_that_is_not_read_closes_the_connection(quick: httpx.Client) -> None:
    source = "import tensorflow as tf\nx = tf.Variable(0.1)\n"
    source += 'w = tf.multiply(tf.fill([1000000], 0.123), x, name="w")\nw'
    program = quick.post("/programs", json={"source": source}).json()
    path = f"/programs/{program['id']}/tensors/w:0"
    assert len(quick.get(path, headers={"Accept-Encoding": "identity"}).content) > 5_000_000
    with connected(quick, receive_bytes=4_096) as [raw]:
        raw.send(head(quick, "GET", path, "Accept-Encoding: identity") + b"\r\n")
        wait_until_closed(raw, quick)


def wait_until_closed(raw: Raw, client: httpx.Client) -> None:
    """Wait, without reading, until the service has closed a connection: it resets what it cannot send."""
    import select

    waiting = select.poll()
    waiting.register(raw.socket, 0)  # nothing but the end
    assert waiting.poll(15_000)
    assert client.get("/health").status_code == 200


# -- lengths -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [["X: " + "a" * 70_000], [f"X{number}: {'a' * 1_000}" for number in range(70)], ["X:"] * 20_000],
    ids=["one", "many", "empty"],
)
def test_headers_have_a_length(quick: httpx.Client, headers: list[str]) -> None:
    with connected(quick) as [raw]:
        raw.send(head(quick, "GET", "/health", *headers) + b"\r\n")
        problem = check_raw_problem(raw.read_to_end(), 431, "headers_too_large")
    assert problem["detail"] == "The request's address and headers are over 64,000 bytes."


def test_headers_without_an_end_have_a_length(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        raw.send(head(quick, "GET", "/health") + b"X: ")
        for _ in range(100):
            raw.send(b"a" * 10_000)
        assert b"431 " in raw.read_to_end()


def test_an_address_has_a_length(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        raw.send(head(quick, "GET", "/programs/" + "p" * 70_000) + b"\r\n")
        check_raw_problem(raw.read_to_end(), 431, "headers_too_large")


def test_what_is_no_request_is_refused(quick: httpx.Client) -> None:
    with connected(quick) as [raw]:
        raw.send(b"HELLO\r\n\r\n")
        check_raw_problem(raw.read_to_end(), 400, "not_http")


def test_few_requests_are_taken_ahead(quick: httpx.Client) -> None:
    request = head(quick, "GET", "/health") + b"\r\n"
    with connected(quick) as [raw]:
        raw.send(request * (MAX_AHEAD * 10))
        assert raw.read_to_end().count(b"200 OK") <= MAX_AHEAD + 1
    with connected(quick) as [raw]:
        raw.send(request * 8)
        answers = b""
        while answers.count(b"200 OK") < 8:
            answers += raw.read_some(1)


# -- places --------------------------------------------------------------------------------------------------


def test_stalled_connections_make_room_for_new_ones(small: httpx.Client) -> None:
    with connected(small, 3 * PLACES) as stalled:
        for raw in stalled:
            raw.send(head(small, "GET", "/health"))
        assert httpx.get(f"{small.base_url}health").status_code == 200
        assert stalled[0].read_to_end() == b""  # the first to stall made room
        stalled[-1].send(b"\r\n")
        assert stalled[-1].read_some(12).startswith(b"HTTP/1.1 200")


def test_bodies_that_stall_have_a_length_in_all(small: httpx.Client) -> None:
    begun = head(small, "POST", "/programs", JSON_BODY, "Content-Length: 200000") + b"\r\n" + b" " * 100_000
    with connected(small, 4) as stalled:
        for raw in stalled[:3]:
            raw.send(begun)
        stalled[3].send(begun)
        answers = [stalled[3].read_some(200)]
        assert b"503 " in answers[0]
        assert b"retry-after" in answers[0].lower()
        assert small.post("/programs", json={"source": "y = x^2", "at": {"x": 3}}).status_code == 200


def test_bodies_count_until_they_are_answered(small: httpx.Client) -> None:
    endless = json.dumps({"source": "n = 0\nwhile True:\n    n = n + 1" + " " * 100_000}).encode()
    length = f"Content-Length: {len(endless)}"
    whole = head(small, "POST", "/programs", JSON_BODY, length) + b"\r\n" + endless
    with connected(small, 4) as connections:
        for raw in connections:
            raw.send(whole)
        assert b"503 " in connections[3].read_some(200)
        assert small.post("/programs", json={"source": "y = x^2", "at": {"x": 3}}).status_code == 200


def test_there_are_as_many_places_as_file_descriptors_allow() -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert connection_limit(10) == 10
    assert connection_limit(10**6) <= max(soft, 4_096) - RESERVED_DESCRIPTORS
