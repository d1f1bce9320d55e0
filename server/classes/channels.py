"""Events on their way to those who follow a class: each is written once, and sent to all as the same bytes.

A listener has no queue of its own, only the number of the last event that it was sent. It looks for newer
ones in the class's recent events, which all share; who was too slow for these reads them from the database.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable
from typing import Any

from server.classes.classroom import Event

RECENT = 256  # events of a class in memory


def written(seq: int, kind: str, data: dict[str, Any]) -> bytes:
    """An event as server-sent events have it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {seq}\nevent: {kind}\ndata: {text}\n\n".encode()


class Channel:
    """The recent events of one class, and who waits for the next."""

    def __init__(self) -> None:
        self.recent: deque[tuple[int, bytes]] = deque(maxlen=RECENT)
        self.listeners = 0
        self.ended = False
        self._news = asyncio.Event()

    def publish(self, events: Iterable[Event]) -> None:
        """Let all who wait have these."""
        for seq, kind, data in events:
            self.recent.append((seq, written(seq, kind, data)))
            self.ended = self.ended or kind == "ended"
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def wait(self) -> None:
        """Until something is published."""
        await self._news.wait()

    def after(self, seq: int) -> list[tuple[int, bytes]] | None:
        """The events after this number; None where some of them are no longer here, or came out of order."""
        newer = [event for event in self.recent if event[0] > seq]
        is_whole = [number for number, _ in newer] == list(range(seq + 1, seq + 1 + len(newer)))
        return newer if is_whole else None


class Channels:
    """A channel for each class that somebody follows."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}

    def open(self, code: str) -> Channel:
        """The channel of a class; each `open` needs a `leave`."""
        channel = self._channels.setdefault(code, Channel())
        channel.listeners += 1
        return channel

    @property
    def listeners(self) -> int:
        """How many there are of all classes."""
        return sum(channel.listeners for channel in self._channels.values())

    def leave(self, code: str, channel: Channel) -> None:
        """A listener has gone; with the last one, what it waited with."""
        channel.listeners -= 1
        if channel.listeners == 0 and self._channels.get(code) is channel:
            del self._channels[code]

    def publish(self, code: str, events: Iterable[Event]) -> None:
        """Send events to those who follow a class."""
        channel = self._channels.get(code)
        if channel is not None:
            channel.publish(events)

    def end(self, code: str, seq: int) -> None:
        """A class is over after the event of this number: who follows it hears so; nothing of it is left."""
        channel = self._channels.pop(code, None)
        if channel is not None:
            channel.recent.clear()
            channel.publish([(seq + 1, "ended", {})])
