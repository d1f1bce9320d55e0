"""`gradlens serve`: listen first, so that a busy port is reported at once, then start, then say so."""

from __future__ import annotations

import errno
import gc
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError

from server.app import create_app
from server.http.connections import protocol
from server.http.open_connections import BACKLOG
from server.logs import set_up_service_logs
from server.settings import Settings, UnusableAddress
from server.workers.memory_limits import available_memory, fitted, what_was_lowered

OBJECTS_PER_COLLECTION = 50_000
SECRETS = ("ACCESS_KEY",)  # which no terminal shows
SHUTDOWN_S = 8  # longer than a program of a class may run; what comes after it is done in two more


Announce = Callable[[FastAPI, str], Awaitable[None]]


async def announce_ready(app: FastAPI, address: str) -> None:
    """Print the address for the person who is waiting."""
    print(f"Gradlens is ready: {address}", flush=True)


class AnnouncingServer(uvicorn.Server):
    """A server that announces its address once it accepts connections.

    leaving: called when it stops, before it waits for what is under way.
    """

    def __init__(
        self, config: uvicorn.Config, app: FastAPI, announce: Announce, leaving: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._app = app
        self._announce = announce
        self._leaving = leaving

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let those go who listen to a class: they go on at another replica, or here when it is back."""
        self._leaving()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and announce that."""
        await super().startup(sockets)
        if self.started and sockets:
            await self._announce(self._app, address_of(sockets[0]))


def serve(host: str, port: int, announce: Announce = announce_ready) -> int:
    """Serve the page and the REST interface until interrupted; returns the exit code."""
    try:
        settings = Settings()
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        listener = listen(host, port)
    except ValidationError as error:
        print(what_is_set_wrong(error), file=sys.stderr)
        return 1
    except OSError as error:
        print(why_not_starting(error, host, port), file=sys.stderr)
        return 1
    settings = within_memory(settings)
    set_up_service_logs()
    try:
        app = create_app(settings, host)
    except UnusableAddress as error:
        listener.close()
        print(error, file=sys.stderr)
        return 1
    config = uvicorn.Config(
        app,
        http=protocol(settings),
        ws="none",
        proxy_headers=False,  # the application knows which proxies are trusted
        backlog=BACKLOG,
        log_level="warning",
        access_log=False,
        server_header=False,
        log_config=None,  # ours holds for all
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    server = AnnouncingServer(config, app, announce, app.state.classes.following.close_all)
    rest_collector()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    return 0 if server.started else 1


def within_memory(wanted: Settings) -> Settings:
    """The settings with which all workers fit into memory; says so where those are not what was wanted."""
    available_bytes = available_memory()
    settings = fitted(wanted, available_bytes)
    if line := what_was_lowered(wanted, settings, available_bytes):
        print(line, file=sys.stderr, flush=True)
    return settings


def rest_collector() -> None:
    """Look for garbage among new objects only, and seldom: a look at all of them holds up every request."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(OBJECTS_PER_COLLECTION)


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; raises OSError where the address is taken or not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def address_of(listener: socket.socket) -> str:
    """The address to open in a browser; a socket on every interface is reached through this host."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{host}:{port}"


def what_is_set_wrong(error: ValidationError) -> str:
    """Each environment variable that does not make sense, with what it should be."""
    mistakes = [
        ("__".join(map(str, item["loc"])).upper(), item["msg"], item["input"]) for item in error.errors()
    ]
    return "\n".join(
        f"GRADLENS_{name} is {'no key' if name in SECRETS else repr(value)}. {message}."
        for name, message, value in mistakes
    )


def why_not_starting(error: OSError, host: str, port: int) -> str:
    """What is in the way, and what to try."""
    if error.filename:
        return f"Cannot keep results in {error.filename}: {error.strerror}. Set GRADLENS_DATA_DIR."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use. Stop what uses it, or choose another: PORT={port + 1}."
    if error.errno == errno.EACCES:
        return f"Port {port} on {host} needs special rights. Choose one from 1024 on, such as PORT=8000."
    return f"Cannot listen on {host}, port {port}: {error.strerror}. Try HOST=127.0.0.1."
