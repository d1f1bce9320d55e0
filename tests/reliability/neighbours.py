"""Whether the service gets over what one client does to it, and what everybody else notices meanwhile.

python -m tests.reliability.neighbours [--seconds 60] [--only rest recovery neighbours]

- rest:       1,000 programs with arrays; how much more memory the workers hold at rest.
- recovery:   3,000 distinct programs, 200 aborted streams, 8 unread answers, 300 stalled connections; what
              the service's processes hold 10 s later.
- neighbours: while one client keeps 20 endless programs, 20 long calls into C, 8 unread streams and 100
              stalled bodies in flight, each for `--seconds`, and all of them together: the times of another
              client.

All of it goes to a service of its own on this machine's loopback addresses, and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from tests.reliability import attacks
from tests.reliability.http import NDJSON, Target, ask, leave_after, request_bytes
from tests.reliability.processes import Holdings, command_of, descendants
from tests.server.service import running

Attack = Callable[[Target], Coroutine[Any, Any, None]]
ATTACKER, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
ORDINARY = (
    "import numpy as np\na = np.random.rand(200, 500)\nb = a @ a.T\nprint(b.sum())  # {number}",
    "import tensorflow as tf\nw = tf.Variable(tf.random.normal([300, 50]))\nwith tf.GradientTape() as t:\n"
    "    y = tf.reduce_sum(w * w)\nprint(t.gradient(y, w).shape)  # {number}",
    "import numpy as np\nimport tensorflow as tf\nx = np.random.rand(200, 300)\n"
    "w = tf.Variable(tf.zeros([300, 1]))\n"
    "y = tf.reduce_mean(tf.square(tf.matmul(tf.constant(x, dtype=tf.float32), w) - 1.))\n"
    "train = tf.train.GradientDescentOptimizer(.1).minimize(y)\nwith tf.Session() as s:\n"
    "    s.run(tf.global_variables_initializer())\n    for i in range(5): s.run(train)  # {number}",
)
numbers = count()


def main() -> None:
    """Measure what is asked for, and print it."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability.neighbours")
    parser.add_argument("--seconds", type=float, default=60, help="how long each attack goes on")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    for name in options.only:
        with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as client:
            print(f"== {name}", flush=True)
            asyncio.run(PARTS[name](client, options.seconds))


async def rest(client: httpx.Client, _: float) -> None:
    """1,000 ordinary programs with arrays."""
    target, server = Target(client.base_url.port or 0, NEIGHBOUR), server_process()
    await programs(target, 40)
    before = Holdings.of(server)
    await programs(target, 1_000)
    print(f"before {before}\nafter  {Holdings.of(server)}")


async def recovery(client: httpx.Client, _: float) -> None:
    """Everything at once, and ten seconds to get over it."""
    port, server = client.base_url.port or 0, server_process()
    target = Target(port, ATTACKER)
    await programs(target, 40)
    print(f"before     {Holdings.of(server)}")
    await in_groups([formula(target) for _ in range(3_000)], 16)
    print(f"programs   {Holdings.of(server)}")
    asked = request_bytes("POST", "/runs", attacks.LONG_RUN, accept=NDJSON)
    await in_groups([leave_after(0.05, target, asked) for _ in range(200)], 20)
    stalled = [asyncio.ensure_future(attacks.stalled_body(target, 60)) for _ in range(300)]
    unread = [asyncio.ensure_future(attacks.unread_stream(target, 60)) for _ in range(8)]
    await asyncio.sleep(1)
    print(f"under load {Holdings.of(server)}")
    print(f"a neighbour's health {await timed(ask(Target(port, NEIGHBOUR), 'GET', '/health')):.0f} ms")
    await asyncio.sleep(10)
    print(f"10 s later {Holdings.of(server)}")
    for attack in (*stalled, *unread):
        attack.cancel()


async def neighbours(client: httpx.Client, seconds: float) -> None:
    """One client attacks, in one way after the other and in all of them; another one goes on."""
    port = client.base_url.port or 0
    target, neighbour = Target(port, ATTACKER), Target(port, NEIGHBOUR)
    await ask(neighbour, "POST", "/programs", {"source": "y = exp(sin(x))"})
    ways: dict[str, list[tuple[int, Attack]]] = {
        "nothing": [],
        "20 endless programs": [(20, attacks.endless_program)],
        "20 long calls into C": [(20, attacks.uninterruptible_call)],
        "8 unread streams": [(8, attacks.unread_stream)],
        "100 stalled bodies": [(100, attacks.stalled_body)],
    }
    ways["all of them"] = [attack for way in ways.values() for attack in way]
    print(f"{'':24}{'cached p95':>12}{'new p95':>12}{'new worst':>12}{'health worst':>14}  (ms)")
    for name, way in ways.items():
        attacking = [
            asyncio.ensure_future(attacks.keep(many, partial(attack, target))) for many, attack in way
        ]
        await asyncio.sleep(1)
        print(f"{name:24}{await times_of(neighbour, seconds if way else 10)}", flush=True)
        for attack in attacking:
            attack.cancel()
        await asyncio.gather(*attacking, return_exceptions=True)
        await asyncio.sleep(3)


async def times_of(neighbour: Target, seconds: float) -> str:
    """What an ordinary client waits for."""
    until = time.monotonic() + seconds
    cached, new, health = await asyncio.gather(
        repeated(until, 0.1, lambda: ask(neighbour, "POST", "/programs", {"source": "y = exp(sin(x))"})),
        repeated(until, 0.5, lambda: formula(neighbour)),
        repeated(until, 0.05, lambda: ask(neighbour, "GET", "/health")),
    )
    figures = (percentile(cached, 95), percentile(new, 95), max(new))
    return "".join(f"{figure:12.0f}" for figure in figures) + f"{max(health):14.0f}"


async def repeated(until: float, every_s: float, make: Any) -> list[float]:
    """How many milliseconds each request takes, asked one after the other."""
    times = []
    while time.monotonic() < until:
        times.append(await timed(make()))
        await asyncio.sleep(every_s)
    return times


async def timed(request: Coroutine[Any, Any, tuple[int, bytes]]) -> float:
    """How many milliseconds a request takes; one that is not answered with 200 is an error."""
    began = time.perf_counter()
    status, body = await request
    if status != 200:
        raise AssertionError((status, body[:300]))
    return (time.perf_counter() - began) * 1000


async def programs(target: Target, many: int) -> None:
    """Ordinary programs with arrays, each of them new."""
    sources = [ORDINARY[number % 3].format(number=number) for number in (next(numbers) for _ in range(many))]
    await in_groups([ask(target, "POST", "/programs", {"source": source}) for source in sources], 4)


async def formula(target: Target) -> tuple[int, bytes]:
    """A small program that is new."""
    return await ask(target, "POST", "/programs", {"source": f"y = exp(sin(x)) + {next(numbers)}"})


async def in_groups(requests: list[Coroutine[Any, Any, Any]], many: int) -> None:
    """Send requests, so many at a time."""
    room = asyncio.Semaphore(many)

    async def one(request: Coroutine[Any, Any, Any]) -> None:
        async with room:
            await request

    await asyncio.gather(*(one(request) for request in requests))


def percentile(times: list[float], share: int) -> float:
    """The time that so many in a hundred do not exceed."""
    return statistics.quantiles(times, n=100, method="inclusive")[share - 1] if len(times) > 1 else times[0]


def server_process() -> int:
    """The service that this process has started."""
    return next(process for process in descendants(os.getpid()) if "serve" in command_of(process))


PARTS = {"rest": rest, "recovery": recovery, "neighbours": neighbours}

if __name__ == "__main__":
    main()
