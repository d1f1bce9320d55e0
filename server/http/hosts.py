"""Which names the service answers to.

A page elsewhere can give its own name this machine's address, and would then be allowed whatever the
service's own page is (DNS rebinding). So a browser that comes by an unknown name is sent away.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.headers import SECURITY_HEADERS
from server.http.problems import problem_response, unknown_host

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = frozenset({"0.0.0.0", "::", ""})

IsKnown = Callable[[str], bool]


class HostMiddleware:
    """ASGI middleware that answers for known names alone. HTTP/1.0 may leave the name out."""

    def __init__(self, app: ASGIApp, is_known: IsKnown) -> None:
        self.app = app
        self._knows = lru_cache(maxsize=256)(lambda host: is_known(without_port(host.decode("latin-1"))))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_welcome(scope):
            await self.app(scope, receive, send)
            return
        response = problem_response(unknown_host(Headers(scope=scope).get("host", "")))
        response.headers.update(SECURITY_HEADERS)
        await response(scope, receive, send)

    def _is_welcome(self, scope: Scope) -> bool:
        named = [value for name, value in scope["headers"] if name == b"host"]
        if not named:
            return bool(scope.get("http_version") == "1.0")
        return len(named) == 1 and self._knows(named[0])


def known_hosts(names: str, listens_on: str) -> IsKnown:
    """Whether a name is one of the service's.

    names:      those that the operator has set, with commas; where there are none and the service listens on
                every address, each address is known, and the machine's own name.
    listens_on: the address that it listens on.
    """
    listed = {name.strip().lower().strip("[]") for name in names.split(",") if name.strip()}
    everywhere = listens_on in EVERYWHERE
    own = {socket.gethostname().lower()} if everywhere and not listed else set()
    exact = LOOPBACK | listed | own | {f"{name}.local" for name in own} | {listens_on.lower()}
    endings = tuple(name.removeprefix("*") for name in listed if name.startswith("*."))

    def is_known(name: str) -> bool:
        named_by_address = everywhere and not listed and is_address(name)
        return "*" in listed or name in exact or name.endswith(endings or ("\0",)) or named_by_address

    return is_known


def without_port(host: str) -> str:
    """The name in a `Host` header, in lower case, an address without its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].removesuffix(".")


def is_address(name: str) -> bool:
    """Whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
