"""Worker processes: where people's programs run, each under limits that the kernel and a clock hold.

A worker that overruns is killed and replaced while its neighbours go on. Work that waits is bounded too:
beyond `Settings.pending` the service says that it is overloaded.
"""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import structlog
from pebble import ProcessExpired, ProcessFuture, ProcessPool
from pebble.pool.process import PoolManager

from engine.programs import ProgramRequest
from server.confinement import run_bounded, settle_in
from server.problems import overloaded
from server.settings import Settings
from server.sizes import AnswerTooLarge
from server.streams import Inlet, SlowReader, Stream
from server.tasks import answer_program, send_through

T = TypeVar("T")

log = structlog.get_logger("gradlens")

PRELOADED = ["server.confinement", "pebble"]  # whatever else a worker needs, each one loads again
TASKS_PER_WORKER = 1_000  # then a fresh one, in case something leaked
RETRY_AFTER_S = 2
POOLS = 5  # that may be lost one after the other before a piece of work is taken up
KILL_AFTER_S = 0.2  # what a worker whose reader has gone may take to notice
ENDED_BY = {-signal.SIGXCPU: "wall_time", -signal.SIGKILL: "memory"}  # exit codes of the kernel's doing


class CutShort(Exception):
    """A worker had to be stopped; `reason`: `wall_time`, `memory`, `worker_lost` or `slow_reader`."""

    def __init__(self, reason: str, *, killed: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.killed = killed  # from outside, so that another try may do better


class Workers:
    """A pool of killable processes with the engine loaded."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pool: ProcessPool | None = None
        self._pending = 0
        self._stopped = False
        self._pipes: TemporaryDirectory[str] | None = None

    async def start(self) -> None:
        """Start the workers and wait until one answers."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one program, one core
        await self.run(answer_program, ProgramRequest(source="y = exp(sin(x))"), self.settings.limits)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run `function(*arguments)` in a worker.

        Raises: CutShort if the worker was stopped, Problem if too many wait, or what `function` raised.
        """
        timeout_s = self.settings.limits.wall_s + self.settings.grace_s
        found: T = await self._scheduled(timeout_s, function, *arguments)
        return found

    async def stream(self, function: Callable[..., Any], *arguments: Any) -> Stream:
        """Start `function(outlet, *arguments)` in a worker, and read what it sends while it works.

        Raises: Problem if too many wait; reading raises CutShort, Problem or what `function` raised.
        """
        inlet = Inlet(self._folder_of_pipes())
        try:
            await inlet.open()
            patience_s = self.settings.patience_s
            timeout_s = self.settings.limits.wall_s + self.settings.grace_s + patience_s
            through = send_through, str(inlet.path), patience_s, function, *arguments
            work = asyncio.ensure_future(self._scheduled(timeout_s, *through))
        except BaseException:
            inlet.close()
            raise
        return Stream(inlet, work, KILL_AFTER_S)

    async def stop(self) -> None:
        """Stop every worker, whatever it is doing; from now on work is refused as if there were too much."""
        self._stopped = True
        await asyncio.to_thread(self._drop_pool)
        if self._pipes is not None:
            self._pipes.cleanup()

    @property
    def free(self) -> int:
        """How many workers have nothing to do."""
        return max(0, self.settings.workers - self._pending)

    @property
    def alive(self) -> bool:
        """Whether the pool takes work."""
        return self._pool is not None and bool(self._pool.active)

    def _scheduled(
        self, timeout_s: float, function: Callable[..., Any], *arguments: Any
    ) -> Coroutine[Any, Any, Any]:
        """Take a place in the line, at once. Returns: what is to be awaited for what the work returns."""
        if self._pending >= self.settings.pending:
            raise overloaded(RETRY_AFTER_S)

        def schedule() -> ProcessFuture[Any]:
            bounded = (function, math.ceil(timeout_s), *arguments)
            return self._live_pool().schedule(run_bounded, args=bounded, timeout=timeout_s)

        work = schedule()
        self._pending += 1
        return self._outcome(work, schedule)

    async def _outcome(self, work: ProcessFuture[Any], again: Callable[[], ProcessFuture[Any]]) -> Any:
        """What a piece of work returns; its worker's end as an error.

        again: schedules it in a new pool, where the pool was lost before a worker took it.
        """
        try:
            for _ in range(POOLS - 1):
                with suppress(BrokenExecutor):  # somebody killed a worker that had no work
                    return await asyncio.wrap_future(work)
                work = again()
            return await asyncio.wrap_future(work)
        except (TimeoutError, MemoryError, ProcessExpired, SlowReader) as error:
            log.warning("worker stopped", reason=reason_of(error), error=repr(error))
            raise CutShort(reason_of(error), killed=isinstance(error, ProcessExpired)) from None
        except BrokenExecutor:
            log.exception("worker pool lost")
            raise overloaded(RETRY_AFTER_S) from None
        finally:
            self._pending -= 1

    def _folder_of_pipes(self) -> Path:
        if self._pipes is None:
            self._pipes = TemporaryDirectory(prefix="gradlens-", ignore_cleanup_errors=True)
        return Path(self._pipes.name)

    def _live_pool(self) -> ProcessPool:
        if self._stopped:  # work that was going on is not to be taken up again
            raise overloaded(RETRY_AFTER_S)
        if not self.alive:
            self._drop_pool()
        if self._pool is None:
            self._pool = make_pool(self.settings)
        return self._pool

    def _drop_pool(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()
            pool.join()


class FairManager(PoolManager):
    """Stops a worker for the work that it is at, never for work that it has left a moment ago.

    A worker tells when it has done a piece of work and when it takes the next. While something that was told
    has not been heard, nobody is stopped: the next piece would be lost, and whoever waits for it would wait
    until its time is over. Meanwhile, the channel is locked, so that nothing more is told or taken.
    """

    def update_tasks(self) -> None:
        """Stop workers whose work took too long, or is wanted no more."""
        told, channel = self.worker_manager.pool_channel, self.worker_manager.workers_channel
        if told is None or channel is None:  # the pool is being stopped
            return
        with channel.lock(block=False) as locked:
            if locked and not told.poll(0):
                super().update_tasks()  # type: ignore[no-untyped-call]  # of the library


class FairPool(ProcessPool):
    """A pool with such a manager."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._pool_manager = FairManager(self._context, settings["context"])


def make_pool(settings: Settings) -> ProcessPool:
    """Workers forked from a clean process that has the engine loaded: no threads, no sockets of ours."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    resource_tracker.ensure_running()  # which would lift the block when it is started
    with deaf_to_interrupts():
        forkserver.ensure_running()
    return FairPool(
        max_workers=settings.workers,
        max_tasks=TASKS_PER_WORKER,
        initializer=settle_in,
        initargs=(settings.worker_memory_bytes,),
        context=context,
    )


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started within, and those that they fork, never hear of Ctrl-C; who hears of it ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def reason_of(error: BaseException) -> str:
    """Which limit stopped a worker."""
    if isinstance(error, AnswerTooLarge):
        return "answer_too_large"
    if isinstance(error, TimeoutError):
        return "wall_time"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, SlowReader):
        return "slow_reader"
    return ENDED_BY.get(error.exitcode, "worker_lost") if isinstance(error, ProcessExpired) else "worker_lost"
