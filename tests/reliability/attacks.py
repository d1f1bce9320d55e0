"""One client that wants all of the service: each attack goes on until it is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import count
from typing import Any

from tests.reliability.http import NDJSON, Target, ask, request_bytes

ENDLESS = "n = 0\nwhile True:\n    n = n + 1  # {number}"
UNINTERRUPTIBLE = (
    "import itertools\nprint(len(list(itertools.combinations(range(10**6), 500000))))  # {number}",
    "import numpy as np\na = np.random.rand(1000, 1000)\nprint(np.linalg.svd(a)[1][0])  # {number}",
    "print(len(sorted(range(10**6), key=lambda x: -x)))  # {number}",
    "print(sum(map(float, range(10**6))))  # {number}",
)
LONG_RUN = {
    "program": {
        "source": "import tensorflow as tf\nw = tf.Variable(tf.eye(200))\ny = tf.reduce_sum(w @ w @ w)"
    },
    "optimizer": {"name": "GradientDescent", "learning_rate": 1e-9},
    "steps": 100_000,
}
numbers = count()


async def keep(many: int, attack: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    """Keep so many of an attack in flight."""

    async def again_and_again() -> None:
        while True:
            with suppress(OSError, ValueError, IndexError):
                await attack()
            await asyncio.sleep(0.05)  # who is turned away comes back

    await asyncio.gather(*(again_and_again() for _ in range(many)))


async def endless_program(target: Target) -> None:
    """A program that never ends, another one each time."""
    await ask(target, "POST", "/programs", {"source": ENDLESS.format(number=next(numbers))})


async def uninterruptible_call(target: Target) -> None:
    """A program that is inside one long call into C."""
    number = next(numbers)
    source = UNINTERRUPTIBLE[number % len(UNINTERRUPTIBLE)].format(number=number)
    await ask(target, "POST", "/programs", {"source": source})


async def unread_stream(target: Target, seconds: float = 10) -> None:
    """A long run whose lines are not read."""
    connection = target.connect_without_reading()
    try:
        body = {**LONG_RUN, "record": "all", "start": {}, "process": []}
        connection.sendall(request_bytes("POST", "/runs", body, accept=NDJSON))
        await asyncio.sleep(seconds)
    finally:
        connection.close()


async def stalled_body(target: Target, seconds: float = 10) -> None:
    """A request half of whose body comes, and then nothing."""
    _, writer = await target.connect()
    try:
        whole = request_bytes("POST", "/programs", {"source": "y = x^2" + " " * 2_000})
        writer.write(whole[:-1_000])
        await writer.drain()
        await asyncio.sleep(seconds)
    finally:
        writer.close()
