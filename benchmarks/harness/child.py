"""The child process: one system that does what it is asked, line by line, and says how long it took.

Requests and answers are JSON:

`{"do": "describe"}`                              what the system is and can do
`{"do": "cold", "workload", "label", "save"}`     prepare and run once; peak memory above the start
`{"do": "warm", "workload", "label", "save"}`     run again, as often as a sample needs to be measured well

Asked to save, it leaves the result as named arrays in that file.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from timeit import Timer
from typing import Any

import numpy as np

from benchmarks.harness.entry import Peer, Task, arrays_of, peer_of

SAMPLE_SECONDS = 0.02  # the shortest time that is measured at once

Request = dict[str, Any]


class Child:
    """One peer and the task that it has prepared."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.task: Task | None = None
        self.timer: Timer | None = None
        self.number = 0

    def describe(self, request: Request) -> Request:
        """Names, version, entries, and what is left out and why."""
        peer = self.peer
        return {
            "name": peer.name,
            "version": importlib.metadata.version(peer.package) if peer.package else "",
            "asked": peer.asked,
            "entries": [[entry.workload, entry.label, entry.what] for entry in peer.entries],
            "cannot": peer.cannot,
        }

    def cold(self, request: Request) -> Request:
        """The first time: everything from the definition to the result."""
        prepare = self._prepare_of(request)
        self._warm_up()
        gc.collect()
        start_bytes = reset_peak()
        start = time.perf_counter()
        task = prepare()
        value = task.run(*task.args)
        seconds = time.perf_counter() - start
        peak_bytes = peak()
        save(task, value, request)
        self.task = task
        return {"seconds": seconds, "bytes": peak_bytes - start_bytes}

    def warm(self, request: Request) -> Request:
        """One more sample of the prepared task: the mean time of a run in it."""
        task = self.task
        if task is None:
            self._warm_up()
            task = self.task = self._prepare_of(request)()
        if request.get("save"):
            task.run(*task.args)
            save(task, task.run(*task.args), request)
        if self.timer is None:
            self.timer = timer_of(task)
            self.number = enough(self.timer)
        gc.collect()
        return {"seconds": self.timer.timeit(self.number) / self.number}

    def _warm_up(self) -> None:
        """What is imported or started on first use is no part of the work, nor is its garbage."""
        self.peer.warm_up()
        gc.freeze()

    def _prepare_of(self, request: Request) -> Callable[[], Task]:
        wanted = (request["workload"], request["label"])
        return next(e.prepare for e in self.peer.entries if (e.workload, e.label) == wanted)


def timer_of(task: Task) -> Timer:
    """Times runs as code calls them that knows the function and its arguments by name.

    Passing them as `*args` would cost as much as the shortest runs themselves. Garbage is collected as ever.
    """
    names = {f"a{n}": value for n, value in enumerate(task.args)}
    return Timer(f"run({', '.join(names)})", "gc.enable()", globals={"gc": gc, "run": task.run, **names})


def enough(timer: Timer) -> int:
    """How many runs make a sample."""
    number = 1
    while (seconds := timer.timeit(number)) < SAMPLE_SECONDS:
        number = max(2 * number, int(number * SAMPLE_SECONDS / max(seconds, 1e-9)))
    return number


def save(task: Task, value: Any, request: Request) -> None:
    """Leave the result where the request wants it, if it does."""
    if request.get("save"):
        named: dict[str, Any] = arrays_of(task.read(value))
        np.savez(request["save"], **named)


# -- memory, as Linux reports it; 0 elsewhere -------------------------------------------------------------


def reset_peak() -> int:
    """Begin a new peak of resident memory at what is resident now, in bytes."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return 0
    return _status("VmRSS")


def peak() -> int:
    """The most that was resident since, in bytes."""
    return _status("VmHWM")


def _status(field: str) -> int:
    try:
        text = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(rf"{field}:\s+(\d+) kB", text)
    return int(found[1]) * 1024 if found else 0


def hold_to_one_core() -> None:
    """Whatever threads a system starts, they share one core, and it starts as many as one core deserves."""
    if hasattr(os, "sched_setaffinity"):  # Linux
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(module: str) -> None:
    """Answer requests until the input ends."""
    hold_to_one_core()
    answers, sys.stdout = sys.stdout, sys.stderr  # what a peer prints is no answer
    child = Child(peer_of(module))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(child, request["do"])(request)
        except Exception as error:  # reported and counted as not done; the other peers go on
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main(sys.argv[1])
