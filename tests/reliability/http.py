"""A small HTTP client over plain sockets: quick, and it can send halves of requests, leave, and not read.

Each client may have a loopback address of its own (127.0.0.2 …), since the service shares its workers out by
address.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
from dataclasses import dataclass
from typing import Any, cast

API = "/api/v1"
NDJSON = "application/x-ndjson"
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Target:
    """Where the service listens, and the loopback address that is asked from."""

    port: int
    source: str = "127.0.0.1"

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection of its own."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))

    def connect_without_reading(self) -> socket.socket:
        """A connection whose small buffer is never read."""
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.bind((self.source, 0))
        connection.connect(("127.0.0.1", self.port))
        return connection


def request_bytes(method: str, path: str, body: Any = None, *, base: str = API, **headers: str) -> bytes:
    """A whole request, of the REST interface where no other base is named."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {base}{path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"Content-Length: {len(content)}"]
    lines += ["Content-Type: application/json"] if content else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


async def ask(target: Target, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
    """One request on a connection of its own. Returns: the status and the body."""
    reader, writer = await target.connect()
    try:
        writer.write(request_bytes(method, path, body, connection="close", **headers))
        answer = await reader.read()
    finally:
        writer.close()
    head, _, content = answer.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head else 0), content


async def leave_after(seconds: float, target: Target, request: bytes) -> None:
    """Send a request, and go away before the answer is there."""
    _, writer = await target.connect()
    writer.write(request)
    await writer.drain()
    await asyncio.sleep(seconds)
    writer.close()


class Connection(asyncio.Protocol):
    """One connection on which one request after the other is answered."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._transport: asyncio.Transport | None = None
        self._come = bytearray()
        self._awaited: asyncio.Future[tuple[int, bytes, bytes]] | None = None

    @classmethod
    async def open(cls, target: Target) -> Connection:
        """Connect."""
        connection = cls(target)
        await connection._connect()
        return connection

    async def _connect(self) -> None:
        loop, target = asyncio.get_running_loop(), self._target
        self._come.clear()
        await loop.create_connection(lambda: self, "127.0.0.1", target.port, local_addr=(target.source, 0))

    async def ask(self, request: bytes) -> tuple[int, bytes, bytes]:
        """Send a request, on a new connection where this one was closed meanwhile.

        Returns: the status, the head and the body; status 0 where there is no answer.
        """
        if self._transport is None:
            await self._connect()
        self._awaited = asyncio.get_running_loop().create_future()
        cast("asyncio.Transport", self._transport).write(request)
        return await self._awaited

    def close(self) -> None:
        """Leave."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, _: Exception | None) -> None:
        """Whoever waits has no answer."""
        self._transport = None
        self._give(0, b"", b"")

    def data_received(self, data: bytes) -> None:
        """A part of an answer."""
        self._come += data
        end = self._come.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._come[:end])
        length = LENGTH.search(head)
        whole = end + 4 + (int(length[1]) if length else 0)
        if len(self._come) >= whole:
            body = bytes(self._come[end + 4 : whole])
            del self._come[:whole]
            self._give(int(head[9:12]), head, body)

    def _give(self, status: int, head: bytes, body: bytes) -> None:
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result((status, head, body))
