"""One client among others: whoever leaves frees its workers, and nobody can have all of them.

What these clients ask for would take a minute or for ever; a client of httpx waits for half a minute.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.reliability.attacks import LONG_RUN
from tests.reliability.http import NDJSON, Target, leave_after, request_bytes
from tests.server.service import running

pytestmark = pytest.mark.slow  # a service of its own for each test

ENDLESS = "n = 0\nwhile True:\n    n = n + 1  # {number}"
SQUARE = {"source": "y = x^2", "at": {"x": 3}}
BOUNDLESS: Any = {
    "GRADLENS_LIMITS__WALL_S": "60",
    "GRADLENS_LIMITS__STEPS": "1000000000000",
    "GRADLENS_LIMITS__ELEMENT_OPERATIONS": "1000000000000000",
}


@contextmanager
def service_with(folder: Path, workers: int) -> Iterator[httpx.Client]:
    """A service whose programs run for a minute."""
    with running(folder, GRADLENS_WORKERS=str(workers), **BOUNDLESS) as client:
        yield client


def target_of(client: httpx.Client, address: str) -> Target:
    """The same service, asked from a loopback address of one's own."""
    return Target(client.base_url.port or 0, address)


@contextmanager
def asked_from(client: httpx.Client, address: str) -> Iterator[httpx.Client]:
    """A client of the same service that asks from another loopback address."""
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=client.base_url, transport=transport, timeout=30) as other:
        yield other


def left(client: httpx.Client, requests: list[bytes]) -> None:
    """Send requests, each on a connection of its own, and close them all a moment later."""

    async def leave() -> None:
        target = target_of(client, "127.0.0.1")
        await asyncio.gather(*(leave_after(0.05, target, request) for request in requests))

    asyncio.run(leave())


def test_programs_whose_senders_have_gone_hold_up_nobody(tmp_path: Path) -> None:
    sources = [ENDLESS.format(number=number) for number in range(64)]
    with service_with(tmp_path, workers=2) as client:
        left(client, [request_bytes("POST", "/programs", {"source": source}) for source in sources])
        assert client.post("/programs", json=SQUARE).json()["status"] == "ok"


def test_answers_that_are_computed_again_end_when_their_reader_has_gone(tmp_path: Path) -> None:
    with service_with(tmp_path, workers=1) as client:
        with client.stream("POST", "/runs", json=LONG_RUN, headers={"accept": NDJSON}) as response:
            run = json.loads(next(response.iter_lines()))["id"]
        left(client, [request_bytes("GET", f"/runs/{run}"), request_bytes("GET", f"/runs/{run}/steps/99999")])
        assert client.post("/programs", json=SQUARE).json()["status"] == "ok"


def test_programs_that_come_with_a_comparison_or_a_landscape_end_with_their_reader(tmp_path: Path) -> None:
    endless = {"source": ENDLESS.format(number=0)}
    axes = [{"variable": "x", "from": 0, "to": 1, "count": 3}]
    with service_with(tmp_path, workers=1) as client:
        left(
            client,
            [
                request_bytes("POST", "/comparisons", {"program": endless}),
                request_bytes("POST", "/landscapes", {"program": endless, "axes": axes}),
                request_bytes("POST", "/races", {"program": endless, "steps": 3, "runs": [{}]}),
                request_bytes("POST", "/runs", {"program": endless, "steps": 3}),
                request_bytes("POST", "/runs", {"program": endless, "steps": 3}, accept=NDJSON),
            ],
        )
        assert client.post("/programs", json=SQUARE).json()["status"] == "ok"


def test_a_run_that_is_never_read_gives_its_worker_back(tmp_path: Path) -> None:
    asked = request_bytes("POST", "/runs", LONG_RUN, accept=NDJSON)
    with service_with(tmp_path, workers=1) as client, ExitStack() as connections:
        connection = connections.enter_context(target_of(client, "127.0.0.1").connect_without_reading())
        connection.sendall(asked)
        connection.recv(1, socket.MSG_PEEK)  # it has begun
        assert client.post("/programs", json=SQUARE).json()["status"] == "ok"


@pytest.mark.parametrize(
    ("address", "headers"),
    [("127.0.0.3", {}), ("127.0.0.2", {"Gradlens-Browser": "another"})],
    ids=["another address", "another browser behind the same address"],
)
def test_a_client_with_many_endless_programs_leaves_workers_to_others(
    tmp_path: Path, address: str, headers: dict[str, str]
) -> None:
    sources = [ENDLESS.format(number=number) for number in range(20)]
    with service_with(tmp_path, workers=4) as client, ExitStack() as connections:
        for source in sources:
            connection = target_of(client, "127.0.0.2").connect_without_reading()
            connections.enter_context(connection)
            connection.sendall(request_bytes("POST", "/programs", {"source": source}))
        with asked_from(client, address) as neighbour:
            answers = [
                neighbour.post("/programs", json={"source": f"y = {number} * x"}, headers=headers)
                for number in range(10)
            ]
        assert {answer.json()["status"] for answer in answers} == {"ok"}
