"""Events on their way to those who follow a class: each is written once, and sent to all as the same bytes.

A listener has no queue of its own, only the number of the last event that it was sent. It looks for newer
ones in the class's recent events, which all share; who was too slow for these reads them from the store.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from server.classes.classroom import Event

RECENT = 256  # events of a class in memory


def written(seq: int, kind: str, data: dict[str, Any]) -> bytes:
    """An event as server-sent events have it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {seq}\nevent: {kind}\ndata: {text}\n\n".encode()


class Channel:
    """The recent events of one class, and who waits for the next.

    newest: the highest number that is known of; events up to it are in the store, if not here.
    """

    def __init__(self) -> None:
        self.recent: deque[tuple[int, bytes]] = deque(maxlen=RECENT)
        self.listeners = 0
        self.newest = 0
        self.ended = False
        self.closed = False
        self._news = asyncio.Event()

    def publish(self, events: Iterable[Event]) -> None:
        """Let all who wait have these; what has been published before is left out."""
        for seq, kind, data in events:
            if not self.recent or seq > self.recent[-1][0]:
                self.recent.append((seq, written(seq, kind, data)))
                self.newest = max(self.newest, seq)
        self._wake()

    def note(self, newest: int) -> None:
        """There are events up to this number; who has not had them reads them from the store."""
        if newest > self.newest:
            self.newest = newest
            self._wake()

    def end(self) -> None:
        """The class is over, and nothing of it is left."""
        self.recent.clear()
        self.ended = True
        self._wake()

    def close(self) -> None:
        """Let all go who listen here."""
        self.closed = True
        self._wake()

    async def wait(self) -> None:
        """Until something is published."""
        await self._news.wait()

    def after(self, seq: int) -> list[tuple[int, bytes]] | None:
        """The events after this number; None where some of them are not here, but in the store."""
        if self.ended:
            return [(seq + 1, written(seq + 1, "ended", {}))]
        newer = [event for event in self.recent if event[0] > seq]
        reaches = newer[-1][0] if newer else seq
        is_whole = reaches >= self.newest and reaches - seq == len(newer)
        return newer if is_whole else None

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


class Channels:
    """A channel for each class that somebody follows."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}

    def codes(self) -> list[str]:
        """The classes that somebody follows."""
        return list(self._channels)

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

    def publish(self, code: str, events: Sequence[Event]) -> None:
        """Send events to those who follow a class."""
        if any(kind == "ended" for _, kind, _ in events):
            self.end(code)
        elif code in self._channels:
            self._channels[code].publish(events)

    def note(self, code: str, newest: int) -> None:
        """A class has events up to this number."""
        if code in self._channels:
            self._channels[code].note(newest)

    def end(self, code: str) -> None:
        """A class is over: who follows it hears so."""
        channel = self._channels.pop(code, None)
        if channel is not None:
            channel.end()

    def close_all(self) -> None:
        """Let all go who listen, to any class."""
        for channel in self._channels.values():
            channel.close()
