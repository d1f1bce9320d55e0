"""500 requests a second for graphs that are known: how long they take, and what processor time.

The processor time stands beside that of a handler that does nothing but send the same bytes (`bare.py`),
asked by as many connections in the same run.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path

from tests.reliability.bare import bare_server
from tests.reliability.figures import Figure, spread
from tests.reliability.http import API, Connection, Target, request_bytes
from tests.reliability.processes import Service, processor_s

PROGRAMS = [{"source": f"y = exp(sin(x)) * {number} + x^2", "at": {"x": 3}} for number in range(1, 11)]
GZIP = {"accept_encoding": "gzip"}


async def cached(
    service: Service, folder: Path, per_s: float = 500, connections: int = 100, seconds: float = 60,
    most_ms: float = 50,
) -> list[Figure]:  # fmt: skip
    """A program that is posted again, and its graph, in turns; then the same of the bare handler."""
    requests = await known_requests(service.target)
    sent = {target: await answer_to(service.target, request) for target, request in requests}
    asked = [request for _, request in requests]
    used = processor_s(service.pid)
    times, failed = await at_rate(service.target, asked, per_s, connections, seconds)
    ours_ms = (processor_s(service.pid) - used) / max(1, len(times)) * 1000
    with bare_server(folder, sent) as (port, pid):
        await asyncio.sleep(0.5)
        used = processor_s(pid)
        others, _ = await at_rate(Target(port), asked, per_s, connections, seconds)
        bare_ms = (processor_s(pid) - used) / max(1, len(others)) * 1000
    return [
        Figure("requests that failed", failed),
        *spread("a cached graph", times, most_ms),
        *spread("the bare handler", others),
        Figure("processor time of a request", ours_ms, "ms", None, timed=True),
        Figure("the bare handler's", bare_ms, "ms", None, timed=True),
        Figure("times the bare handler's", ours_ms / bare_ms, "", 2, timed=True),
    ]


async def known_requests(target: Target) -> list[tuple[str, bytes]]:
    """Requests that are known, each with its target: in turns a program, and one of ten graphs."""
    connection = await Connection.open(target)
    programs = [
        request_bytes("POST", "/programs", program, accept_encoding="identity") for program in PROGRAMS
    ]
    names = [json.loads((await connection.ask(each))[2])["id"] for each in programs]
    connection.close()
    posted = f"{API}/programs", request_bytes("POST", "/programs", PROGRAMS[0], **GZIP)
    found = []
    for name in names:
        graph = f"/programs/{name}/graph?format=json"
        found += [posted, (f"{API}{graph}", request_bytes("GET", graph, **GZIP))]
    return found


async def answer_to(target: Target, request: bytes) -> tuple[int, bytes, bytes]:
    """The answer to a request, asked twice, so that it is known the second time."""
    connection = await Connection.open(target)
    await connection.ask(request)
    answer = await connection.ask(request)
    connection.close()
    assert answer[0] == 200, answer
    return answer


async def at_rate(
    target: Target, requests: Sequence[bytes], per_s: float, connections: int, seconds: float
) -> tuple[list[float], int]:
    """Ask at a rate. Returns: how long each answer took since it was due, and how many failed."""
    every_s = connections / per_s
    times: list[float] = []
    failures = 0

    async def one(number: int) -> None:
        nonlocal failures
        connection = await Connection.open(target)
        began = time.perf_counter() + every_s * number / connections
        for turn in range(int(seconds / every_s)):
            due = began + turn * every_s
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            status, _, _ = await connection.ask(requests[(number + turn) % len(requests)])
            times.append(time.perf_counter() - due)
            failures += status != 200
        connection.close()

    await asyncio.gather(*(one(number) for number in range(connections)))
    return times, failures
