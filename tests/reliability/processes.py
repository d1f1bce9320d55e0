"""A service of its own for a scenario, and what its processes hold: memory, file descriptors, workers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.reliability.http import Target
from tests.server.service import process_of


@dataclass(frozen=True, slots=True)
class Holdings:
    """server_mb, worker_mb: resident megabytes, of the worker that has most; descriptors: of the server."""

    server_mb: float
    worker_mb: float
    workers: int
    descriptors: int

    @classmethod
    def of(cls, server: int) -> Holdings:
        """What the service with this process id holds now."""
        workers = [resident_mb(process) for process in descendants(server) if is_worker(process)]
        descriptors = len(os.listdir(f"/proc/{server}/fd"))
        return cls(resident_mb(server), max(workers, default=0.0), len(workers), descriptors)


def descendants(process: int) -> list[int]:
    """The processes that it has started, and that those have started."""
    children = Path(f"/proc/{process}/task/{process}/children")
    found = [int(child) for child in children.read_text().split()] if children.exists() else []
    for task in Path(f"/proc/{process}/task").iterdir():
        if task.name != str(process):
            found += [int(child) for child in (task / "children").read_text().split()]
    return found + [deeper for child in found for deeper in descendants(child)]


def is_worker(process: int) -> bool:
    """Whether it runs programs: a child of the process that workers are forked from."""
    try:
        return "forkserver" in command_of(process) and not descendants(process)
    except OSError:
        return False


def command_of(process: int) -> str:
    """The command that it was started with."""
    return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")


def resident_mb(process: int) -> float:
    """What it has in memory; 0 where it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return 0.0


def processor_s(process: int) -> float:
    """The processor time of all its threads so far, in nanoseconds' precision."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


@dataclass(frozen=True, slots=True)
class Service:
    """A service that runs."""

    process: subprocess.Popen[str]
    client: httpx.Client

    @property
    def pid(self) -> int:
        """Of its own process; workers are its children."""
        return self.process.pid

    @property
    def target(self) -> Target:
        """Where it listens."""
        return Target(self.client.base_url.port or 0)


@contextmanager
def service(folder: Path, **settings: Any) -> Iterator[Service]:
    """Start one on this folder's data, and stop it."""
    folder.mkdir(exist_ok=True)
    with process_of(folder, **settings) as (process, client):
        yield Service(process, client)
