"""What goes wrong around a service: workers die, readers do not read, the disk is full. Others go on."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path

from tests.reliability.classes.members import Listener, Room, all_heard, joined, missing_and_disordered
from tests.reliability.figures import Figure, LeftOut, spread
from tests.reliability.http import Connection, Target, ask, request_bytes
from tests.reliability.processes import Holdings, Service, descendants, is_worker, service

SMALL_DISK_BYTES = 12_000_000
HEALS_S = 5.0
LONG = "import numpy as np\na = np.random.rand(900, 900)\nfor i in range(4):\n    np.linalg.svd(a)  # {}"
SLOW_BYTES_PER_S = 1_000
numbers = count()


async def worker_killed(running: Service, times: int = 10) -> list[Figure]:
    """Workers are killed in the middle of a run: who waited is answered, and the next is, too."""
    connection, other = await Connection.open(running.target), await Connection.open(running.target)
    wrong, heals = 0, []
    for _ in range(times):
        body = {"source": LONG.format(next(numbers))}
        answer = asyncio.ensure_future(connection.ask(request_bytes("POST", "/programs", body)))
        await asyncio.sleep(0.3)
        for worker in filter(is_worker, descendants(running.pid)):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        began = time.perf_counter()
        wrong += (await answer)[0] != 200
        status, _, _ = await other.ask(request_bytes("POST", "/programs", formula()))
        wrong += status != 200
        heals.append(time.perf_counter() - began)
    connection.close()
    other.close()
    return [
        Figure("answers that were none", wrong),
        *spread("until a new program was answered again", heals, HEALS_S * 1000, share=100)[2:],
    ]


async def slow_readers(
    running: Service, unread: int = 20, slow: int = 20, students: int = 40, events: int = 100
) -> list[Figure]:
    """Some who follow a class never read, and others read or send a kilobyte a second: the class goes on."""
    room = await Room.open(running.target)
    tokens = await joined(room, students + unread)
    before = Holdings.of(running.pid)
    listeners = [Listener(room, token) for token in tokens[:students]]
    for each in listeners:
        await each.connect(running.target)
    deaf = [running.target.connect_without_reading() for _ in range(unread)]
    for socket, token in zip(deaf, tokens[students:], strict=True):
        socket.sendall(room.request("GET", "/events?after=0", token=token))
    sending = [asyncio.ensure_future(sends_slowly(running.target)) for _ in range(slow)]
    await room.teach(events, 20)
    await all_heard(listeners, events, 10)
    for task in sending:
        task.cancel()
    await asyncio.gather(*sending, return_exceptions=True)
    after = Holdings.of(running.pid)
    for each in listeners:
        each.leave()
    for socket in deaf:
        socket.close()
    missing, disordered = missing_and_disordered(listeners, events)
    return [
        Figure("events that were lost", missing),
        Figure("listeners who heard them twice or out of order", disordered),
        Figure(
            "memory that the service took meanwhile", after.server_mb - before.server_mb, "MB", 60, timed=True
        ),
        *spread("an event", [time_s for each in listeners for time_s in each.times], 250),
    ]


async def sends_slowly(target: Target) -> None:
    """A request whose body comes a kilobyte a second."""
    whole = request_bytes("POST", "/programs", {"source": "y = x^2" + " " * 60_000})
    while True:
        _, writer = await target.connect()
        try:
            for place in range(0, len(whole), SLOW_BYTES_PER_S):
                writer.write(whole[place : place + SLOW_BYTES_PER_S])
                await writer.drain()
                await asyncio.sleep(1)
        except OSError:
            pass  # it took too long: once more
        finally:
            writer.close()


async def disk_full(folder: Path) -> list[Figure]:
    """The disk fills up under a class, and is freed again: no answer fails meanwhile that needs no disk."""
    with small_disk(folder) as disk, service(disk) as running:
        room = await Room.open(running.target)
        token = (await joined(room, 1))[0]
        assert (await ask(running.target, "POST", "/programs", formula()))[0] == 200
        filler = disk / "filler"
        with suppress(OSError), filler.open("wb") as file:
            while True:
                file.write(b"0" * 65_536)
                file.flush()
        meanwhile = [await ask(running.target, "POST", "/programs", formula()) for _ in range(20)]
        place = room.request("PUT", "/place", {"step": 3}, token)
        async with connected(running.target) as connection:
            refused = [(await connection.ask(place))[0] for _ in range(5)]
            ready = (await ask(running.target, "GET", "/ready"))[0]
            filler.unlink()
            began = time.perf_counter()
            while (await ask(running.target, "GET", "/ready"))[0] != 200 and time.perf_counter() - began < 30:
                await asyncio.sleep(0.1)
            healed_s = time.perf_counter() - began
            taken = (await connection.ask(place))[0]
    return [
        Figure("programs that were not answered on a full disk", sum(each[0] != 200 for each in meanwhile)),
        Figure("other than 503 to what has to be written", sum(each not in (204, 503) for each in refused)),
        Figure("said to be ready on a full disk", ready == 200),
        Figure("refused when there was room again", taken != 204),
        Figure("until it was ready again", healed_s, "s", HEALS_S, timed=True),
    ]


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of some megabytes. Raises: LeftOut where nobody here may mount one."""
    if os.geteuid() != 0:
        raise LeftOut("only root may mount a small disk")
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK_BYTES}", "gradlens-test", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        raise LeftOut("this machine does not let a small disk be mounted")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@asynccontextmanager
async def connected(target: Target) -> AsyncIterator[Connection]:
    """A connection for a while."""
    connection = await Connection.open(target)
    try:
        yield connection
    finally:
        connection.close()


def formula() -> dict[str, object]:
    """A small program that is new."""
    return {"source": f"y = exp(sin(x)) + {next(numbers)}", "at": {"x": 3}}
