"""The full form of the tests that hurt a service: figures with their bounds; ends with 1 where one is missed.

python -m tests.reliability [--only cached following …]      (`make reliability`)

Each scenario has a service of its own on this machine, with which it shares the processors. It takes some
half an hour; `make test` asks for less of everything. `classes/containers.py` hurts the replicas of a compose
file that is up.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from tests.reliability import attacks, neighbours
from tests.reliability.cached import cached
from tests.reliability.classes.following import following
from tests.reliability.classes.joining import joining
from tests.reliability.clocks import clock_moved
from tests.reliability.faults import disk_full, slow_readers, worker_killed
from tests.reliability.figures import Figure, LeftOut
from tests.reliability.http import Target
from tests.reliability.kills import kills
from tests.reliability.nonsense import nonsense
from tests.reliability.processes import service
from tests.reliability.visits import visits

Scenario = Callable[[Path], Coroutine[Any, Any, list[Figure]]]
NONE: dict[str, str] = {}


def with_service(
    work: Callable[..., Coroutine[Any, Any, list[Figure]]], settings: dict[str, str] = NONE, **asked: Any
) -> Scenario:
    """A scenario that needs a service and nothing else."""

    async def scenario(folder: Path) -> list[Figure]:
        with service(folder, **settings) as running:
            return await work(running, **asked)

    return scenario


async def known_graphs(folder: Path, seconds: float = 60) -> list[Figure]:
    """Cached graphs, quiet."""
    with service(folder / "data") as running:
        return await cached(running, folder, seconds=seconds)


async def known_graphs_busy(folder: Path, seconds: float = 30) -> list[Figure]:
    """The same while the workers are busy."""
    with service(folder / "data") as running:
        attacker = Target(running.target.port, neighbours.ATTACKER)
        busy = asyncio.ensure_future(attacks.keep(8, partial(attacks.uninterruptible_call, attacker)))
        try:
            return await cached(running, folder, seconds=seconds, most_ms=250)
        finally:
            busy.cancel()


FULL: dict[str, tuple[str, Scenario]] = {
    "visits": ("60 fresh browsers within 10 s, behind one address", with_service(visits)),
    "cached": ("500 requests/s of cached graphs, 100 connections", known_graphs),
    "busy": ("the same while all workers are busy", known_graphs_busy),
    "following": ("200 students follow at 10 events/s", with_service(following, events=6_000)),
    "thousand": (
        "1,000 students follow at 4 events/s",
        with_service(
            following,
            {"GRADLENS_CLASS_STUDENTS": "1000"},
            students=1_000,
            per_s=4,
            events=480,
            most_ms=1000,
            most_mb=500,
        ),
    ),
    "crowd": (
        "200 students follow at 10 events/s, 30 submit programs, some endless",
        with_service(following, events=600, submitting=30, most_ms=250),
    ),
    "joining": ("200 students join, answer, and come back after a restart", joining),
    "kills": ("killed 200 times in the middle of writes", kills),
    "workers": ("workers killed in the middle of a run", with_service(worker_killed)),
    "slow": ("listeners that never read, senders of 1 kB/s", with_service(slow_readers)),
    "disk": ("the disk is full, and free again", disk_full),
    "clock": ("the machine's clock is set by hours, on and back", clock_moved),
    "nonsense": ("10,000 malformed bodies, frames and codes", with_service(nonsense)),
}


def main() -> int:
    """Run what is asked for, print its figures, and say whether all are within their bounds."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability")
    parser.add_argument("--only", nargs="+", choices=FULL, default=list(FULL))
    options = parser.parse_args()
    missed = 0
    for name in options.only:
        title, scenario = FULL[name]
        print(f"== {name}: {title}", flush=True)
        missed += not run(scenario)
    print(f"{missed} of {len(options.only)} scenarios missed a bound.")
    return 1 if missed else 0


def run(scenario: Scenario) -> bool:
    """Run one, and print what it found. Returns: whether all its figures are within their bounds."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            figures = asyncio.run(scenario(Path(folder)))
        except LeftOut as error:
            print(f"  left out: {error}")
            return True
    print(*figures, sep="\n")
    print(f"  ({time.monotonic() - began:.0f} s)", flush=True)
    return all(figure.passes for figure in figures)


if __name__ == "__main__":
    sys.exit(main())
