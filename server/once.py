"""One piece of work for all who ask for the same meanwhile; when the last of them has gone, it is ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from server.tasks import Answer


@dataclass(slots=True)
class Work:
    """An answer under way, and how many wait for it."""

    task: asyncio.Task[Answer]
    waiting: int = 0


class Once:
    """What is being made, by key."""

    def __init__(self) -> None:
        self._under_way: dict[str, Work] = {}

    async def answer(self, key: str, make: Callable[[], Awaitable[Answer]]) -> Answer:
        """Make the answer, or wait for whoever makes it already.

        Whoever asked first may go away without taking the answer from the others.
        """
        work = self._under_way.get(key) or self._start(key, make)
        work.waiting += 1
        try:
            return await asyncio.shield(work.task)
        finally:
            work.waiting -= 1
            if not work.waiting and not work.task.done():
                self._forget(key, work)
                work.task.cancel()

    def _start(self, key: str, make: Callable[[], Awaitable[Answer]]) -> Work:
        work = self._under_way[key] = Work(asyncio.ensure_future(make()))
        work.task.add_done_callback(lambda _: self._forget(key, work))
        return work

    def _forget(self, key: str, work: Work) -> None:
        if self._under_way.get(key) is work:
            del self._under_way[key]
