"""Requests that were answered before: the same bytes are sent the same answer, before any routing.

A class that opens one example sends the same few requests sixty times. Their answers follow from their
content, so that nothing has to be looked up twice: not the route, nor the JSON, nor the program's id.
"""

from __future__ import annotations

import hashlib
from functools import partial

from cachetools import LRUCache
from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.body_middleware import SMALL_BYTES, replay
from server.http.encoding import PackedResponse
from server.http.headers import header_of

REMEMBER = "gradlens.remember"  # of a request: what is called with its answer where that lasts


class Repeats:
    """ASGI middleware, within the one that reads bodies: knows so many bytes of answers by their requests."""

    def __init__(self, app: ASGIApp, limit_bytes: int) -> None:
        self.app = app
        self._known: LRUCache[bytes, PackedResponse] = LRUCache(
            limit_bytes, getsizeof=lambda response: response.size_bytes
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = bytearray((await receive())["body"])
        if len(body) <= SMALL_BYTES:
            request = digest_of(scope, body)
            if (known := self._known.get(request)) is not None:
                scope["is_known"] = True
                await known(scope, receive, send)
                return
            scope[REMEMBER] = partial(self._remember, request)
        await self.app(scope, replay(body, receive), send)

    def _remember(self, request: bytes, response: PackedResponse) -> None:
        if response.size_bytes <= self._known.maxsize:
            self._known[request] = response


def digest_of(scope: Scope, body: bytearray) -> bytes:
    """A hash of all of a request that its answer follows from; no line break can stand before the body."""
    accept = header_of(scope, b"accept").encode("latin-1")
    asked = (scope["method"].encode(), scope["raw_path"], scope["query_string"], accept, body)
    return hashlib.sha256(b"\n".join(asked)).digest()


def remembered(scope: Scope, response: PackedResponse) -> PackedResponse:
    """The response, which the next one who asks the same is sent where it lasts."""
    remember = scope.get(REMEMBER)
    if response.lasting and remember is not None:
        remember(response)
    return response
