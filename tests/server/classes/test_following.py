"""Many students who follow at once: every event reaches each of them, once and in order, also after drops."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.server.classes.members import Person, student, teacher
from tests.server.service import process_of

pytestmark = pytest.mark.slow  # starts services of its own

STUDENTS, STATES = 60, 25


async def events_of(person: Person, after: int) -> AsyncIterator[tuple[int, str, Any]]:
    """The events that one listener gets, read from a connection of its own."""
    url = urlsplit(str(person.client.base_url))
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    path = f"{url.path}classes/{person.code}/events?after={after}"
    head = f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {person.token}\r\n\r\n"
    writer.write(head.encode())
    fields: dict[str, str] = {}
    try:
        while line := await reader.readline():
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name in ("id", "event", "data"):
                fields[name] = value
            elif not name and len(fields) == 3:
                yield int(fields["id"]), fields["event"], json.loads(fields["data"])
                fields = {}
    finally:
        writer.close()


async def heard(person: Person, until: int, after: int = 0) -> list[int]:
    """The steps that a listener hears of, up to the event of a number."""
    steps: list[int] = []
    async for seq, kind, data in events_of(person, after):
        assert kind == "state"
        assert seq == after + len(steps) + 1
        steps.append(data["step"])
        if seq == until:
            return steps
    raise ConnectionError(f"the stream ended after {len(steps)} events")


async def show(room: Person, steps: Sequence[int]) -> None:
    """The teacher goes through these steps, one after the other."""
    headers = {"authorization": f"Bearer {room.token}"}
    async with httpx.AsyncClient(base_url=room.client.base_url, headers=headers, timeout=60) as client:
        for step in steps:
            state = {"link": "#v1=x", "step": step, "node": None, "mode": "follow"}
            assert (await client.put(f"/classes/{room.code}/state", json=state)).status_code == 204


def test_sixty_students_hear_of_every_step_in_order(tmp_path: Path) -> None:
    async def follow(room: Person, pupils: Sequence[Person]) -> list[list[int]]:
        listening = asyncio.gather(*(heard(one, STATES) for one in pupils))
        await show(room, range(STATES))
        return await listening

    with process_of(tmp_path, GRADLENS_WORKERS="1") as (_, client):
        room = teacher(client, {})
        pupils = [student(room) for _ in range(STUDENTS)]
        assert asyncio.run(follow(room, pupils)) == [list(range(STATES))] * STUDENTS


def test_who_comes_back_hears_what_was_missed_and_nothing_twice(tmp_path: Path) -> None:
    async def drop_and_resume(room: Person, one: Person) -> list[int]:
        await show(room, range(5))
        first = await heard(one, 5)
        await show(room, range(5, 12))
        return first + await heard(one, 12, after=5)

    with process_of(tmp_path, GRADLENS_WORKERS="1") as (_, client):
        room = teacher(client, {})
        assert asyncio.run(drop_and_resume(room, student(room))) == list(range(12))


def test_a_listener_that_never_reads_holds_nobody_up(tmp_path: Path) -> None:
    async def follow(room: Person, pupils: Sequence[Person], deaf: Person) -> list[list[int]]:
        url = urlsplit(str(deaf.client.base_url))
        _, writer = await asyncio.open_connection(url.hostname, url.port, limit=1)
        path = f"{url.path}classes/{deaf.code}/events?after=0"
        head = f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {deaf.token}\r\n\r\n"
        writer.write(head.encode())
        listening = asyncio.gather(*(heard(one, STATES) for one in pupils))
        await show(room, range(STATES))
        found = await listening
        writer.close()
        return found

    with process_of(tmp_path, GRADLENS_WORKERS="1") as (_, client):
        room = teacher(client, {})
        pupils = [student(room) for _ in range(5)]
        assert asyncio.run(follow(room, pupils, student(room))) == [list(range(STATES))] * 5


def test_what_was_acknowledged_is_there_after_the_server_was_killed(tmp_path: Path) -> None:
    answers: dict[str, float] = {}
    with process_of(tmp_path, GRADLENS_WORKERS="1") as (process, client):
        room = teacher(client)
        pupils = [student(room) for _ in range(8)]
        asked = room("POST", "/questions", step=8, kind="number", round=1).json()
        for number, pupil in enumerate(pupils):
            assert pupil("PUT", f"/answers/{asked['id']}", value=float(number)).status_code == 204
            answers[pupil.token] = float(number)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with process_of(tmp_path, GRADLENS_WORKERS="1") as (_, client):
        for pupil in pupils:
            pupil.client = client
            assert pupil("POST", "/join").json()["question"]["said"] == answers[pupil.token]
