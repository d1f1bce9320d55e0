"""Other systems that draw a graph in the browser, each served on a free port of this host."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx


@contextmanager
def others(client: httpx.Client, program: str, folder: Path) -> Iterator[dict[str, str]]:
    """Where each of them draws a program's graph, by its name; empty where it is not installed."""
    with ExitStack() as stack:
        yield {
            "TensorBoard": stack.enter_context(_tensorboard(client, program, folder)),
            "Netron": stack.enter_context(_netron(client, program, folder)),
        }


@contextmanager
def _tensorboard(client: httpx.Client, program: str, folder: Path) -> Iterator[str]:
    log = folder / f"tensorboard-{program}"
    log.mkdir()
    (log / "events.out.tfevents.0.gradlens").write_bytes(_exported(client, program, "events"))
    with _serving("tensorboard", "--logdir", str(log), "--load_fast=false") as address:
        yield address and f"{address}/#graphs"


@contextmanager
def _netron(client: httpx.Client, program: str, folder: Path) -> Iterator[str]:
    file = folder / f"{program}.pb"
    file.write_bytes(_exported(client, program, "pb"))
    with _serving("netron", str(file), "--verbosity", "quiet") as address:
        yield address


def _exported(client: httpx.Client, program: str, form: str) -> bytes:
    return client.get(f"/programs/{program}/graph", params={"format": form}).raise_for_status().content


@contextmanager
def _serving(command: str, *arguments: str) -> Iterator[str]:
    """The address of a server once it answers; empty where it is not installed."""
    program = Path(sys.executable).parent / command
    if not program.exists():
        yield ""
        return
    port = _free_port()
    with _started([str(program), *arguments, "--port", str(port)]) as process:
        address = f"http://127.0.0.1:{port}"
        while process.poll() is None and not _answers(address):
            time.sleep(0.2)
        yield address if process.poll() is None else ""


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=silent) as process:
        try:
            yield process
        finally:
            process.terminate()


def _answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=5).is_success
    except httpx.HTTPError:
        return False


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
