"""Bodies, frames and codes that mean nothing: each is refused, and nothing of them is left."""

from __future__ import annotations

import asyncio
import json
import random
import string
from contextlib import suppress
from typing import Any

from tests.reliability.figures import Figure
from tests.reliability.http import ask, request_bytes
from tests.reliability.processes import Holdings, Service

PATHS = ("/programs", "/runs", "/races", "/landscapes", "/comparisons", "/links", "/classes")
GOOD = {"source": "y = exp(sin(x))", "at": {"x": 3}}
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    1e308,
    10**40,
    "",
    "\ud800",
    "x" * 5_000,
    [],
    [[]] * 50,
    {},
    {"": {}},
    [None] * 3,
)
FIELDS = (
    "source",
    "dialect",
    "at",
    "program",
    "steps",
    "optimizer",
    "axes",
    "state",
    "runs",
    "record",
    "wrt",
)
AT_ONCE = 100


async def nonsense(running: Service, bodies: int = 10_000) -> list[Figure]:
    """So many bodies, requests and codes that are wrong, each in a way of its own."""
    chance = random.Random(10_000)
    await ask(running.target, "POST", "/programs", GOOD)
    before = Holdings.of(running.pid)
    turns = asyncio.Semaphore(AT_ONCE)
    statuses: list[int] = []

    async def one(request: bytes) -> None:
        async with turns:
            statuses.append(await status_of(running, request))

    await asyncio.gather(*(one(drawn(chance)) for _ in range(bodies)))
    await asyncio.sleep(1.5)  # in which refused connections are closed
    after = Holdings.of(running.pid)
    status, _ = await ask(running.target, "POST", "/programs", GOOD)
    return [
        Figure("requests", len(statuses), "", None),
        Figure("that broke something (5xx)", sum(each >= 500 for each in statuses)),
        Figure("answered with success all the same", sum(200 <= each < 300 for each in statuses), "", None),
        Figure("workers that were left over or lost", abs(after.workers - before.workers)),
        Figure("file descriptors that were not closed", after.descriptors - before.descriptors, "", 4),
        Figure("memory that was not given back", after.server_mb - before.server_mb, "MB", 40, timed=True),
        Figure("good requests refused afterwards", status != 200),
    ]


async def status_of(running: Service, request: bytes) -> int:
    """The status that something is answered with; 0 where the connection is closed instead."""
    reader, writer = await running.target.connect()
    try:
        with suppress(OSError, TimeoutError):
            writer.write(request)
            async with asyncio.timeout(15):
                head = await reader.readline()
            return int(head.split()[1]) if head.startswith(b"HTTP/") else 0
    finally:
        writer.close()
    return 0


def drawn(chance: random.Random) -> bytes:
    """A request that is wrong somewhere."""
    return chance.choice((wrong_fields, broken_json, broken_frame, wrong_code))(chance)


def wrong_fields(chance: random.Random) -> bytes:
    """Fields that are of another kind, or of another request."""
    chosen = {chance.choice(FIELDS): chance.choice(VALUES) for _ in range(chance.randint(0, 4))}
    return request_bytes("POST", chance.choice(PATHS), chosen, connection="close")


def broken_json(chance: random.Random) -> bytes:
    """A body that is cut, or whose bytes are others here and there."""
    body = bytearray(json.dumps(GOOD).encode())
    for _ in range(chance.randint(1, 6)):
        body[chance.randrange(len(body))] = chance.randrange(256)
    body = body[: chance.randint(1, len(body))]
    head = request_bytes("POST", chance.choice(PATHS), connection="close", content_type="application/json")
    return head.replace(b"Content-Length: 0", b"Content-Length: %d" % len(body)) + bytes(body)


def broken_frame(chance: random.Random) -> bytes:
    """A request whose bytes are others here and there, its length wrong perhaps."""
    request = bytearray(request_bytes("POST", chance.choice(PATHS), GOOD, connection="close"))
    for _ in range(chance.randint(1, 10)):
        request[chance.randrange(len(request))] = chance.randrange(256)
    return bytes(request) + b"\r\n\r\n"


def wrong_code(chance: random.Random) -> bytes:
    """A code that no class has, or a question that it has not."""
    letters = string.ascii_uppercase + string.digits + "-%'\""
    code = "".join(chance.choices(letters, k=chance.randint(1, 12))).replace("%", "%25").replace('"', "%22")
    method, path = chance.choice(
        (("POST", "/join"), ("GET", "/results"), ("PUT", "/answers/q_x"), ("DELETE", ""))
    )
    return request_bytes(
        method, f"/classes/{code}{path}", {} if method == "PUT" else None, connection="close"
    )
