"""A service that is killed in the middle of its writes, again and again: what was acknowledged is there."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.reliability.classes.joining import asked, results
from tests.reliability.classes.members import Room, joined
from tests.reliability.figures import Figure
from tests.reliability.http import Connection, request_bytes
from tests.reliability.processes import Service, service

STUDENTS = 12
WRITERS = 3  # who send programs
DATABASE = "gradlens.sqlite3"


@dataclass
class Acknowledged:
    """What was answered with success: programs by their id, and each student's last answer."""

    programs: dict[str, bytes] = field(default_factory=dict)
    said: dict[int, float] = field(default_factory=dict)


async def kills(folder: Path, times: int = 200, **settings: str) -> list[Figure]:
    """Kill the service so often while students answer and programs are kept; look what is there."""
    chance = random.Random(9)
    done = Acknowledged()
    lost = corrupt = 0
    starts: list[float] = []
    room: Room | None = None
    tokens: list[str] = []
    question = ""
    for turn in range(times + 1):
        began = time.perf_counter()
        with service(folder, GRADLENS_WORKERS="1", **settings) as running:
            starts.append(time.perf_counter() - began)
            if room is None:
                room = await Room.open(running.target)
                tokens = await joined(room, STUDENTS)
                question = await asked(room)
            room.target = running.target
            lost += await lost_of(room, question, done)
            if turn == times:
                break
            writing = asyncio.gather(
                *(answers(room, question, number, token, done) for number, token in enumerate(tokens)),
                *(programs(running, turn * WRITERS + number, done) for number in range(WRITERS)),
            )
            await asyncio.sleep(chance.uniform(0.05, 0.5))
            running.process.kill()
            await writing
        corrupt += not is_whole(folder / DATABASE)
    return [
        Figure("times that it was killed", times, "", None),
        Figure("acknowledged writes", len(done.programs) + len(done.said), "", None),
        Figure("acknowledged writes that were lost", lost),
        Figure("databases that were not whole", corrupt),
        Figure("until it was up again, longest", max(starts), "s", 3, timed=True),
    ]


async def answers(room: Room, question: str, number: int, token: str, done: Acknowledged) -> None:
    """A student changes their answer until the service is gone."""
    with suppress(OSError):
        connection = await Connection.open(room.target)
        for value in range(int(done.said.get(number, 0)) + 1, 10**6):
            request = room.request("PUT", f"/answers/{question}", {"value": value}, token)
            status, _, _ = await connection.ask(request)
            if status != 204:
                return
            done.said[number] = value


async def programs(running: Service, number: int, done: Acknowledged) -> None:
    """One new program after the other, until the service is gone."""
    with suppress(OSError):
        connection = await Connection.open(running.target)
        for turn in range(10**6):
            program = {"source": f"y = x^2 + {number} * sin(x) + {turn}", "at": {"x": 3}}
            status, _, body = await connection.ask(request_bytes("POST", "/programs", program))
            if status != 200:
                return
            done.programs[json.loads(body)["id"]] = body


async def lost_of(room: Room, question: str, done: Acknowledged) -> int:
    """How much of what was acknowledged is not there; programs are looked at once, and then let go of."""
    connection = await Connection.open(room.target)
    lost = 0
    for name, body in done.programs.items():
        status, _, kept = await connection.ask(request_bytes("GET", f"/programs/{name}"))
        lost += status != 200 or kept != body
    connection.close()
    counted = await results(room)
    assert isinstance(counted, dict)
    answered = next(each["answered"] for each in counted["questions"] if each["id"] == question)
    return lost + max(0, len(done.said) - int(answered))


def is_whole(database: Path) -> bool:
    """Whether SQLite finds nothing wrong with a file that was left behind."""
    connection = sqlite3.connect(database)
    try:
        found: str = connection.execute("PRAGMA integrity_check").fetchone()[0]
        return found == "ok"
    finally:
        connection.close()
