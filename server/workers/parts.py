"""The parts of a piece of work too long for one worker: side by side here, or at a Dask cluster.

A part whose worker is lost is computed once more, by another one; those that a cluster leaves undone when its
scheduler or all its workers are lost, by the workers here. Each part is known by its place, so that
nothing is lost and nothing is there twice.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import structlog

from server.workers.workers import CutShort, Workers

T = TypeVar("T")
Progress = Callable[[Mapping[str, Any]], None]  # what a line reports of work under way

log = structlog.get_logger("gradlens")

TRIES = 3  # for a part; its worker may be lost by no fault of its own


class Parts:
    """Runs parts in the worker pool, or where `DASK_SCHEDULER` says."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers

    async def results(
        self,
        function: Callable[..., T],
        arguments: Sequence[tuple[Any, ...]],
        progress: Progress = lambda report: None,
        arrived: Callable[[int, T], None] = lambda place, result: None,
    ) -> list[T]:
        """`function` of each tuple of arguments, in their order.

        progress: called at the start, and as parts are done.
        arrived:  called with each part's place and result as it is done, in any order; with those of a
                  cluster when it has done all.
        Raises:   CutShort where a part takes too long, or what `function` raised; the others are then
                  ended, as they all are when the caller stops waiting.
        """
        progress(parts_done(0, len(arguments)))
        found: dict[int, T] = {}
        if self.workers.settings.dask_scheduler is not None:
            found = await self._at_cluster(function, arguments, progress)
            for place, result in found.items():
                arrived(place, result)

        room = asyncio.Semaphore(max(1, self.workers.settings.workers // 2))  # no more would run at a time

        async def one(place: int) -> None:
            async with room:
                found[place] = await self.tried(function, *arguments[place])
            arrived(place, found[place])
            progress(parts_done(len(found), len(arguments)))

        parts = [asyncio.ensure_future(one(place)) for place in range(len(arguments)) if place not in found]
        try:
            await asyncio.gather(*parts)
        finally:
            for part in parts:
                part.cancel()
        return [found[place] for place in range(len(arguments))]

    async def _at_cluster(
        self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]], progress: Progress
    ) -> dict[int, T]:
        """The results that the cluster gives, by place; not all where it or its workers are lost."""
        from server.workers.dask_parts import results_at  # Dask is there only where somebody wants it

        settings, stop, loop = self.workers.settings, threading.Event(), asyncio.get_running_loop()

        def report(done: int, parts: int) -> None:
            loop.call_soon_threadsafe(progress, parts_done(done, parts))

        try:
            found = await asyncio.to_thread(results_at, settings, function, arguments, report, stop)
        finally:
            stop.set()
        if len(found) < len(arguments):
            left = len(arguments) - len(found)
            log.warning("the Dask cluster or its workers are lost; its parts are computed here", parts=left)
        return found

    async def tried(self, function: Callable[..., T], *part: Any) -> T:
        """`function(*part)` in a worker, and in another one where that is lost; raises CutShort."""
        for _ in range(TRIES - 1):
            try:
                return await self.workers.run(function, *part)
            except CutShort as cut:
                if not cut.killed:
                    raise
        return await self.workers.run(function, *part)


def parts_done(done: int, parts: int) -> Mapping[str, Any]:
    """What a line reports of work in parts."""
    return {"done": done, "parts": parts}
