"""How each listener of a class comes to hear of every event once, whichever replica it happened at.

What happens here is published at once, here and on the bus. Where replicas share a store, each looks once a
second at how far its classes are: what the bus has lost is then read from the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from sqlalchemy.exc import SQLAlchemyError

from server.classes import classroom
from server.classes.bus import Bus
from server.classes.channels import Channel, Channels, written
from server.classes.classroom import Event
from server.classes.refusals import UnknownCode
from server.store.database import Database

LOOK_S = 1.0  # between two looks at the store, and after one that failed

NO_CLASS = "*"  # in place of a code

Lines = list[tuple[int, bytes]]


class Following:
    """The listeners of all classes, and what reaches them.

    hear_aside: called with what other replicas send that is of no class.
    """

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus
        self._channels = Channels()
        self._reading: dict[tuple[str, int], asyncio.Task[Lines]] = {}
        self.hear_aside: Callable[[Sequence[Event]], None] = lambda events: None

    async def start(self) -> None:
        """Hear what happens at other replicas."""
        await self._bus.start(self._hear)

    async def stop(self) -> None:
        """Hear nothing more, and look for nothing."""
        for looking in [*self._reading.values()]:
            looking.cancel()
        await self._bus.stop()

    @property
    def is_joined(self) -> bool:
        """Whether other replicas hear at once of what happens here."""
        return self._bus.is_joined

    @property
    def listeners(self) -> int:
        """How many there are here, of all classes."""
        return self._channels.listeners

    def open(self, code: str) -> Channel:
        """The channel of a class; each `open` needs a `leave`."""
        return self._channels.open(code)

    def leave(self, code: str, channel: Channel) -> None:
        """A listener has gone."""
        self._channels.leave(code, channel)

    def close_all(self) -> None:
        """End every stream: the service stops, and listeners go on elsewhere."""
        self._channels.close_all()

    def publish(self, code: str, events: Sequence[Event]) -> None:
        """Send events, which are in the store, to those who follow a class at any replica."""
        self._channels.publish(code, events)
        if events:
            self._bus.publish(code, events)

    def send_aside(self, events: Sequence[Event]) -> None:
        """Send the other replicas what is of no class, and need not arrive."""
        self._bus.publish(NO_CLASS, events)

    def _hear(self, code: str, events: Sequence[Event]) -> None:
        if code == NO_CLASS:
            self.hear_aside(events)
        else:
            self._channels.publish(code, events)

    async def missed(self, code: str, after: int) -> Lines:
        """The events after a number, from the store, as they are sent; waits until the store is there.

        Listeners that have missed the same share one look.
        """
        place = code, after
        if place not in self._reading:
            self._reading[place] = asyncio.ensure_future(self._read_until_there(code, after))
            self._reading[place].add_done_callback(lambda _: self._reading.pop(place, None))
        return await asyncio.shield(self._reading[place])

    async def look_regularly(self) -> None:
        """Find in the store what the bus has not brought, again and again; for replicas that share it."""
        while self._database.is_shared or not self._bus.is_alone:
            await asyncio.sleep(LOOK_S)
            try:
                await self._look()
            except SQLAlchemyError:
                continue

    async def _look(self) -> None:
        followed = self._channels.codes()
        if not followed:
            return
        far = await self._database.read(lambda connection: classroom.last_numbers(connection, followed))
        for code in followed:
            if code in far:
                self._channels.note(code, far[code])
            else:
                self._channels.end(code)

    async def _read_until_there(self, code: str, after: int) -> Lines:
        while True:
            try:
                return await self._read(code, after)
            except SQLAlchemyError:
                await asyncio.sleep(LOOK_S)

    async def _read(self, code: str, after: int) -> Lines:
        try:
            _, found = await self._database.read(
                lambda connection: classroom.events_after(connection, code, after)
            )
        except UnknownCode:
            return [(after + 1, written(after + 1, "ended", {}))]
        return [(event[0], written(*event)) for event in found]
