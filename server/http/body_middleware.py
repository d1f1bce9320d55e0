"""Request bodies: of a bounded length each and in all, read whole before a route sees them.

Faults that come up on the way to an answer stay inside: the reader hears of them as problems.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.http.problems import (
    Problem,
    bodies_overloaded,
    body_too_large,
    file_too_large,
    internal_error,
    not_bytes,
    not_json,
    problem_response,
)

JSON, BYTES = "application/json", "application/octet-stream"
IMPORTS = "/api/v1/imports"  # where a body is a file
SMALL_BYTES = 16_000  # a body that others, however long theirs are, do not keep out

log = structlog.get_logger("gradlens")


class BodyMiddleware:
    """ASGI middleware that reads the whole body, refuses what is too long or no JSON, and hands it on.

    A body sent in chunks is counted as it arrives, so its length need not be announced.

    body_bytes:   the longest body.
    file_bytes:   the longest file of a graph.
    bodies_bytes: all bodies together whose answers are still to come; beyond, only small ones are taken.
    """

    def __init__(self, app: ASGIApp, body_bytes: int, file_bytes: int, bodies_bytes: int) -> None:
        self.app = app
        self.body_bytes = body_bytes
        self.file_bytes = file_bytes
        self._account = Account(bodies_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope = {
                **scope,
                "method": "GET",
                "is_head": True,
            }  # answered alike, but for the body
        started = False

        async def watched_send(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            with self._account.opened() as entry:
                body = await self._read(scope, receive, entry)
                if body is not None:
                    await self.app(scope, replay(body, receive), watched_send)
        except Problem as problem:
            await problem_response(problem)(scope, receive, send)
        except Exception:
            log.exception("request failed", path=scope["path"])
            if not started:
                await problem_response(internal_error())(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive, entry: Entry) -> bytearray | None:
        """The whole body; None where the sender has gone before its end."""
        body = bytearray()
        more = True
        is_file = scope["path"] == IMPORTS
        limit_bytes = self.file_bytes if is_file else self.body_bytes
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            if len(body) + len(part) > limit_bytes:
                raise file_too_large(limit_bytes) if is_file else body_too_large(limit_bytes)
            entry.add(len(part))
            body += part
            more = message.get("more_body", False)
        if body:
            check_media_type(scope, BYTES if is_file else JSON)
        return body


class Account:
    """How many bytes of bodies are in memory, from their first byte to the end of their answers."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self.bytes = 0

    @contextmanager
    def opened(self) -> Iterator[Entry]:
        """Count one body while it is read and answered."""
        entry = Entry(self)
        try:
            yield entry
        finally:
            self.bytes -= entry.bytes


class Entry:
    """One body's part in the account."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self.bytes = 0

    def add(self, size_bytes: int) -> None:
        """So many bytes have come. Raises: Problem where this body is not small and all together too long."""
        in_all, in_this = self._account.bytes + size_bytes, self.bytes + size_bytes
        if in_all > self._account.limit_bytes and in_this > SMALL_BYTES:
            raise bodies_overloaded()
        self._account.bytes += size_bytes
        self.bytes += size_bytes


def check_media_type(scope: Scope, wanted: str) -> None:
    """A body is what its route takes, and says so."""
    media_type = Headers(scope=scope).get("content-type", "")
    if media_type.partition(";")[0].strip().lower() != wanted:
        raise not_json(media_type) if wanted == JSON else not_bytes(media_type)


def replay(body: bytearray, receive: Receive) -> Receive:
    """A channel that gives `body`, as if it had just arrived, and then whatever `receive` gives."""
    replayed = False

    async def receive_again() -> Message:
        nonlocal replayed, body
        if replayed:
            return await receive()
        replayed, whole, body = True, bytes(body), bytearray()  # it is not kept while the answer is made
        return {"type": "http.request", "body": whole, "more_body": False}

    return receive_again
