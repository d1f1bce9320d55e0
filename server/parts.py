"""The parts of a piece of work too long for one worker: side by side here, or at a Dask cluster.

A part whose worker is lost is computed once more, by another one. Parts are told apart by their place, so
that nothing is lost and nothing is there twice.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from server.workers import CutShort, Workers

T = TypeVar("T")
Told = Callable[[int, int], None]  # how many parts are done, of how many

TRIES = 3  # for a part; its worker may be lost by no fault of its own


def nobody(done: int, parts: int) -> None:
    """Nobody wants to know."""


class Parts:
    """Runs parts in the worker pool, half of it at most, or where `DASK_SCHEDULER` says."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._room = asyncio.Semaphore(max(1, workers.settings.workers // 2))

    async def results(
        self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]], told: Told = nobody
    ) -> list[T]:
        """`function` of each tuple of arguments, in their order.

        told:   called at the start, and as parts are done.
        Raises: CutShort where a part takes too long, or what `function` raised; the others are then ended,
                as they all are where nobody waits any more.
        """
        told(0, len(arguments))
        if self.workers.settings.dask_scheduler is not None:
            from server.dask_parts import results_at  # Dask is there only where somebody wants it

            stop, loop = threading.Event(), asyncio.get_running_loop()

            def tell(done: int, parts: int) -> None:
                loop.call_soon_threadsafe(told, done, parts)

            try:
                return await asyncio.to_thread(
                    results_at, self.workers.settings, function, arguments, tell, stop
                )
            finally:
                stop.set()
        done = 0

        async def one(part: tuple[Any, ...]) -> T:
            nonlocal done
            async with self._room:
                found = await self.tried(function, *part)
            done += 1
            told(done, len(arguments))
            return found

        parts = [asyncio.ensure_future(one(part)) for part in arguments]
        try:
            return list(await asyncio.gather(*parts))
        finally:
            for part in parts:
                part.cancel()

    async def tried(self, function: Callable[..., T], *part: Any) -> T:
        """`function(*part)` in a worker, and in another one where that is lost; raises CutShort."""
        for turn in range(TRIES):
            try:
                return await self.workers.run(function, *part)
            except CutShort as cut:
                if not cut.killed or turn == TRIES - 1:
                    raise
        raise AssertionError("unreachable")  # the last turn returns or raises
