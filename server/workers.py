"""Worker processes: where people's programs run, each under limits that the kernel and a clock hold.

A worker that overruns is killed and replaced while its neighbours go on. Work that waits is bounded too:
beyond `Settings.pending` the service says that it is overloaded.
"""

from __future__ import annotations

import asyncio
import gc
import math
import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any

import structlog
from pebble import ProcessExpired, ProcessPool

from engine.programs import ProgramRequest
from server.problems import overloaded
from server.settings import Settings
from server.tasks import Answer, answer_program, run_bounded

log = structlog.get_logger("gradlens")

NICENESS = 5  # people's programs yield to the event loop
TASKS_PER_WORKER = 1_000  # then a fresh one, in case something leaked
OBJECTS_PER_COLLECTION = 100_000
RETRY_AFTER_S = 2
ENDED_BY = {-signal.SIGXCPU: "wall_time", -signal.SIGKILL: "memory"}  # exit codes of the kernel's doing


class CutShort(Exception):
    """A worker had to be stopped; `reason` says why: `wall_time`, `memory` or `worker_lost`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Workers:
    """A pool of killable processes with the engine loaded."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pool: ProcessPool | None = None
        self._pending = 0

    async def start(self) -> None:
        """Start the workers and wait until one answers."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one program, one core
        await self.run(answer_program, ProgramRequest(source="y = exp(sin(x))"), self.settings.limits)

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run `function(*arguments)` in a worker.

        Raises: CutShort if the worker was stopped, Problem if too many wait, or what `function` raised.
        """
        if self._pending >= self.settings.pending:
            raise overloaded(RETRY_AFTER_S)
        self._pending += 1
        try:
            return await self._schedule(function, *arguments)
        except (TimeoutError, MemoryError, ProcessExpired) as error:
            log.warning("worker stopped", reason=reason_of(error), error=repr(error))
            raise CutShort(reason_of(error)) from None
        except BrokenExecutor:  # somebody killed an idle worker; the next request starts a new pool
            log.exception("worker pool lost")
            raise overloaded(RETRY_AFTER_S) from None
        finally:
            self._pending -= 1

    async def stop(self) -> None:
        """Stop every worker, whatever it is doing."""
        await asyncio.to_thread(self._drop_pool)

    @property
    def alive(self) -> bool:
        """Whether the pool takes work."""
        return self._pool is not None and bool(self._pool.active)

    async def _schedule(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        timeout_s = self.settings.limits.wall_s + self.settings.grace_s
        bounded = (function, math.ceil(timeout_s), *arguments)
        future = self._live_pool().schedule(run_bounded, args=bounded, timeout=timeout_s)
        return await asyncio.wrap_future(future)

    def _live_pool(self) -> ProcessPool:
        if not self.alive:
            self._drop_pool()
        if self._pool is None:
            self._pool = make_pool(self.settings)
        return self._pool

    def _drop_pool(self) -> None:
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()
            self._pool = None


def make_pool(settings: Settings) -> ProcessPool:
    """Workers forked from a clean process that has the engine loaded: no threads, no sockets of ours."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["server.tasks"])
    return ProcessPool(
        max_workers=settings.workers,
        max_tasks=TASKS_PER_WORKER,
        initializer=settle_in,
        initargs=(settings.worker_memory_bytes,),
        context=context,
    )


def settle_in(memory_bytes: int) -> None:
    """Give up, in a new worker, what a person's program must not have: memory, files, priority."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends at once, even inside a long call into C
    if sys.platform != "darwin":  # macOS has the constant and refuses the limit
        lower(resource.RLIMIT_AS, memory_bytes)
    lower(resource.RLIMIT_FSIZE, 0)
    lower(resource.RLIMIT_CORE, 0)
    os.nice(NICENESS)
    gc.freeze()  # the engine itself is never garbage
    gc.set_threshold(OBJECTS_PER_COLLECTION)  # building a graph makes many objects and no garbage


def lower(limit: int, value: int) -> None:
    """Set a kernel limit for good, or keep it where it is lower already."""
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


def reason_of(error: BaseException) -> str:
    """Which limit stopped a worker."""
    if isinstance(error, TimeoutError):
        return "wall_time"
    if isinstance(error, MemoryError):
        return "memory"
    return ENDED_BY.get(error.exitcode, "worker_lost") if isinstance(error, ProcessExpired) else "worker_lost"
