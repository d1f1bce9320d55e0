"""A whole year group joins behind one address, the service is restarted, and all come back."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

from tests.reliability.classes.members import Listener, Room, all_heard, joined, missing_and_disordered
from tests.reliability.figures import Figure
from tests.reliability.http import Connection, Target
from tests.reliability.processes import Service, service

STEP = 8  # of the lesson of what the class is shown, which asks for a number
JITTER_S = 5.0  # within which those whose connection was lost come back
TRY_AGAIN_S = 0.5


async def joining(folder: Path, students: int = 200, within_s: float = 10, **settings: str) -> list[Figure]:
    """Students join and answer a question; then the service is terminated, and started again."""
    with service(folder, **settings) as first:
        room = await Room.open(first.target)
        began = time.perf_counter()
        tokens = await joined(room, students)
        joined_s = time.perf_counter() - began
        question = await asked(room)
        refused = await answered(room, question, tokens)
        listeners = [Listener(room, token) for token in tokens]
        for each in listeners:
            await each.connect(first.target)
        await room.teach(2, 10)
        before = await results(room)
        first.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(first.process.wait)
    began = time.perf_counter()
    with service(folder, **settings) as second:
        up_s = time.perf_counter() - began
        room.target = second.target
        chance = random.Random(200)
        await asyncio.gather(*(comes_back(each, second, chance.uniform(0, JITTER_S)) for each in listeners))
        back_s = time.perf_counter() - began
        after = await results(room)
        await room.teach(3, 10)
        await all_heard(listeners, 6, 10)
        for each in listeners:
            each.leave()
        missing, disordered = missing_and_disordered(listeners, 6)  # the question, and five steps
    return [
        Figure("answers that were refused", refused),
        Figure("counts that differ after the restart", before != after),
        Figure("events that were lost", missing),
        Figure("listeners who heard them twice or out of order", disordered),
        Figure("all joins", joined_s, "s", within_s, timed=True),
        Figure("until the service was up again", up_s, "s", 3, timed=True),
        Figure("until everyone was in again", back_s, "s", 15, timed=True),
    ]


async def asked(room: Room) -> str:
    """A question is put to the class. Returns: its id."""
    connection = await Connection.open(room.target)
    body = {"step": STEP, "kind": "number", "round": 1}
    status, _, answer = await connection.ask(room.request("POST", "/questions", body))
    connection.close()
    assert status == 201, answer
    name: str = json.loads(answer)["id"]
    return name


async def answered(room: Room, question: str, tokens: list[str]) -> int:
    """All answer at once. Returns: how many answers were not taken."""

    async def one(number: int, token: str) -> bool:
        connection = await Connection.open(room.target)
        body = {"value": number % 7 - 3}
        status, _, _ = await connection.ask(room.request("PUT", f"/answers/{question}", body, token))
        connection.close()
        return status != 204

    return sum(await asyncio.gather(*(one(number, token) for number, token in enumerate(tokens))))


async def results(room: Room) -> object:
    """The teacher's counts."""
    connection = await Connection.open(room.target)
    status, _, body = await connection.ask(room.request("GET", "/results"))
    connection.close()
    assert status == 200, body
    return json.loads(body)


async def comes_back(listener: Listener, again: Service, after_s: float) -> None:
    """A student whose connection was lost tries until it is there."""
    await asyncio.sleep(after_s)
    target: Target = again.target
    while not listener.connected:
        with suppress(OSError):
            await listener.connect(target)
            return
        await asyncio.sleep(TRY_AGAIN_S)
