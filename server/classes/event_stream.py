"""Server-sent events for one who follows a class: what was missed, then each event as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.classes.channels import Channel

HEARTBEAT_S = 3.0  # without an event; then a line that means nothing shows that the replica lives
RETRY = b"retry: 2000\n\n"  # milliseconds after which a browser comes back
BEAT = b": \n\n"

Missed = Callable[[int], Awaitable[list[tuple[int, bytes]]]]


class EventStream(Response):
    """Events of a channel from the one after `seq` on, until reader, class or service goes.

    missed: reads from the store what the channel no longer has, or never had.
    """

    media_type = "text/event-stream"

    def __init__(self, channel: Channel, seq: int, missed: Missed, leave: Callable[[], None]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._channel = channel
        self._seq = seq
        self._missed = missed
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            sending.cancel()
            leaving.cancel()
            self._leave()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.body", "body": RETRY, "more_body": True})
        newer = await self._missed(self._seq)
        while True:
            if newer:
                self._seq = newer[-1][0]
                body = b"".join(text for _, text in newer)
                await send({"type": "http.response.body", "body": body, "more_body": True})
            if self._channel.ended or self._channel.closed:
                return
            newer = await self._next(send)

    async def _next(self, send: Send) -> list[tuple[int, bytes]]:
        """The events that come next; a heartbeat while there are none."""
        while not (newer := self._channel.after(self._seq)) and not self._channel.closed:
            if newer is None:
                return await self._missed(self._seq)
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    await self._channel.wait()
            except TimeoutError:
                await send({"type": "http.response.body", "body": BEAT, "more_body": True})
        return newer or []


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
