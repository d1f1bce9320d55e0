"""What comes in: bodies of a bounded length that hold strict JSON, and faults that stay inside."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.problems import Problem, body_too_large, internal_error, not_json, problem_response

log = structlog.get_logger("gradlens")

MAX_NESTING = 64  # levels of lists and objects; a tensor has far fewer axes
MAX_INTEGER_DIGITS = 1_000


class Intake:
    """ASGI middleware that reads the whole body, refuses what is too long or no JSON, and hands it on.

    A body sent in chunks is counted as it arrives, so its length need not be announced.
    """

    def __init__(self, app: ASGIApp, body_bytes: int) -> None:
        self.app = app
        self.body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # answered alike; the server leaves the body out
        started = False

        async def watched_send(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, replay(await self._read(scope, receive), receive), watched_send)
        except Problem as problem:
            await problem_response(problem)(scope, receive, send)
        except Exception:
            log.exception("request failed", path=scope["path"])
            if not started:
                await problem_response(internal_error())(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        body = bytearray()
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self.body_bytes:
                raise body_too_large(self.body_bytes)
        if body:
            check_media_type(scope)
            check_json(bytes(body))
        return bytes(body)


def check_media_type(scope: Scope) -> None:
    """A body is JSON and says so."""
    media_type = Headers(scope=scope).get("content-type", "")
    if media_type.partition(";")[0].strip().lower() != "application/json":
        raise not_json(media_type)


def replay(body: bytes, receive: Receive) -> Receive:
    """A channel that gives `body` once, as if it had just arrived, and then whatever `receive` gives."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def check_json(body: bytes) -> Any:
    """Read strict JSON: UTF-8, no NaN, no number of a thousand digits, no depth that a reader drowns in.

    Raises: Problem that says what is wrong and where.
    """
    try:
        text = body.decode("utf-8")
        value = json.loads(text, parse_constant=refuse_constant, parse_int=bounded_integer)
    except UnicodeDecodeError as error:
        raise bad_json(
            "The request body is not UTF-8.", "请求内容不是 UTF-8。", f"byte {error.start}"
        ) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise bad_json(f"The request body is not JSON: {error.msg}.", "请求内容不是 JSON。", place) from None
    except RecursionError:
        raise too_deep() from None
    if depth_exceeds(value, MAX_NESTING):
        raise too_deep()
    return value


def depth_exceeds(value: Any, limit: int) -> bool:
    """Whether lists and objects lie inside one another more than `limit` deep; visits level by level."""
    level = [value]
    for _ in range(limit + 1):
        level = [
            child
            for item in level
            if isinstance(item, list | dict)
            for child in (item if isinstance(item, list) else item.values())
        ]
        if not level:
            return False
    return True


def refuse_constant(name: str) -> NoReturn:
    """JSON has no NaN and no infinity."""
    raise bad_json(f"{name} is not JSON.", f"{name} 不是合法的 JSON。", "body")


def bounded_integer(digits: str) -> int:
    """An integer of a sensible length."""
    if len(digits) > MAX_INTEGER_DIGITS:
        raise bad_json("A number has too many digits.", "数字的位数过多。", "body")
    return int(digits)


def too_deep() -> Problem:
    """Lists within lists within lists."""
    return bad_json(
        f"The request body nests lists or objects more than {MAX_NESTING} deep.",
        f"请求内容的嵌套超过 {MAX_NESTING} 层。", "body",
    )  # fmt: skip


def bad_json(message: str, message_zh: str, place: str) -> Problem:
    """The body is not JSON that we read."""
    hint, hint_zh = (
        'Texts stand for what JSON lacks: "nan", "inf", "-inf".',
        'JSON 没有的数写成文字："nan"、"inf"、"-inf"。',
    )
    return Problem(422, "bad_json", message, message_zh, place=place, hint=hint, hint_zh=hint_zh)
