"""Parts at a Dask cluster: each of its tasks hands a part to a killable worker process on its own machine.

Dask gives the parts of a machine that is lost to another one. Its workers must be allowed processes of
their own: start them with DASK_DISTRIBUTED__WORKER__DAEMON=False.
"""

from __future__ import annotations

import math
import multiprocessing
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from distributed import Client, as_completed
from pebble import ProcessPool

from server.confinement import run_bounded
from server.settings import Settings
from server.workers import make_pool

T = TypeVar("T")

RETRIES = 2  # of a part whose killable process was lost


def results_at(
    settings: Settings,
    function: Callable[..., T],
    arguments: Sequence[tuple[Any, ...]],
    told: Callable[[int, int], None],
    stop: threading.Event,
) -> list[T]:
    """`function` of each tuple of arguments, in their order, computed at the cluster.

    stop: set when nobody waits any more: then no further part is begun, and the result is empty.
    """
    with Client(settings.dask_scheduler, timeout=10) as client:  # type: ignore[no-untyped-call]  # Dask's own
        futures = [
            client.submit(in_killable_process, settings, function, *part, pure=False, retries=RETRIES)
            for part in arguments
        ]
        for done, _ in enumerate(as_completed(futures), start=1):  # type: ignore[no-untyped-call]
            if stop.is_set():
                client.cancel(futures)
                return []
            told(done, len(futures))
        found: list[T] = client.gather(futures)
        return found


def in_killable_process(settings: Settings, function: Callable[..., T], *arguments: Any) -> T:
    """Run a part on a machine of the cluster, under the limits that hold for any program."""
    if multiprocessing.current_process().daemon:
        raise RuntimeError("Start the Dask workers with DASK_DISTRIBUTED__WORKER__DAEMON=False.")
    timeout_s = settings.limits.wall_s + settings.grace_s
    work = pool_for(settings).schedule(
        run_bounded, args=(function, math.ceil(timeout_s), *arguments), timeout=timeout_s
    )
    found: T = work.result()
    return found


@lru_cache(maxsize=1)
def pool_for(settings: Settings) -> ProcessPool:
    """The killable processes of this machine."""
    return make_pool(settings)
