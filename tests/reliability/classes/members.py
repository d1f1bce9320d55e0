"""A class over plain sockets: a teacher who goes on, and as many students as a machine can run."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from tests.reliability.http import Connection, Target, request_bytes

STATE = {"source": "y = exp(sin(x)) + x", "at": {"x": 3.0}}
NUMBER = re.compile(rb"^id: (\d+)\n", re.MULTILINE)
MOST_AT_ONCE = 40  # who join at the same moment


@dataclass
class Room:
    """A class, as its teacher has it.

    sent_s: when each event was caused, by its number.
    """

    target: Target
    code: str
    token: str
    sent_s: dict[int, float] = field(default_factory=dict)

    @classmethod
    async def open(cls, target: Target) -> Room:
        """Start a class."""
        connection = await Connection.open(target)
        status, _, body = await connection.ask(request_bytes("POST", "/classes", {"state": STATE}))
        connection.close()
        assert status == 201, body
        found = json.loads(body)
        return cls(target, found["code"], found["teacher_token"])

    def request(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> bytes:
        """A request about the class, of the teacher where no other token is named."""
        bearer = f"Bearer {token or self.token}"
        return request_bytes(method, f"/classes/{self.code}{path}", body, authorization=bearer, **headers)

    async def teach(self, events: int, per_s: float) -> list[float]:
        """Show one step after the other. Returns: how long each took to be on the disk."""
        connection = await Connection.open(self.target)
        began = time.perf_counter()
        times = []
        first = len(self.sent_s) + 1
        for number in range(first, first + events):
            await asyncio.sleep(max(0.0, began + (number - first) / per_s - time.perf_counter()))
            shown = {"link": "?example=g01", "step": number, "node": None, "mode": "follow"}
            sent_s = self.sent_s[number] = time.perf_counter()
            status, _, body = await connection.ask(self.request("PUT", "/state", shown))
            assert status == 204, body
            times.append(time.perf_counter() - sent_s)
        connection.close()
        return times


class Listener(asyncio.Protocol):
    """A student who follows. heard: the number of each event; times: how long each took from its cause."""

    def __init__(self, room: Room, token: str) -> None:
        self.room = room
        self.token = token
        self.heard: list[int] = []
        self.times: list[float] = []
        self.lost = 0  # how often the connection was
        self._rest = b""
        self._leaves = False
        self._transport: asyncio.Transport | None = None

    async def connect(self, target: Target) -> None:
        """Follow from the event on that was heard last."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", target.port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for what was missed, and what comes."""
        self._transport = cast("asyncio.Transport", transport)
        self._rest = b""
        after = self.heard[-1] if self.heard else 0
        path = f"/events?after={after}"
        self._transport.write(self.room.request("GET", path, token=self.token, connection="close"))

    def connection_lost(self, _: Exception | None) -> None:
        """The service has gone, or the class is over."""
        self._transport = None
        self.lost += not self._leaves

    def data_received(self, data: bytes) -> None:
        """Events, or parts of them."""
        now = time.perf_counter()
        text = self._rest + data
        end = text.rfind(b"\n\n") + 1
        self._rest = text[end:]
        for found in NUMBER.findall(text, 0, end):
            number = int(found)
            self.heard.append(number)
            self.times.append(now - self.room.sent_s.get(number, now))

    @property
    def connected(self) -> bool:
        """Whether it follows now."""
        return self._transport is not None

    def leave(self) -> None:
        """Close the connection."""
        self._leaves = True
        if self._transport is not None:
            self._transport.close()


async def joined(room: Room, students: int) -> list[str]:
    """So many students come in, all by the code. Returns: their tokens."""
    turns = asyncio.Semaphore(MOST_AT_ONCE)

    async def one() -> str:
        async with turns:
            connection = await Connection.open(room.target)
            for _ in range(4):  # as the page does where the service is busy
                status, _, body = await connection.ask(request_bytes("POST", f"/classes/{room.code}/join"))
                if status != 503:
                    break
                await asyncio.sleep(1.0)
            connection.close()
            assert status == 201, body
            token: str = json.loads(body)["student_token"]
            return token

    return list(await asyncio.gather(*(one() for _ in range(students))))


async def all_heard(listeners: Sequence[Listener], events: int, within_s: float) -> None:
    """Wait until each has heard so many events, or the time is over."""
    until = time.perf_counter() + within_s
    while time.perf_counter() < until and any(len(each.heard) < events for each in listeners):
        await asyncio.sleep(0.02)


def missing_and_disordered(listeners: Sequence[Listener], events: int) -> tuple[int, int]:
    """How many events were not heard, and by how many they were not heard once and in order."""
    missing = sum(events - len(set(each.heard)) for each in listeners)
    disordered = sum(each.heard != sorted(set(each.heard)) for each in listeners)
    return missing, disordered
