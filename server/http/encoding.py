"""Bytes to a response: a tag, a 304 where the reader has them already, gzip where the reader takes it.

Whoever takes no gzip is sent the text part by part as it is unpacked, at the pace at which it is read: it is
never in memory as a whole.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass

from fastapi import Response
from starlette.types import Receive, Scope, Send

from server.http.headers import RawHeaders, header_of

GZIP = 31  # zlib's word for a gzip file
PART_BYTES = 256_000  # unpacked at a time, in a millisecond
LARGE_BYTES = 500_000  # more take long to hash
NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Head:
    """What is said before a body, where it is sent and where the reader has it."""

    tag: str
    of_200: RawHeaders
    of_304: RawHeaders


class PackedResponse(Response):
    """What `packed` is the gzip form of: sent as it is, or unpacked where the reader does not take gzip.

    It may be sent often: what is said before it is put together once.

    lasting: whether the same request has the same answer as long as the service runs.
    """

    def __init__(
        self, packed: bytes, mime_type: str, headers: Mapping[str, str] = NO_HEADERS, *, lasting: bool = False
    ) -> None:
        said = {"cache-control": "no-cache", "vary": "accept-encoding", **headers}
        super().__init__(media_type=mime_type, headers=said)
        self.lasting = lasting
        self._packed = packed
        self._heads: dict[bool, Head] = {}  # as gzip, and as text

    @property
    def size_bytes(self) -> int:
        """What it takes to keep it."""
        return len(self._packed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        as_gzip = accepts_gzip(header_of(scope, b"accept-encoding"))
        head = self._heads.get(as_gzip) or await self._prepare(as_gzip)
        if is_known(head.tag, header_of(scope, b"if-none-match")):
            await send({"type": "http.response.start", "status": 304, "headers": head.of_304})
            await send({"type": "http.response.body"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": head.of_200})
        if scope.get("is_head"):
            await send({"type": "http.response.body"})
        elif as_gzip and len(self._packed) <= PART_BYTES:
            await send({"type": "http.response.body", "body": self._packed})
        else:
            await send_parts(sliced(self._packed) if as_gzip else unpacked(self._packed), send)

    async def _prepare(self, as_gzip: bool) -> Head:
        """Put the head of one of both forms together; the text has the file's tag, marked."""
        large = len(self._packed) > LARGE_BYTES
        tag = await asyncio.to_thread(tag_of, self._packed) if large else tag_of(self._packed)
        tag = tag if as_gzip else f'{tag[:-1]}-text"'
        said = [each for each in self.raw_headers if each[0] != b"content-length"]
        said.append((b"etag", tag.encode()))
        coding = [(b"content-encoding", b"gzip")] if as_gzip else []
        length = len(self._packed) if as_gzip else unpacked_bytes(self._packed)
        head = self._heads[as_gzip] = Head(
            tag,
            of_200=[*said, *coding, (b"content-length", b"%d" % length)],
            of_304=[each for each in said if each[0] != b"content-type"],
        )
        return head


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
