"""A service of its own for a scenario, which may be killed and started again on the same data."""

from __future__ import annotations

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
