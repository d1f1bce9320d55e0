"""Single flight: one piece of work for all who ask for the same meanwhile; it ends when the last has left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from server.serialization.answer import Answer
from server.workers.parts import Progress

Make = Callable[[Progress], Awaitable[Answer]]  # given what to call as the work goes on


class Flight:
    """An answer under way, and those who wait for it, each by its progress callback, if it has one."""

    def __init__(self, make: Make) -> None:
        self.waiting: list[Progress | None] = []
        self._reported: list[Mapping[str, Any]] = []
        self.task = asyncio.ensure_future(make(self.progress))

    def join(self, progress: Progress | None) -> None:
        """One more waits, and hears what was reported so far."""
        self.waiting.append(progress)
        if progress is not None:
            for report in self._reported:
                progress(report)

    def progress(self, report: Mapping[str, Any]) -> None:
        """Report to all who wait how far the work is."""
        self._reported.append(report)
        for progress in self.waiting:
            if progress is not None:
                progress(report)


class SingleFlight:
    """What is being made, by key."""

    def __init__(self) -> None:
        self._under_way: dict[str, Flight] = {}

    async def answer(self, key: str, make: Make, progress: Progress | None = None) -> Answer:
        """Make the answer, or wait for whoever makes it already.

        Whoever asked first may go away without taking the answer from the others.
        """
        flight = self._under_way.get(key) or self._start(key, make)
        flight.join(progress)
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting.remove(progress)
            if not flight.waiting and not flight.task.done():
                self._forget(key, flight)
                flight.task.cancel()

    def _start(self, key: str, make: Make) -> Flight:
        flight = self._under_way[key] = Flight(make)
        flight.task.add_done_callback(lambda _: self._forget(key, flight))
        return flight

    def _forget(self, key: str, flight: Flight) -> None:
        if self._under_way.get(key) is flight:
            del self._under_way[key]
