"""A real service in a process of its own, for tests to talk to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent.parent
READY = "Gradlens is ready: "


@contextmanager
def running(
    data_dir: Path, *, python: str = sys.executable, cwd: Path = ROOT, **settings: str
) -> Iterator[httpx.Client]:
    """Start `gradlens serve` on a free port, give a client of its REST interface, and stop it."""
    with process_of(data_dir, python=python, cwd=cwd, **settings) as (_, client):
        yield client


@contextmanager
def process_of(
    data_dir: Path, *, python: str = sys.executable, cwd: Path = ROOT, **settings: str
) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """The same, with its process."""
    environment = {**os.environ, "GRADLENS_PROFILE": "class", "GRADLENS_DATA_DIR": str(data_dir), **settings}
    command = [python, "-m", "gradlens", "serve", "--port", "0"]
    with (
        (data_dir / "log").open("w") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, cwd=cwd
        ) as process,
    ):
        try:
            line = process.stdout.readline() if process.stdout else ""
            assert line.startswith(READY), (data_dir / "log").read_text()
            with httpx.Client(base_url=f"{line.removeprefix(READY).strip()}/api/v1", timeout=30) as client:
                yield process, client
        finally:
            process.terminate()
