"""Parts at a Dask cluster: each of its tasks hands a part to a killable worker process on its own machine.

Dask gives the parts of a machine that is lost to another one. Its workers must be allowed processes of
their own: start them with DASK_DISTRIBUTED__WORKER__DAEMON=False. A result is fetched as soon as it is there,
so that what has been computed outlives the cluster.
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

from distributed import Client, Future
from distributed.scheduler import KilledWorker
from pebble import ProcessExpired

from engine.errors import GradlensError
from server.http.problems import no_cluster
from server.settings import Settings
from server.workers.pool import FairPool, make_pool
from server.workers.worker_process import run_bounded
from server.workers.workers import CutShort, reason_of

T = TypeVar("T")

TRIES = 3  # for a part whose killable process is lost
ANSWER_S = 10  # in which a scheduler answers
LOOK_S = 0.05  # between two looks at what is done
SURE_S = 1.0  # for which a cluster that had a worker is not asked again
ALONE_S = 30.0  # in which a cluster without workers may get one


def results_at(
    settings: Settings,
    function: Callable[..., T],
    arguments: Sequence[tuple[Any, ...]],
    progress: Callable[[int, int], None],
    stop: threading.Event,
) -> dict[int, T]:
    """`function` of each tuple of arguments, by its place, computed at the cluster.

    stop:    set when the caller has gone: then no further part is begun.
    Returns: all results, or those that were there when the scheduler was lost, or its last worker some time
             ago, or the caller had gone.
    Raises:  Problem where no cluster answers; CutShort where a part takes too long; or what `function`
             raised. Parts that have not begun are then never begun.
    """
    found: dict[int, T] = {}
    with client_of(str(settings.dask_scheduler)) as client:
        waiting = {
            place: client.submit(in_killable_process, settings, function, *part, pure=False)
            for place, part in enumerate(arguments)
        }
        workforce = Workforce(client)
        while waiting and not stop.wait(LOOK_S) and not workforce.gone():
            states = {place: future.status for place, future in waiting.items()}
            if "cancelled" in states.values():  # with the scheduler; those of a lost worker begin anew
                return found
            failed = next((place for place, state in states.items() if state == "error"), None)
            if failed is not None:
                client.cancel(list(waiting.values()))
                raise mistake_of(waiting[failed])
            for place in (place for place, state in states.items() if state == "finished"):
                with suppress(OSError, TimeoutError, CancelledError):  # lost on its way: it is looked at anew
                    found[place] = waiting[place].result(timeout=ANSWER_S)
                    del waiting[place]
                    progress(len(found), len(arguments))
        client.cancel(list(waiting.values()))
    return found


class Workforce:
    """Whether a cluster has workers."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._seen = time.monotonic()

    def gone(self) -> bool:
        """Whether there has been no worker for `ALONE_S`."""
        unseen_s = time.monotonic() - self._seen
        if unseen_s < SURE_S:
            return False
        if self._client.scheduler_info(n_workers=1)["workers"]:
            self._seen = time.monotonic()
            return False
        return unseen_s > ALONE_S


def client_of(address: str) -> Client:
    """A connection to a cluster. Raises: Problem where nothing answers there."""
    try:
        return Client(address, timeout=ANSWER_S)  # type: ignore[no-untyped-call]  # Dask's own
    except (OSError, ValueError):  # no scheduler is there; or this is no address
        pass
    gc.collect()  # the half-made client ends here, and not in a moment in which a lock that it takes is held
    raise no_cluster(address)


def mistake_of(part: Future[Any]) -> BaseException:
    """What a part raised; its worker's end as CutShort."""
    error: BaseException = part.exception()  # type: ignore[no-untyped-call]  # Dask's own
    if isinstance(error, (TimeoutError, MemoryError, ProcessExpired, KilledWorker)):
        return CutShort(reason_of(error))
    return error


def in_killable_process(settings: Settings, function: Callable[..., T], *arguments: Any) -> T:
    """Run a part on a machine of the cluster, under the limits that hold for any program.

    A part whose process is lost is computed once more, as in the pool of one machine.
    """
    if multiprocessing.current_process().daemon:
        raise GradlensError(
            "The workers of the Dask cluster may not start processes.",
            message_zh="Dask 集群的工作进程不允许启动子进程。",
            hint="Start them with DASK_DISTRIBUTED__WORKER__DAEMON=False.",
            hint_zh="请用 DASK_DISTRIBUTED__WORKER__DAEMON=False 启动它们。",
            code="no_cluster",
        )
    timeout_s = settings.limits.wall_s + settings.grace_s
    for turn in range(TRIES):
        pool = pool_for(settings)
        work = pool.schedule(
            run_bounded, args=(function, math.ceil(timeout_s), *arguments), timeout=timeout_s
        )
        try:
            found: T = work.result().given()
            return found
        except ProcessExpired:
            if turn == TRIES - 1:
                raise
    raise AssertionError("unreachable")  # the last turn returns or raises


@lru_cache(maxsize=1)
def pool_for(settings: Settings) -> FairPool:
    """The killable processes of this machine."""
    return make_pool(settings)
