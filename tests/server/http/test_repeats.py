"""Requests that were answered before: their answers are sent again without asking the application."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from server.http.body_middleware import SMALL_BYTES
from server.http.encoding import PackedResponse
from server.http.repeats import Repeats, remembered

TEXT = b'{"y": 1.1515628}'


class Application:
    """Answers everything alike, and counts how often it is asked."""

    def __init__(self, *, lasting: bool = True) -> None:
        self.asked = 0
        self._lasting = lasting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        assert (await receive())["type"] == "http.request"
        packed = gzip.compress(TEXT, mtime=0)
        response = PackedResponse(packed, "application/json", lasting=self._lasting)
        await remembered(scope, response)(scope, receive, send)


def answers(
    app: Repeats, body: bytes = b"", path: bytes = b"/a", query: bytes = b"", **headers: str
) -> list[Any]:
    """What is sent to a request."""
    sent: list[Message] = []
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "raw_path": path, "query_string": query, "headers": raw}

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent


def test_the_second_of_two_equal_requests_does_not_reach_the_application() -> None:
    within = Application()
    app = Repeats(within, 1_000)
    first, second = answers(app, b"x", accept_encoding="gzip"), answers(app, b"x", accept_encoding="gzip")
    assert first == second
    assert gzip.decompress(second[1]["body"]) == TEXT
    assert within.asked == 1


def test_who_takes_no_gzip_is_sent_the_text_of_the_same_answer() -> None:
    within = Application()
    app = Repeats(within, 1_000)
    answers(app, b"x", accept_encoding="gzip")
    assert b"".join(message.get("body", b"") for message in answers(app, b"x")) == TEXT
    assert within.asked == 1


def test_who_has_the_answer_is_sent_304() -> None:
    app = Repeats(Application(), 1_000)
    tag = dict(answers(app, b"x", accept_encoding="gzip")[0]["headers"])[b"etag"].decode()
    start, end = answers(app, b"x", accept_encoding="gzip", if_none_match=tag)
    assert (start["status"], end.get("body", b"")) == (304, b"")


@pytest.mark.parametrize(
    "other",
    [{"body": b"y"}, {"path": b"/b"}, {"query": b"n=1"}, {"accept": "application/x-ndjson"}],
    ids=["body", "path", "query", "accept"],
)
def test_a_request_that_differs_anywhere_is_another_one(other: Any) -> None:
    within = Application()
    app = Repeats(within, 1_000)
    answers(app, b"x")
    answers(app, **{"body": b"x", **other})
    assert within.asked == 2


def test_an_answer_that_may_become_another_one_is_made_again() -> None:
    within = Application(lasting=False)
    app = Repeats(within, 1_000)
    answers(app, b"x")
    answers(app, b"x")
    assert within.asked == 2


def test_a_large_body_is_not_looked_up() -> None:
    within = Application()
    app = Repeats(within, 1_000)
    for _ in range(2):
        answers(app, b"x" * (SMALL_BYTES + 1))
    assert within.asked == 2


def test_so_many_bytes_of_answers_are_known_and_no_more() -> None:
    within = Application()
    size = len(gzip.compress(TEXT, mtime=0))
    app = Repeats(within, 2 * size)
    for body in (b"1", b"2", b"3", b"3", b"1"):  # at the third, the first makes room
        answers(app, body)
    assert within.asked == 4
    none = Repeats(Application(), 0)
    answers(none, b"x")  # which has room for none of them
