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
from fcntl import F_GETFL, F_SETFL, F_SETOWN, fcntl
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Any

from server.tasks import rehearse

NICENESS = 5  # people's programs yield to the event loop
OBJECTS_PER_COLLECTION = 100_000


def settle_in(memory_bytes: int) -> None:
    """Give up, in a new worker, what a program must not have (memory, files, priority); then rehearse."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends at once, even inside a long call into C
    if (parent := parent_process()) is not None:
        end_with(parent.sentinel)
    if sys.platform != "darwin":  # macOS has the constant and refuses the limit
        lower(resource.RLIMIT_AS, memory_bytes)
    lower(resource.RLIMIT_FSIZE, 0)
    lower(resource.RLIMIT_CORE, 0)
    os.nice(NICENESS)
    rehearse()
    gc.freeze()  # the engine itself is never garbage
    gc.set_threshold(OBJECTS_PER_COLLECTION)  # building a graph makes many objects and no garbage


def end_with(sentinel: int) -> None:
    """End this process as soon as the one that asked for it has ended, whatever it was killed by.

    sentinel: a pipe whose other end that process holds open, and never writes to. Linux tells of its end by
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


def run_bounded(function: Callable[..., Any], cpu_s: int, *arguments: Any) -> Any:
    """Run `function` with at most `cpu_s` more seconds of processor time, then the kernel ends the worker.

    Before and after it, what refers to itself in a circle is let go, as every graph does: so no program finds
    the memory filled by one before it. (The engine itself is frozen, so that there is little to look at.)
    """
    gc.collect()
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + cpu_s + 1, hard))
    try:
        return function(*arguments)
    finally:
        gc.collect()
