"""A class that follows its teacher: no event is lost, none comes late; also while students run programs."""

from __future__ import annotations

import asyncio
import time
from itertools import count

from tests.reliability.attacks import ENDLESS, UNINTERRUPTIBLE
from tests.reliability.classes.members import Listener, Room, all_heard, joined, missing_and_disordered
from tests.reliability.figures import Figure, spread
from tests.reliability.http import Connection, Target, request_bytes
from tests.reliability.processes import Service, resident_mb

LAST_S = 10.0  # in which the last event has to arrive
QUICK = "y = exp(sin(x)) + {number}"
KINDS = (ENDLESS, QUICK, UNINTERRUPTIBLE[0], QUICK, QUICK, QUICK)  # a third of them without an end
numbers = count()


async def following(
    service: Service, students: int = 200, per_s: float = 10, events: int = 600, submitting: int = 0,
    most_ms: float = 150, most_mb: float | None = None,
) -> list[Figure]:  # fmt: skip
    """Students follow a teacher; some of them run programs meanwhile, of which a third does not end."""
    room = await Room.open(service.target)
    tokens = await joined(room, students)
    listeners = [Listener(room, token) for token in tokens]
    for each in listeners:
        await each.connect(service.target)
    await asyncio.sleep(0.5)
    crowd = Crowd(service.target, tokens[:submitting])
    working = asyncio.ensure_future(crowd.work())
    written = await room.teach(events, per_s)
    await all_heard(listeners, events, LAST_S)
    memory_mb = resident_mb(service.pid)
    crowd.over = True
    await working
    for each in listeners:
        each.leave()
    missing, disordered = missing_and_disordered(listeners, events)
    return [
        Figure("events that were lost", missing),
        Figure("listeners who heard them twice or out of order", disordered),
        Figure("connections that were lost", sum(each.lost for each in listeners)),
        *spread("an event", [time_s for each in listeners for time_s in each.times], most_ms),
        *spread("to show the class a step", written),
        Figure("memory of the service", memory_mb, "MB", most_mb, timed=True),
        *(crowd.figures() if submitting else ()),
    ]


class Crowd:
    """Students who send one program after the other, each a new one: a third endless, the others quick.

    Beside them a visitor asks for what is known.
    """

    def __init__(self, target: Target, tokens: list[str]) -> None:
        self.over = False
        self._target = target
        self._tokens = tokens
        self._asked: list[float] = []
        self._quick: list[float] = []
        self._long: list[float] = []
        self._overran = self._unanswered = self._turned_away = 0

    async def work(self) -> None:
        """Go on until it is over, and wait for the last answers."""
        students = [self._student(number, token) for number, token in enumerate(self._tokens)]
        await asyncio.gather(*students, *([self._visitor()] if students else ()))

    async def _student(self, number: int, token: str) -> None:
        connection = await Connection.open(self._target)
        while not self.over:
            source = KINDS[number % len(KINDS)]
            body = {"source": source.format(number=next(numbers))}
            began = time.perf_counter()
            request = request_bytes("POST", "/programs", body, authorization=f"Bearer {token}")
            status, _, _ = await connection.ask(request)
            times = self._quick if source == QUICK else self._long
            times.append(time.perf_counter() - began)
            self._turned_away += status == 503
            self._unanswered += status not in (200, 503)
            await asyncio.sleep(2.0 if status == 503 else 0.5)
        connection.close()

    async def _visitor(self) -> None:
        connection = await Connection.open(self._target)
        request = request_bytes("POST", "/programs", {"source": "y = exp(sin(x))", "at": {"x": 3}})
        await connection.ask(request)
        while not self.over:
            began = time.perf_counter()
            status, _, _ = await connection.ask(request)
            self._asked.append(time.perf_counter() - began)
            self._unanswered += status != 200
            await asyncio.sleep(0.05)
        connection.close()

    def figures(self) -> list[Figure]:
        """What the students and the visitor met."""
        return [
            Figure("requests that failed", self._unanswered),
            Figure("programs that were turned away", self._turned_away, "", None),
            *spread("a cached answer meanwhile", self._asked, 250),
            *spread("a quick new program meanwhile", self._quick),
            *spread("a program without an end, its turn in the queue included", self._long),
        ]
