"""Bytes to a response: a tag, a 304 where the reader has them already, gzip where the reader takes it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping

from fastapi import Request, Response


def respond(
    request: Request, packed: bytes, mime_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Send what `packed` is the gzip form of: as it is, or unpacked where the reader does not take gzip."""
    compressed = accepts_gzip(request.headers.get("accept-encoding", ""))
    content = packed if compressed else gzip.decompress(packed)
    tag = tag_of(content)
    all_headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding", **(headers or {})}
    if is_known(tag, request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=all_headers)
    if compressed:
        all_headers["content-encoding"] = "gzip"
    return Response(content, media_type=mime_type, headers=all_headers)


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
