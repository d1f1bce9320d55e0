"""What a worker sends while it works: messages through a pipe of its own, few of them in memory at a time.

A worker whose reader is slow waits for it, up to a patience; one whose reader has gone hears of it when it
looks, and with its next message. Each message goes whole or not at all, so that a worker may be killed at any
moment.
"""

from __future__ import annotations

import asyncio
import os
import select
import struct
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

LENGTH = struct.Struct("!I")  # before each message: how many bytes it has
BUFFER_BYTES = 1_000_000  # asyncio stops reading at twice as many


class SlowReader(Exception):
    """Who reads a stream took too long over it."""


class Outlet:
    """The worker's end.

    Raises: OSError where the reader has gone, from the start or while something is sent.
    """

    def __init__(self, path: str, patience_s: float) -> None:
        self._pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        self._patience_s = patience_s
        self._reader = select.poll()
        self._reader.register(self._pipe, 0)  # nothing but that the other end is closed

    def send(self, message: bytes) -> None:
        """Give one message to the reader; raises SlowReader when all waits together exceed the patience."""
        rest = memoryview(LENGTH.pack(len(message)) + message)
        while rest:
            try:
                rest = rest[os.write(self._pipe, rest) :]
            except BlockingIOError:
                self._wait()

    def check(self) -> None:
        """Raise BrokenPipeError where the reader has gone."""
        if self._reader.poll(0):
            raise BrokenPipeError

    def close(self) -> None:
        """Nothing more comes."""
        os.close(self._pipe)

    def _wait(self) -> None:
        since = time.monotonic()
        ready = select.poll()
        ready.register(self._pipe, select.POLLOUT)
        ready.poll(max(0.0, self._patience_s) * 1000)
        self._patience_s -= time.monotonic() - since
        if self._patience_s <= 0:
            raise SlowReader


class Inlet:
    """The service's end: a pipe with a name, which the worker opens."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / uuid4().hex
        os.mkfifo(self.path, 0o600)
        self._reader = asyncio.StreamReader(limit=BUFFER_BYTES)
        self._transport: asyncio.ReadTransport | None = None
        self._held_open: int | None = None

    async def open(self) -> None:
        """Listen. Until `finish` the pipe has a writer of our own: a worker that has not come is no end."""
        pipe = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self._held_open = os.open(self.path, os.O_WRONLY)
        self._transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._reader), os.fdopen(pipe, "rb", buffering=0)
        )

    async def receive(self) -> bytes | None:
        """The next message; None after the last, be it that the worker ended or was ended."""
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            return await self._reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return None

    def finish(self) -> None:
        """The worker is done: what is in the pipe is the last."""
        if self._held_open is not None:
            os.close(self._held_open)
            self._held_open = None
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """The reader has gone."""
        self.finish()
        if self._transport is not None:
            self._transport.close()


class Stream:
    """One piece of work that sends messages, and whoever reads them; give it up with `close`."""

    def __init__(self, inlet: Inlet, work: asyncio.Task[Any], kill_after_s: float) -> None:
        self._inlet = inlet
        self._work = work
        self._kill_after_s = kill_after_s
        work.add_done_callback(self._done)

    async def receive(self) -> bytes | None:
        """The next message, None after the last; raises what the work ended with, if it was an error."""
        message = await self._inlet.receive()
        if message is None:
            await self.result()
        return message

    async def result(self) -> Any:
        """What the work returned; raises what it ended with, if it was an error."""
        return await asyncio.shield(self._work)

    def close(self) -> None:
        """End the work: its next message finds no reader; if it sends none, its worker is killed."""
        self._inlet.close()
        if not self._work.done():
            asyncio.get_running_loop().call_later(self._kill_after_s, self._work.cancel)

    def _done(self, work: asyncio.Task[Any]) -> None:
        self._inlet.finish()
        ignore_error(work)


def ignore_error(work: asyncio.Future[Any]) -> None:
    """Look at a result that perhaps has no reader any more, so that asyncio does not complain."""
    if not work.cancelled():
        work.exception()
