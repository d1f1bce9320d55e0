"""Who asks: a network address and, behind one address, each browser by a random tag of its own."""

from __future__ import annotations

import ipaddress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.headers import header_of

TAG_HEADER = b"gradlens-browser"
TAG_CHARACTERS = 64  # of a longer tag the beginning counts


@dataclass(frozen=True, slots=True)
class Client:
    """One of those between whom the workers are shared out.

    address: the network address; the service's own work, and tests, have none.
    tag:     distinguishes the browsers behind one address; a class token stands for itself.
    """

    address: str = ""
    tag: str = ""


SERVICE = Client()
_current: ContextVar[Client] = ContextVar("client")


def current_client() -> Client:
    """The client whose request is being answered; the service itself where there is none."""
    return _current.get(SERVICE)


class ClientMiddleware:
    """ASGI middleware: a request's client is known while it is answered, also in tasks begun meanwhile."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            _current.set(client_of(scope))  # the server answers each request in a context of its own
        await self.app(scope, receive, send)


def client_of(scope: Scope) -> Client:
    """The client that a request comes from."""
    address, _ = scope.get("client") or ("", 0)
    scheme, _, token = header_of(scope, b"authorization").partition(" ")
    tag = token.strip() if scheme.lower() == "bearer" else header_of(scope, TAG_HEADER)
    return Client(place_of(address), tag[:TAG_CHARACTERS])


@lru_cache(maxsize=1_024)
def place_of(address: str) -> str:
    """What an address stands for: in IPv6 its network of 2^64, all of which one household is given."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found.packed, 64), strict=False).network_address)
