"""One piece of work for all who ask for the same meanwhile; when the last of them has gone, it is ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from server.workers.parts import Told
from server.workers.tasks import Answer


class Work:
    """An answer under way, and those who wait for it, each by what is called as parts of it are done."""

    def __init__(self, make: Callable[[Told], Awaitable[Answer]]) -> None:
        self.waiting: list[Told] = []
        self.task = asyncio.ensure_future(make(self.tell))

    def tell(self, done: int, parts: int) -> None:
        """So many parts are done, of how many."""
        for told in self.waiting:
            told(done, parts)


class Once:
    """What is being made, by key."""

    def __init__(self) -> None:
        self._under_way: dict[str, Work] = {}

    async def answer(self, key: str, make: Callable[[Told], Awaitable[Answer]], told: Told) -> Answer:
        """Make the answer, or wait for whoever makes it already.

        Whoever asked first may go away without taking the answer from the others.

        make: is given what to call as parts are done; told: is called then, as it is for all who wait.
        """
        work = self._under_way.get(key) or self._start(key, make)
        work.waiting.append(told)
        try:
            return await asyncio.shield(work.task)
        finally:
            work.waiting.remove(told)
            if not work.waiting and not work.task.done():
                self._forget(key, work)
                work.task.cancel()

    def _start(self, key: str, make: Callable[[Told], Awaitable[Answer]]) -> Work:
        work = self._under_way[key] = Work(make)
        work.task.add_done_callback(lambda _: self._forget(key, work))
        return work

    def _forget(self, key: str, work: Work) -> None:
        if self._under_way.get(key) is work:
            del self._under_way[key]
