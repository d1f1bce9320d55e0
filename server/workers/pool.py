"""The pool of worker processes, made from Pebble's.

What is overridden here is private to Pebble: `tests/server/test_library_internals.py` fails where it changes.
"""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from pebble import ProcessPool
from pebble.common.process import launch_process
from pebble.pool.process import WORKERS_NAME, PoolManager, WorkerManager

from server.sandbox.sandbox import Sandbox
from server.settings import Settings
from server.workers.fork_server import start_fork_server
from server.workers.worker_process import set_up_worker, work

TASKS_PER_WORKER = 1_000  # then a fresh one, in case something leaked


class FairManager(PoolManager):
    """Stops a worker for the work that it is at, never for work that it has left a moment ago.

    A worker sends a message when it has done a piece of work and when it takes the next. While a message is
    unread, no worker is stopped: the next piece would be lost, and its caller would wait until its time is
    over. Meanwhile, the channel is locked, so that no message is sent and no work taken.
    """

    def __init__(self, context: Any, mp_context: Any) -> None:
        super().__init__(context, mp_context)
        self.worker_manager = TidyWorkers(context.workers, context.worker_parameters, mp_context)

    def update_tasks(self) -> None:
        """Stop workers whose work took too long, or is wanted no more."""
        messages, channel = self.worker_manager.pool_channel, self.worker_manager.workers_channel
        if messages is None or channel is None:  # the pool is being stopped
            return
        with channel.lock(block=False) as locked:
            if locked and not messages.poll(0):
                super().update_tasks()  # type: ignore[no-untyped-call]  # of the library


class TidyWorkers(WorkerManager):
    """Starts workers that tidy up when the result of their work is on its way."""

    def new_worker(self) -> None:
        """Start one more."""
        try:
            worker = launch_process(
                WORKERS_NAME,
                work,
                False,
                self.mp_context,
                self.worker_parameters,
                self.workers_channel,  # type: ignore[arg-type]  # there is one by now
            )
        except (OSError, EOFError) as error:
            raise BrokenProcessPool from error
        self.workers[worker.pid] = worker  # type: ignore[index]  # it has begun


class FairPool(ProcessPool):
    """A pool with such a manager."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._pool_manager = FairManager(self._context, settings["context"])


def make_pool(settings: Settings, pipes: Path | None = None) -> FairPool:
    """Workers, forked from a clean process that has the engine loaded.

    pipes: the folder of the named pipes that they may write to.
    """
    return FairPool(
        max_workers=settings.workers,
        max_tasks=TASKS_PER_WORKER,
        initializer=set_up_worker,
        initargs=(Sandbox(settings.worker_memory_bytes, pipes, settings.data_dir, settings.sandbox),),
        context=start_fork_server(),
    )
