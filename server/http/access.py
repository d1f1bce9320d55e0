"""The key that a school may ask for: whoever has not got it reaches the page alone, which asks for it.

The service holds the key's hash alone, and compares hashes in a time that says nothing of them.
"""

from __future__ import annotations

import hashlib
import hmac

from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.headers import header_of
from server.http.problems import access_key_needed, problem_response

API = "/api/"
KEY_HEADER = b"gradlens-key"
OPEN = {
    f"{API}v1/{name}" for name in ("health", "ready", "metrics")
}  # for who looks after the service; the last has a list of its own


class AccessMiddleware:
    """ASGI middleware that answers questions to the REST interface only where they come with the key."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self.app = app
        self._hashed = hash_of(key)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_open(scope["path"]) or self._has_key(scope):
            await self.app(scope, receive, send)
            return
        await problem_response(access_key_needed())(scope, receive, send)

    def _has_key(self, scope: Scope) -> bool:
        """Whether the key comes in its own header, or as a bearer's token where that is no class's."""
        scheme, _, token = header_of(scope, b"authorization").partition(" ")
        given = header_of(scope, KEY_HEADER) or (token.strip() if scheme.lower() == "bearer" else "")
        return hmac.compare_digest(hash_of(given), self._hashed)


def is_open(path: str) -> bool:
    """Whether whoever comes may ask for this: for what is no question, or for how the service is."""
    return not path.startswith(API) or path in OPEN


def hash_of(key: str) -> bytes:
    """What is compared."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
