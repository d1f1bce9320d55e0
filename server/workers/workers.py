"""Worker processes: where people's programs run, each under limits that the kernel and a clock hold.

A worker that overruns is killed and replaced while its neighbours go on. Work waits in a fair queue
(`fair_queue.py`); beyond `Settings.pending` pieces of it the service says that it is overloaded.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import structlog
from pebble import ProcessExpired, ProcessFuture

from engine.languages.interpreter.budget import PAUSES
from engine.programs import ProgramRequest
from server.http.clients import current_client
from server.http.problems import overloaded
from server.sandbox.sandbox import missing_parts
from server.serialization.bounded_json import AnswerTooLarge
from server.settings import Settings
from server.workers.durations import Durations, reads_as_short
from server.workers.fair_queue import FairQueue, Full, Turn
from server.workers.pipes import PipeFolder, remove_left_folders
from server.workers.pool import FairPool, make_pool
from server.workers.streams import Inlet, SlowReader, Stream, ignore_error
from server.workers.tasks import (
    answer_code,
    answer_graph,
    answer_lesson,
    answer_program,
    answer_tensor,
    send_through,
    stream_program,
)
from server.workers.worker_process import Finished, run_bounded

T = TypeVar("T")

log = structlog.get_logger("gradlens")

POOLS = 5  # that may be lost one after the other before a piece of work is taken up
KILL_AFTER_S = 0.2  # what a worker may still take over work that is not wanted any more
AS_SHORT_AS_THE_PROGRAM = (answer_lesson, answer_graph, answer_code, answer_tensor)  # until it is known
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
        self._pool: FairPool | None = None
        self._queue = FairQueue(settings.workers, settings.pending)
        self._durations = Durations()
        self.stopped: Counter[str] = Counter()  # pieces of work, by what stopped them or turned them away
        self._stopped = False
        self._pipes: PipeFolder | None = None

    async def start(self) -> None:
        """Start the workers and wait until one answers."""
        remove_left_folders()
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one program, one core
        if self.settings.sandbox and (missing := missing_parts()):
            log.warning("workers run without a part of their sandbox", missing=missing)
        await self.run(answer_program, ProgramRequest(source="y = exp(sin(x))"), self.settings.limits)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """What `function(*arguments)` returns in a worker.

        Raises: CutShort if the worker was stopped, Problem if too many wait, or what `function` raised.
        """
        timeout_s = self.settings.limits.wall_s + self.settings.grace_s
        returned: T = await self._queued(timeout_s, function, *arguments)
        return returned

    async def stream(self, function: Callable[..., Any], *arguments: Any, waits: bool = True) -> Stream:
        """Start `function(outlet, *arguments)` in a worker, and read what it sends while it works.

        waits:  whether the time that it waits for its reader is not its own.
        Raises: Problem if too many wait; reading raises CutShort, Problem or what `function` raised.
        """
        inlet = Inlet(self._folder_of_pipes())
        try:
            await inlet.open()
            patience_s = self.settings.patience_s
            pauses = PAUSES if waits else 0
            timeout_s = (1 + pauses) * self.settings.limits.wall_s + self.settings.grace_s
            through = send_through, str(inlet.path), patience_s, function, *arguments
            work = self._queued(timeout_s, *through)
        except BaseException:
            inlet.close()
            raise
        return Stream(inlet, work, KILL_AFTER_S)

    async def stop(self) -> None:
        """Stop every worker, whatever it is doing; from now on work is refused as if there were too much."""
        self._stopped = True
        await asyncio.to_thread(self._drop_pool)
        if self._pipes is not None:
            self._pipes.remove()
            self._pipes = None

    @property
    def free(self) -> int:
        """How many workers have nothing to do and may work for this client."""
        return self._queue.free_for(current_client())

    @property
    def running(self) -> int:
        """How many pieces of work are in workers."""
        return self._queue.running

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for one."""
        return self._queue.waiting

    @property
    def alive(self) -> bool:
        """Whether the pool takes work."""
        return self._pool is not None and bool(self._pool.active)

    def _queued(self, timeout_s: float, function: Callable[..., Any], *arguments: Any) -> asyncio.Task[Any]:
        """Enter the queue, at once. Returns: what is to be awaited for what the work returns."""
        key, *alike = keys_of(function, arguments)
        short = self._durations.is_short(key, *alike, unless_known=seems_short(function, arguments))
        try:
            turn = self._queue.enter(current_client(), short=short)
        except Full:
            self.stopped["queue_full"] += 1
            raise overloaded() from None
        work = asyncio.ensure_future(
            self._waited(turn, partial(self._admitted, key, timeout_s, function, *arguments))
        )
        work.add_done_callback(lambda _: None if turn.begun else self._queue.leave(turn))
        return work

    async def _waited(self, turn: Turn, begin: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """What work returns that begins when its turn has come. Whoever stops waiting ends it."""
        try:
            async with asyncio.timeout(self.settings.queue_s):
                await turn.admitted
        except TimeoutError:
            self.stopped["queue_too_long"] += 1
            raise overloaded() from None
        working = asyncio.ensure_future(begin())
        working.add_done_callback(ignore_error)
        working.add_done_callback(lambda _: self._queue.leave(turn))
        turn.begun = True
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:  # most work ends sooner than a worker could be replaced
            asyncio.get_running_loop().call_later(KILL_AFTER_S, working.cancel)
            raise

    async def _admitted(
        self, key: int, timeout_s: float, function: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Have the work done, and remember how long it took."""
        bounded = (function, math.ceil(timeout_s), *arguments)

        def schedule() -> ProcessFuture[Finished]:
            return self._live_pool().schedule(run_bounded, args=bounded, timeout=timeout_s)

        began = time.monotonic()
        try:
            finished = await self._finished(schedule)
            return finished.given()
        except (MemoryError, SlowReader) as error:
            raise self._cut_short(error) from None
        finally:
            self._durations.note(key, time.monotonic() - began)

    async def _finished(self, schedule: Callable[[], ProcessFuture[Finished]]) -> Finished:
        """How a piece of work ended; its worker's end as an error.

        schedule: hands it to the pool; to a new one, where a pool was lost before a worker took it.
        """
        try:
            for _ in range(POOLS - 1):
                with suppress(BrokenExecutor):  # somebody killed a worker that had no work
                    return await asyncio.wrap_future(schedule())
            return await asyncio.wrap_future(schedule())
        except (TimeoutError, ProcessExpired) as error:
            raise self._cut_short(error) from None
        except BrokenExecutor:
            log.exception("worker pool lost")
            raise overloaded() from None

    def _cut_short(self, error: BaseException) -> CutShort:
        """What stopped a worker, as an error for whoever waits."""
        cut = cut_short(error)
        self.stopped[cut.reason] += 1
        return cut

    def _folder_of_pipes(self) -> Path:
        if self._pipes is None:
            self._pipes = PipeFolder()
        return self._pipes.path

    def _live_pool(self) -> FairPool:
        if self._stopped:  # work that was going on is not to be taken up again
            raise overloaded()
        if not self.alive:
            self._drop_pool()
        if self._pool is None:
            self._pool = make_pool(self.settings, self._folder_of_pipes())
        return self._pool

    def _drop_pool(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]  # of the library
            pool.join()


def cut_short(error: BaseException) -> CutShort:
    """What stopped a worker, as an error for whoever waits."""
    log.warning("worker stopped", reason=reason_of(error), error=repr(error))
    return CutShort(reason_of(error), killed=isinstance(error, ProcessExpired))


def keys_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[int]:
    """A hash of what takes as long: a program's text and what is done with it; then of what is like it."""
    function = _done(function, arguments)
    alike = [answer_program] if function in AS_SHORT_AS_THE_PROGRAM else []
    return [hash((_source_of(arguments), each.__name__)) for each in (function, *alike)]


def seems_short(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Whether work that was never done before is a short program's, by its text."""
    once_through = (answer_program, *AS_SHORT_AS_THE_PROGRAM)
    return _done(function, arguments) in once_through and reads_as_short(_source_of(arguments))


def _done(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A program that is streamed is a program that is run."""
    return answer_program if function is send_through and stream_program in arguments else function


def _source_of(arguments: tuple[Any, ...]) -> str:
    """The text of the program that is worked on; nothing where there is none."""
    return next((argument.source for argument in arguments if isinstance(argument, ProgramRequest)), "")


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
