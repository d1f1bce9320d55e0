"""Bytes to a response: a tag, a 304 where the reader has them already, gzip where the reader takes it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping

from fastapi import Request, Response


def respond(
    request: Request, body: bytes, packed: bytes, mime_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Send `body`, or `packed` (its gzip form) where the reader takes that.

    Either form may be empty, when only the other is at hand; the tag is of the form that is sent.
    """
    compressed = bool(packed) and accepts_gzip(request)
    content = packed if compressed else body or gzip.decompress(packed)
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    all_headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding", **(headers or {})}
    if tag in [
        known.strip().removeprefix("W/") for known in request.headers.get("if-none-match", "").split(",")
    ]:
        return Response(status_code=304, headers=all_headers)
    if compressed:
        all_headers["content-encoding"] = "gzip"
    return Response(content, media_type=mime_type, headers=all_headers)


def accepts_gzip(request: Request) -> bool:
    """Whether the reader takes gzip, by its `Accept-Encoding` header."""
    for offer in request.headers.get("accept-encoding", "").split(","):
        name, _, parameters = offer.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
