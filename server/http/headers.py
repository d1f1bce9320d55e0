"""Headers on every response: what a browser may load, and how long the service took."""

from __future__ import annotations

import time
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send


def content_security_policy(script_hashes: Iterable[str] = (), framed_by: str = "'self'") -> str:
    """Everything from this host and nothing else; of inline scripts only those whose hash is listed.

    framed_by: whose pages may show this one in a frame; "*" for anybody's.

    Styles may be inline: the editor and the formulas set them from script, and no text that a person
    typed ever becomes markup.
    """
    rules = {
        "default-src": ["'none'"],
        "script-src": ["'self'", *script_hashes],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'"],
        "manifest-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": [framed_by],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in rules.items())


SECURITY_HEADERS = {
    "content-security-policy": content_security_policy(),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
RawHeaders = list[tuple[bytes, bytes]]
RAW_SECURITY_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


def header_of(scope: Scope, name: bytes) -> str:
    """A header of a request, by its name in lower case; empty where it has none of it."""
    for each, value in scope["headers"]:
        if each == name:
            text: str = value.decode("latin-1")
            return text
    return ""


class Headers:
    """ASGI middleware that adds the security headers and `Server-Timing` to each response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = with_ours(message["headers"], time.perf_counter() - start)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def with_ours(headers: Iterable[tuple[bytes, bytes]], seconds: float) -> RawHeaders:
    """A response's headers, with the security headers that it has not got, and the service time."""
    said = list(headers)
    names = {name for name, _ in said}
    said += [each for each in RAW_SECURITY_HEADERS if each[0] not in names]
    said.append((b"server-timing", b"service;dur=%.1f" % (seconds * 1000)))
    return said
