"""Bytes to a response: a tag, a 304 where the reader has them already, gzip where the reader takes it.

Whoever takes no gzip is sent the text part by part as it is unpacked, at the pace at which it is read: it is
never in memory as a whole.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping

from fastapi import Response
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

GZIP = 31  # zlib's word for a gzip file
PART_BYTES = 256_000  # unpacked at a time, in a millisecond
LARGE_BYTES = 500_000  # more take long to hash
NO_HEADERS: Mapping[str, str] = {}


class PackedResponse(Response):
    """What `packed` is the gzip form of: sent as it is, or unpacked where the reader does not take gzip."""

    def __init__(self, packed: bytes, mime_type: str, headers: Mapping[str, str] = NO_HEADERS) -> None:
        said = {"cache-control": "no-cache", "vary": "accept-encoding", **headers}
        super().__init__(media_type=mime_type, headers=said)
        self._packed = packed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope)
        as_gzip = accepts_gzip(asked.get("accept-encoding", ""))
        tag = await self._tag(as_gzip)
        self.headers["etag"] = tag
        if is_known(tag, asked.get("if-none-match", "")):
            self.status_code = 304
            del self.headers["content-length"], self.headers["content-type"]
            await send(self._start())
            await send({"type": "http.response.body"})
            return
        if as_gzip:
            self.headers["content-encoding"] = "gzip"
        self.headers["content-length"] = str(len(self._packed) if as_gzip else unpacked_bytes(self._packed))
        await send(self._start())
        if scope.get("is_head"):
            await send({"type": "http.response.body"})
        elif as_gzip and len(self._packed) <= PART_BYTES:
            await send({"type": "http.response.body", "body": self._packed})
        else:
            await send_parts(sliced(self._packed) if as_gzip else unpacked(self._packed), send)

    def _start(self) -> Message:
        return {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}

    async def _tag(self, as_gzip: bool) -> str:
        """The entity tag; the text has the file's, marked, so that it need not be unpacked for that."""
        large = len(self._packed) > LARGE_BYTES
        tag = await asyncio.to_thread(tag_of, self._packed) if large else tag_of(self._packed)
        return tag if as_gzip else f'{tag[:-1]}-text"'


async def send_parts(parts: AsyncIterator[bytes], send: Send) -> None:
    """Send a body part by part; a part is taken when the one before it has gone."""
    held = await anext(parts, b"")
    async for part in parts:
        await send({"type": "http.response.body", "body": held, "more_body": True})
        held = part
    await send({"type": "http.response.body", "body": held})


async def sliced(packed: bytes) -> AsyncIterator[bytes]:
    """Bytes in parts, so that few of them wait for a slow reader."""
    for place in range(0, len(packed), PART_BYTES):
        yield packed[place : place + PART_BYTES]


async def unpacked(packed: bytes) -> AsyncIterator[bytes]:
    """The text of a gzip file in parts, beside the event loop but for the first one."""
    parts = unpacked_parts(packed)
    part = next(parts, None)
    while part is not None:
        yield part
        part = await asyncio.to_thread(next, parts, None)


def unpacked_parts(packed: bytes) -> Iterator[bytes]:
    """The text of a gzip file in parts."""
    unpacker = zlib.decompressobj(GZIP)
    for place in range(0, len(packed), PART_BYTES):
        rest = packed[place : place + PART_BYTES]
        while rest:
            if part := unpacker.decompress(rest, PART_BYTES):
                yield part
            rest = unpacker.unconsumed_tail
    if part := unpacker.flush():
        yield part


def unpacked_bytes(packed: bytes) -> int:
    """How long the text of a gzip file is: its last four bytes say so. Source: RFC 1952."""
    return int.from_bytes(packed[-4:], "little")


def tag_of(content: bytes) -> str:
    """The entity tag of bytes as they are sent."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def is_known(tag: str, known: str) -> bool:
    """Whether an `If-None-Match` header names the tag."""
    return tag in [each.strip().removeprefix("W/") for each in known.split(",")]


def accepts_gzip(offers: str) -> bool:
    """Whether a reader takes gzip, by its `Accept-Encoding` header."""
    for offer in offers.split(","):
        name, _, parameters = offer.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
