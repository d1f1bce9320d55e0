"""What a worker process does to itself before and around its work: it gives up what a program must not have.

Workers are forked from a process that has this module loaded, so it imports no part of the web service.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from fcntl import F_GETFL, F_SETFL, F_SETOWN, fcntl
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Any

from pebble.pool.base_pool import Worker
from pebble.pool.channel import WorkerChannel
from pebble.pool.process import worker_process

from server.logs import set_up_logs
from server.sandbox.sandbox import Sandbox, close
from server.workers.process_memory import is_worn_out, keep_pages, ran_out_of_memory, resident_at_start
from server.workers.tasks import compare_once, warm_up

NICENESS = 5  # people's programs yield to the event loop
OBJECTS_PER_COLLECTION = 100_000
QUIET_S = 2.0  # without work, before a worker loads ahead
BUSY_S = 15.0  # after so long it loads ahead as soon as nothing is waiting
LIBRARIES_BYTES = 500_000_000  # of address space beside a worker's own memory: numba's alone take 250 MB


def set_up_worker(sandbox: Sandbox) -> None:
    """Give up, in a new worker, what a program must not have; then take the first steps."""
    set_up_logs()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends at once, even inside a long call into C
    if (parent := parent_process()) is not None:
        end_with(parent.sentinel)
    if sys.platform != "darwin":  # macOS has the constants and refuses the limits
        lower(resource.RLIMIT_DATA, sandbox.memory_bytes)
        lower(resource.RLIMIT_AS, sandbox.memory_bytes + LIBRARIES_BYTES)
    lower(resource.RLIMIT_FSIZE, 0)
    lower(resource.RLIMIT_CORE, 0)
    os.nice(NICENESS)
    if sandbox.closed:
        close(sandbox)
    take_first_steps()
    keep_pages()
    resident_at_start()


def take_first_steps() -> None:
    """Do what every worker does once before it takes work."""
    warm_up()
    gc.freeze()  # the engine itself is never garbage
    gc.set_threshold(OBJECTS_PER_COLLECTION)  # building a graph makes many objects and no garbage


def end_with(sentinel: int) -> None:
    """End this process as soon as the one that asked for it has ended, whatever it was killed by.

    sentinel: a pipe whose other end that process holds open, and never writes to. Linux reports its end by
              a signal, which ends a long call into C, too; elsewhere a thread waits for it.
    """
    if sys.platform == "linux":
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl(sentinel, F_SETOWN, os.getpid())
        fcntl(sentinel, F_SETFL, fcntl(sentinel, F_GETFL) | os.O_ASYNC)
        follow(sentinel, timeout=0)  # it may have ended before
    else:
        threading.Thread(target=follow, args=(sentinel, None), daemon=True).start()


def follow(sentinel: int, timeout: float | None) -> None:
    """End this process if that other end is closed in this time."""
    if wait([sentinel], timeout):
        os._exit(1)


def lower(limit: int, value: int) -> None:
    """Set a kernel limit for good, or keep it where it is lower already."""
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


@dataclass(frozen=True, slots=True)
class Finished:
    """How a piece of work ended: its result or its error."""

    result: Any
    error: Exception | None

    def given(self) -> Any:
        """What the work returned, or raise what it raised."""
        if self.error is not None:
            raise self.error
        return self.result


def run_bounded(function: Callable[..., Any], cpu_s: int, *arguments: Any) -> Finished:
    """Run `function` with at most `cpu_s` more seconds of processor time, then the kernel ends the worker."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + cpu_s + 1, hard))
    result, error = None, None
    try:
        result = function(*arguments)
    except Exception as raised:
        error = raised.with_traceback(None)
        error.__cause__ = error.__context__ = None  # they hold the program's objects
    left_behind.note(error or result)
    return Finished(result, error)


class LeftBehind:
    """What the last piece of work has left in this process.

    to_tidy:       whether there was one since the process was last tidy.
    out_of_memory: whether it ran out of memory, which leaves a heap in pieces.
    """

    def __init__(self) -> None:
        self.to_tidy = self.out_of_memory = False

    def note(self, result: Any) -> None:
        """A piece of work has ended with this result or error."""
        self.to_tidy, self.out_of_memory = True, ran_out_of_memory(result)

    def tidy(self) -> bool:
        """Free it, if there is any. Returns: whether this process may take more work; else it is replaced."""
        due, self.to_tidy = self.to_tidy, False
        return not due or not (self.out_of_memory or is_worn_out())


left_behind = LeftBehind()


def work(parameters: Worker, channel: WorkerChannel) -> None:
    """Take one piece of work after the other, and tidy up between two, when the result is on its way.

    Once nobody has asked for anything for some seconds, load what is needed seldom and takes long to load:
    after a while at the first moment in which nothing is waiting, for somebody always asks in a class.
    """
    poll: Callable[[float | None], bool] = channel.poll
    turn_s = os.getpid() % 4  # not all workers at once
    busy_until = time.monotonic() + BUSY_S + turn_s
    is_loaded = False

    def is_quiet() -> bool:
        return not poll(QUIET_S + turn_s if time.monotonic() < busy_until else 0)

    def tidy_and_poll(timeout: float | None = None) -> bool:
        nonlocal is_loaded
        if timeout is None and not left_behind.tidy():  # it waits for work; later it looks whether it has it
            raise EOFError  # as if no more came: this worker ends, and another one is started
        if timeout is None and not is_loaded and is_quiet():
            is_loaded = True
            load_ahead()
        return poll(timeout)

    channel.poll = tidy_and_poll
    worker_process(parameters, channel)


def load_ahead() -> None:
    """Load SymPy and take its first steps: most of a second of the first comparison of derivatives."""
    compare_once()
    gc.freeze()
    resident_at_start.cache_clear()  # what is loaded now is no leak of a program's
    resident_at_start()
