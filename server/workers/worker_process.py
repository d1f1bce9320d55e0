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
from collections.abc import Callable
from dataclasses import dataclass
from fcntl import F_GETFL, F_SETFL, F_SETOWN, fcntl
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Any

from server.logs import set_up_logs
from server.sandbox.sandbox import Sandbox, close
from server.workers.process_memory import is_worn_out, resident_at_start
from server.workers.tasks import warm_up

NICENESS = 5  # people's programs yield to the event loop
OBJECTS_PER_COLLECTION = 100_000
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
    warm_up()
    gc.freeze()  # the engine itself is never garbage
    gc.set_threshold(OBJECTS_PER_COLLECTION)  # building a graph makes many objects and no garbage
    resident_at_start()


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
    """How a piece of work ended: its result or its error, and whether its worker should be replaced."""

    result: Any
    error: Exception | None
    worker: int
    worn_out: bool


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
    return Finished(result, error, os.getpid(), is_worn_out(error or result))
