"""Connections: how many there are, and how long each may keep the service waiting.

Whoever connects owes headers, then a body, then reading what is answered; each has a deadline, so that none
can be held open for nothing. The rest is uvicorn's; `tests/server/test_library_internals.py` names what this
relies on.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from functools import partial
from typing import Any, cast

import orjson
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from server.http.headers import SECURITY_HEADERS
from server.http.open_connections import (
    BODY_BYTES_PER_S,
    LINGER_S,
    STEP_BYTES,
    Connections,
    Deadlines,
    connection_limit,
)
from server.http.problems import (
    Problem,
    headers_too_large,
    not_http,
    problem_document,
    request_too_slow,
    too_many_requests_ahead,
)
from server.settings import Settings

AT_ONCE = struct.pack("ii", 1, 0)  # linger, for no time
MAX_AHEAD = 16  # requests sent before earlier ones are answered


class Connection(HttpToolsProtocol):
    """uvicorn's protocol with deadlines and bounds."""

    def __init__(self, *, connections: Connections, **settings: Any) -> None:
        super().__init__(**settings)
        self.address = ""
        self._all = connections
        self._allowed = connections.deadlines
        self._receiving_since: float | None = None  # the first byte of a request that is not complete
        self._heard_at = 0.0
        self._begun = False  # whether that byte has come
        self._in_body = False
        self._body_bytes = 0
        self._header_bytes = 0  # of headers whose end has not come, as they arrived
        self._counted_bytes = 0  # of headers that have been read
        self._refusal: Problem | None = None
        self._refused_at: float | None = None  # since then what comes is thrown away
        self._unread_bytes = 0
        self._reading_since: float | None = None  # since when the written bytes have not been read

    # -- what comes ----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """A client has connected."""
        super().connection_made(transport)
        self.address = "" if self.client is None else self.client[0]
        self._receiving_since = self._heard_at = time.monotonic()
        self._all.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone, or had to go."""
        self._all.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; of a refused request the rest is thrown away."""
        if self._refused_at is not None:
            return
        self._heard_at = time.monotonic()
        if self._receiving_since is None:
            self._receiving_since = self._heard_at
        self._header_bytes += 0 if self._in_body else len(data)
        super().data_received(data)
        self._after_data()

    def _after_data(self) -> None:
        if self._receiving_since is None or self._refused_at is not None or self._is_answering():
            return
        self._all.waits(self)
        if not self._in_body and self._header_bytes > self._allowed.header_bytes:
            self.refuse(headers_too_large(self._allowed.header_bytes))

    def on_message_begin(self) -> None:
        """A request's first byte."""
        super().on_message_begin()
        if len(self.pipeline) >= MAX_AHEAD:
            self._stop_reading(too_many_requests_ahead(MAX_AHEAD))
        self._receiving_since, self._begun, self._counted_bytes = self._heard_at, True, 0

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header."""
        self._count(len(name) + len(value) + len(b": \r\n"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """All headers are there; the body's time begins."""
        self._in_body, self._body_bytes, self._header_bytes = True, 0, 0
        self._receiving_since = self._heard_at
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there; now it is the service that is waited for."""
        self._in_body, self._begun = False, False
        if self.cycle.response_complete:  # it was answered before its end: the next one may come
            self._receiving_since = self._heard_at
        else:
            self._receiving_since = None
            self._all.works(self)
        super().on_message_complete()

    def _count(self, size_bytes: int) -> None:
        self._counted_bytes += size_bytes
        if self._counted_bytes > self._allowed.header_bytes:
            self._stop_reading(headers_too_large(self._allowed.header_bytes))

    def _stop_reading(self, problem: Problem) -> None:
        """End the parser's work on what has come."""
        self._refusal = problem
        raise problem

    # -- what goes -----------------------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """An answer has been written; the next request may come."""
        super().on_response_complete()
        if not self._is_answering():
            self._all.waits(self)

    def pause_writing(self) -> None:
        """Whoever is connected does not read as fast as is written."""
        super().pause_writing()
        self._all.waits(self)

    def resume_writing(self) -> None:
        """They have read."""
        super().resume_writing()
        if self._is_answering():
            self._all.works(self)

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser does not take."""
        self.refuse(self._refusal or not_http())

    def refuse(self, problem: Problem) -> None:
        """Say why, unless another answer is on its way, and close; for a moment the sender may still send."""
        if self._refused_at is not None or self.transport.is_closing():
            return
        if self._is_answering() or (self._in_body and self.cycle.response_started):
            self.abort()
            return
        if self._in_body:
            self.cycle.disconnected = True  # for the route, which waits for the rest
            self.cycle.message_event.set()
        self._refused_at = time.monotonic()
        self.transport.write(as_response(problem))
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _is_answering(self) -> bool:
        """Whether a request is there as a whole, and not its answer."""
        going_on = bool(self.cycle) and not self.cycle.response_complete
        return bool(self.pipeline) or (going_on and not self._in_body)

    def abort(self) -> None:
        """Close at once, and let the system throw away what has not been read."""
        opened = self.transport.get_extra_info("socket")
        if opened is not None and opened.family != socket.AF_UNIX:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.transport.abort()

    # -- deadlines -----------------------------------------------------------------------------------------

    def look(self, now: float) -> None:
        """Close the connection where it is late."""
        if self._refused_at is not None:
            if now - self._refused_at > LINGER_S:
                self.abort()
        elif self._reads_too_slowly(now):
            self.abort()
        elif self._receiving_since is None:
            return
        elif self.flow.read_paused or self._is_answering():  # it is the service that is slow
            self._heard_at = self._receiving_since = now
        elif self._sends_too_slowly(now, self._receiving_since):
            self._close_late()

    def _close_late(self) -> None:
        if self._begun:
            self.refuse(request_too_slow())
        else:
            self.transport.close()

    def _sends_too_slowly(self, now: float, since: float) -> bool:
        if not self._in_body:
            return now - since > self._allowed.header_s
        allowed_s = 2 * self._allowed.body_s + self._body_bytes / BODY_BYTES_PER_S
        return now - self._heard_at > self._allowed.body_s or now - since > allowed_s

    def _reads_too_slowly(self, now: float) -> bool:
        unread_bytes = self.transport.get_write_buffer_size()
        if not unread_bytes:
            self._reading_since = None
        elif self._reading_since is None or unread_bytes <= self._unread_bytes - STEP_BYTES:
            self._reading_since, self._unread_bytes = now, unread_bytes
        return self._reading_since is not None and now - self._reading_since > self._allowed.write_s


def as_response(problem: Problem) -> bytes:
    """A problem document with its headers, for a request that no route has seen; the connection closes."""
    body = orjson.dumps(problem_document(problem))
    headers = {
        "content-type": "application/problem+json",
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "connection": "close",
        **SECURITY_HEADERS,
        **problem.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return STATUS_LINE[problem.status] + lines.encode() + b"\r\n" + body


def protocol(settings: Settings) -> type[asyncio.Protocol]:
    """What uvicorn makes connections with, all of which know one another."""
    deadlines = Deadlines(settings.header_s, settings.body_s, settings.write_s, settings.header_bytes)
    made = partial(Connection, connections=Connections(connection_limit(settings.connections), deadlines))
    return cast("type[asyncio.Protocol]", made)
