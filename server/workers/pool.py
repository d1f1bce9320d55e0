"""The pool of worker processes, made from Pebble's.

What is overridden here is private to Pebble: `tests/server/test_library_internals.py` fails where it changes.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from typing import Any

from pebble import ProcessPool
from pebble.pool.process import PoolManager, dictionary_values

from server.sandbox.sandbox import Sandbox
from server.settings import Settings
from server.workers.worker_process import Finished, set_up_worker

PRELOADED = ["server.workers.worker_process", "pebble"]  # whatever else a worker needs, each one loads again
TASKS_PER_WORKER = 1_000  # then a fresh one, in case something leaked


class FairManager(PoolManager):
    """Stops a worker for the work that it is at, never for work that it has left a moment ago.

    worn_out: processes of workers that are to be replaced when they have no work.

    A worker sends a message when it has done a piece of work and when it takes the next. While a message is
    unread, no worker is stopped: the next piece would be lost, and its caller would wait until its time is
    over. Meanwhile, the channel is locked, so that no message is sent and no work taken.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.worn_out: set[int] = set()

    def update_tasks(self) -> None:
        """Stop workers whose work took too long, or is wanted no more, and idle ones that are worn out."""
        messages, channel = self.worker_manager.pool_channel, self.worker_manager.workers_channel
        if messages is None or channel is None:  # the pool is being stopped
            return
        with channel.lock(block=False) as locked:
            if locked and not messages.poll(0):
                super().update_tasks()  # type: ignore[no-untyped-call]  # of the library
                self._stop_worn_out()

    def _stop_worn_out(self) -> None:
        at_work = {task.worker_id for task in dictionary_values(self.task_manager.tasks)}
        for worker in self.worn_out - at_work:
            if self.worker_manager.maybe_stop_worker(worker):
                self.worn_out.discard(worker)


class FairPool(ProcessPool):
    """A pool with such a manager."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.manager = self._pool_manager = FairManager(self._context, settings["context"])


def result_of(finished: Finished, pool: FairPool) -> Any:
    """What a piece of work returned, or raise what it raised; its worker is replaced where it is worn out."""
    if finished.worn_out:
        pool.manager.worn_out.add(finished.worker)
    if finished.error is not None:
        raise finished.error
    return finished.result


def make_pool(settings: Settings, pipes: Path | None = None) -> FairPool:
    """Workers forked from a clean process that has the engine loaded: no threads, no sockets of ours.

    pipes: the folder of the named pipes that they may write to.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    resource_tracker.ensure_running()  # which would lift the block when it is started
    with interrupts_blocked():
        forkserver.ensure_running()
    return FairPool(
        max_workers=settings.workers,
        max_tasks=TASKS_PER_WORKER,
        initializer=set_up_worker,
        initargs=(Sandbox(settings.worker_memory_bytes, pipes, settings.data_dir, settings.sandbox),),
        context=context,
    )


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Processes started within, and those that they fork, never receive Ctrl-C; this one ends them then."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
