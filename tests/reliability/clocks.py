"""A machine whose clock is set while a class is held: the service goes on as if nothing had happened."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from tests.reliability.classes.joining import answered, asked, results
from tests.reliability.classes.members import Listener, Room, all_heard, joined, missing_and_disordered
from tests.reliability.figures import Figure
from tests.reliability.http import Connection, request_bytes
from tests.reliability.processes import service

# What every Python process of the service loads first: a clock that is as far from the machine's as a file
# says. It cannot be the machine's own, which others need.
OTHER_CLOCK = """
import datetime, os, time

real_s, real_ns = time.time, time.time_ns

def moved_s():
    with open(os.environ["CLOCK_FILE"]) as file:
        return 3600 * int(file.read() or 0)

class Moved(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

time.time = lambda: real_s() + moved_s()
time.time_ns = lambda: real_ns() + moved_s() * 10**9
datetime.datetime = Moved
"""
MOVES_H = (30, -30, 5)  # where the clock stands, in hours from the right time
EVENTS = 3  # after each move
SWEPT_S = 65.0  # in which the service looks once for classes that have been idle for hours


async def clock_moved(
    folder: Path, students: int = 12, moves_h: Sequence[int] = MOVES_H, swept_s: float = SWEPT_S
) -> list[Figure]:
    """The clock is set on by a day, back by two, and on again, while a class follows and answers."""
    (data := folder / "data").mkdir()
    (folder / "sitecustomize.py").write_text(OTHER_CLOCK)
    clock = folder / "clock"
    clock.write_text("0")
    sandbox = {"GRADLENS_SANDBOX": "false"}  # in it the file could not be read
    with service(data, PYTHONPATH=str(folder), CLOCK_FILE=str(clock), **sandbox) as running:
        room = await Room.open(running.target)
        tokens = await joined(room, students)
        question = await asked(room)
        refused = await answered(room, question, tokens)
        listeners = [Listener(room, token) for token in tokens]
        for each in listeners:
            await each.connect(running.target)
        before = await counts(room)
        connection = await Connection.open(running.target)
        _, _, program = await connection.ask(request_bytes("POST", "/programs", {"source": "y = x^3 + 7"}))
        unseen = late = 0
        for hours in moves_h:
            clock.write_text(str(hours))
            await connection.ask(request_bytes("POST", "/classes/AAAAAAAA/join"))  # a wrong code
            await asyncio.sleep(swept_s)
            await room.teach(EVENTS, 10)
            late += len(await joined(room, 1)) != 1
            _, _, again = await connection.ask(request_bytes("POST", "/programs", {"source": "y = x^3 + 7"}))
            unseen += again != program
        events = 1 + EVENTS * len(moves_h)  # the question, and the steps
        await all_heard(listeners, events, 10)
        after = await counts(room)
        connection.close()
        for each in listeners:
            each.leave()
        missing, disordered = missing_and_disordered(listeners, events)
    return [
        Figure("hours that the clock was set by", max(moves_h) - min(moves_h), "", None),
        Figure("answers that were refused", refused),
        Figure("counts that differ afterwards", before != after),
        Figure("events that were lost", missing),
        Figure("listeners who heard them twice or out of order", disordered),
        Figure("connections that were lost", sum(each.lost for each in listeners)),
        Figure("programs that were answered otherwise", unseen),
        Figure("students who could not join", late),
    ]


async def counts(room: Room) -> object:
    """What was answered; how many have joined is another matter."""
    found = await results(room)
    assert isinstance(found, dict)
    return found["questions"]
