"""A small HTTP client over plain sockets: it can send halves of requests, leave, and not read.

Each client may have a loopback address of its own (127.0.0.2 …), since the service shares its workers out by
address.
"""

from __future__ import annotations

import asyncio
import json
import socket
from dataclasses import dataclass
from typing import Any

NDJSON = "application/x-ndjson"


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


def request_bytes(method: str, path: str, body: Any = None, **headers: str) -> bytes:
    """A whole request."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} /api/v1{path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(content)}"]
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
