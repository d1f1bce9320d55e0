"""One class on two replicas: events reach all, once and in order, whichever part of the whole goes away."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from subprocess import Popen
from typing import Any

import httpx
import pytest

from tests.server.classes.members import Person, student, teacher
from tests.server.classes.test_following import events_of, heard, show
from tests.server.service import process_of
from tests.server.store import servers

pytestmark = pytest.mark.slow  # starts databases and services of its own

STUDENTS = 60
STATE = {"link": "#v1=x", "step": 0, "node": None, "mode": "follow"}
UNTIL_S = 60  # a busy machine is no fault of the service


class Whole:
    """Two replicas of the service, and what they share."""

    def __init__(self, postgres: servers.Postgres, redis: servers.Redis, folder: Path) -> None:
        self.postgres = postgres
        self.redis = redis
        self.processes: dict[int, Popen[str]] = {}
        self.clients: dict[int, httpx.Client] = {}
        self._folder = folder
        self._running = contextlib.ExitStack()

    def start(self, number: int) -> None:
        """Start a replica, or start it again."""
        folder = self._folder / f"replica-{number}"
        folder.mkdir(exist_ok=True)
        shared: Any = {
            "DATABASE_URL": self.postgres.url(),
            "REDIS_URL": self.redis.url,
            "GRADLENS_WORKERS": "1",
        }
        replica = self._running.enter_context(process_of(folder, **shared))
        self.processes[number], self.clients[number] = replica

    def stop(self) -> None:
        """Stop all replicas."""
        self._running.close()

    def is_joined(self) -> bool:
        """Whether both are ready, and hear at once from one another."""
        answers = [client.get("/ready") for client in self.clients.values()]
        return all(answer.status_code == 200 and answer.json()["bus"] for answer in answers)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """Two replicas with a PostgreSQL and a Redis of their own."""
    with servers.postgres() as postgres, servers.redis() as redis:
        whole = Whole(postgres, redis, tmp_path_factory.mktemp("replicas"))
        try:
            whole.start(0)
            whole.start(1)
            yield whole
        finally:
            whole.stop()


@pytest.fixture
def whole(started: Whole) -> Whole:
    """The same, with both replicas ready."""
    for number, process in started.processes.items():
        if process.poll() is not None:
            started.start(number)
    asyncio.run(until(started.is_joined))
    return started


async def until(is_so: Any) -> None:
    """Ask again and again until something is so."""
    async with asyncio.timeout(UNTIL_S):
        while not await asyncio.to_thread(is_so):
            await asyncio.sleep(0.05)


def at(person: Person, client: httpx.Client) -> Person:
    """Somebody, connected to another replica."""
    return replace(person, client=client)


def spread(whole: Whole, room: Person, count: int) -> list[Person]:
    """Students who have joined at the two replicas in turn."""
    return [student(at(room, whole.clients[number % 2])) for number in range(count)]


def test_sixty_students_at_two_replicas_hear_of_every_step_in_order(whole: Whole) -> None:
    async def follow(room: Person, pupils: Sequence[Person]) -> list[list[int]]:
        listening = asyncio.gather(*(heard(one, 25) for one in pupils))
        for step in range(0, 24, 2):  # the teacher, too, is now at one replica and now at the other
            await show(at(room, whole.clients[0]), [step])
            await show(at(room, whole.clients[1]), [step + 1])
        await show(room, [24])
        return await listening

    room = teacher(whole.clients[0], {})
    pupils = spread(whole, room, STUDENTS)
    assert asyncio.run(follow(room, pupils)) == [list(range(25))] * STUDENTS
    assert at(room, whole.clients[1])("GET", "/results").json()["students"] == STUDENTS


async def heard_anywhere(person: Person, clients: Sequence[httpx.Client], upto: int) -> list[int]:
    """The numbers of events that a student hears, who goes to the next replica whenever a stream ends."""
    numbers: list[int] = []
    at_turn = clients.index(person.client)
    while not numbers or numbers[-1] < upto:
        after = numbers[-1] if numbers else 0
        with contextlib.suppress(OSError):
            stream = events_of(at(person, clients[at_turn % 2]), after)
            async with contextlib.aclosing(stream) as events:  # type: ignore[type-var]
                async for seq, _, _ in events:
                    numbers.append(seq)
                    if seq == upto:
                        break
        at_turn += 1
    return numbers


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_students_of_a_replica_that_goes_resume_at_the_other(whole: Whole, how: int) -> None:
    async def follow(room: Person, pupils: Sequence[Person]) -> list[list[int]]:
        listening = asyncio.gather(*(heard_anywhere(one, list(whole.clients.values()), 30) for one in pupils))
        await show(room, range(10))
        whole.processes[1].send_signal(how)
        await show(room, range(10, 30))
        return await listening

    room = teacher(whole.clients[0], {})
    pupils = spread(whole, room, STUDENTS)
    assert asyncio.run(follow(room, pupils)) == [list(range(1, 31))] * STUDENTS
    assert whole.processes[1].wait(UNTIL_S) == -how


@contextlib.asynccontextmanager
async def away(server: servers.Server, *, paused: bool) -> AsyncIterator[None]:
    """While a server is paused, or killed and then started again."""
    if paused:
        with server.paused():
            yield
        return
    server.kill()
    yield
    server.start()


@pytest.mark.parametrize("paused", [True, False], ids=["paused", "killed"])
def test_without_redis_events_come_by_the_store(whole: Whole, paused: bool) -> None:
    async def follow(room: Person, pupils: Sequence[Person]) -> list[list[int]]:
        listening = asyncio.gather(*(heard(one, 20) for one in pupils))
        await show(room, range(5))
        async with away(whole.redis, paused=paused):
            await show(room, range(5, 15))
            others = [await heard(one, 15) for one in pupils[:2]]  # while it is away
        await until(whole.is_joined)
        await show(room, range(15, 20))
        return [*others, *await listening]

    room = teacher(whole.clients[0], {})
    pupils = spread(whole, room, 20)
    assert asyncio.run(follow(room, pupils)) == [list(range(15))] * 2 + [list(range(20))] * 20


@pytest.mark.parametrize("paused", [True, False], ids=["paused", "killed"])
def test_without_the_database_what_is_in_memory_is_answered_and_the_rest_says_when_to_come_back(
    whole: Whole, paused: bool
) -> None:
    client = whole.clients[0]
    program = client.post("/programs", json={"source": "y = exp(sin(x))", "at": {"x": 3}}).json()["id"]

    async def follow(room: Person, one: Person) -> list[int]:
        listening = asyncio.ensure_future(heard(one, 10))
        await show(room, range(5))
        async with away(whole.postgres, paused=paused):
            answers = await asyncio.to_thread(asked_meanwhile, room, one)
            kept = await asyncio.to_thread(client.get, f"/programs/{program}")
            assert kept.status_code == 200
            assert answers == [(503, "store_unavailable", "2")] * 3
            await until(lambda: client.get("/ready").status_code == 503)
            assert (await asyncio.to_thread(client.get, "/health")).status_code == 200
        await until(whole.is_joined)
        shown = at(room, whole.clients[1])("GET", "/poll?after=0").json()["seq"]
        assert shown in (5, 6)  # what was answered with 503 may have been written
        await show(at(room, whole.clients[1]), range(shown, 10))
        return await listening

    room = teacher(client, {})
    one = student(at(room, whole.clients[1]))
    steps = asyncio.run(follow(room, one))
    assert [*steps[:5], *steps[6:]] == [0, 1, 2, 3, 4, 6, 7, 8, 9]
    assert steps[5] in (0, 5)


def asked_meanwhile(room: Person, one: Person) -> list[tuple[int, str, str]]:
    """How a read and two writes are answered while there is no database."""
    answers = [
        room("PUT", "/state", **STATE),
        one("GET", "/poll?after=0"),
        one.client.post("/links", json={"state": {"source": "y = x"}}),
    ]
    return [(each.status_code, each.json()["code"], each.headers["retry-after"]) for each in answers]


def test_no_request_waits_for_the_store_longer_than_two_seconds() -> None:
    from server.store.deadlines import READ_S
    from server.store.writer import WRITE_S

    assert READ_S + WRITE_S < 2  # who asks is looked up, then something is written


def test_programs_and_links_are_found_at_the_other_replica(whole: Whole) -> None:
    one, two = whole.clients.values()
    answer = one.post("/programs", json={"source": "y = exp(sin(x))", "at": {"x": 3}})
    link = one.post("/links", json={"state": {"source": "y = x"}}).json()["id"]
    assert two.get(f"/programs/{answer.json()['id']}").content == answer.content
    assert two.get(f"/links/{link}").json() == {"state": {"source": "y = x"}}
    assert one.post("/links", json={"state": {"source": "y = x"}}).json()["id"] == link


def test_a_class_that_ends_at_one_replica_ends_at_the_other(whole: Whole) -> None:
    async def follow(room: Person, one: Person) -> list[str]:
        listening = asyncio.ensure_future(kinds_of(one))
        await show(room, [0])
        await asyncio.to_thread(room, "DELETE", "")
        return await listening

    async def kinds_of(one: Person) -> list[str]:
        return [kind async for _, kind, _ in events_of(one, 0)]

    room = teacher(whole.clients[0], {})
    one = student(at(room, whole.clients[1]))
    assert asyncio.run(follow(room, one))[-1] == "ended"
    assert one("GET", "/poll").status_code == 404


def test_wrong_codes_are_counted_by_both_replicas_together(whole: Whole) -> None:
    """The last test: nobody can join any more for a minute."""

    def tried(number: int) -> int:
        return whole.clients[number].post("/classes/AAAA-AAAA/join").status_code

    asyncio.run(until(lambda: tried(0) == 429))
    asyncio.run(until(lambda: tried(1) == 429))  # once it has heard of the other's ten
