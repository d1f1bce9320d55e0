"""The clean process that workers are forked from: it has the engine loaded, no threads, no sockets of ours.

This module loads little, so that the process can be started first, and loads beside the service.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import ForkServerContext

PRELOADED = ["server.workers.prepared", "pebble"]  # whatever else a worker needs, each one loads again


def start_fork_server() -> ForkServerContext:
    """Start it where it does not run yet. Returns: the context in which processes are forked from it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    resource_tracker.ensure_running()  # which would lift the block when it is started
    with interrupts_blocked():
        forkserver.ensure_running()
    return context


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Processes started within, and those that they fork, never receive Ctrl-C; this one ends them then."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
