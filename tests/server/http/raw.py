"""Connections that send what no client would, byte by byte."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import httpx

PATIENCE_S = 20.0  # far beyond every deadline, so that a test which waits so long has failed


class Raw:
    """One connection to a service."""

    def __init__(self, client: httpx.Client, receive_bytes: int = 0) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_S)
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.connect((client.base_url.host, client.base_url.port))

    def send(self, data: bytes) -> None:
        """Send it, unless the other side has closed meanwhile."""
        with suppress(ConnectionError):
            self.socket.sendall(data)

    def read_to_end(self) -> bytes:
        """All that comes until the other side closes."""
        found = bytearray()
        with suppress(ConnectionError):
            while part := self.socket.recv(1 << 16):
                found += part
        return bytes(found)

    def read_some(self, size_bytes: int) -> bytes:
        """At least so many bytes, or all that come until the other side closes."""
        found = bytearray()
        while len(found) < size_bytes and (part := self.socket.recv(1 << 16)):
            found += part
        return bytes(found)

    def close(self) -> None:
        """Go."""
        self.socket.close()


@contextmanager
def connected(client: httpx.Client, count: int = 1, receive_bytes: int = 0) -> Iterator[list[Raw]]:
    """So many connections, closed at the end."""
    with ExitStack() as stack:
        made = []
        for _ in range(count):
            one = Raw(client, receive_bytes)
            stack.callback(one.close)
            made.append(one)
        yield made


def head(client: httpx.Client, method: str, path: str, *headers: str) -> bytes:
    """A request's first line and headers, but for the empty line after them."""
    host = f"{client.base_url.host}:{client.base_url.port}"
    lines = [f"{method} /api/v1{path} HTTP/1.1", f"Host: {host}", *headers]
    return "".join(f"{line}\r\n" for line in lines).encode()
