"""The bus between replicas, on a real Redis that is paused, killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import pytest

from server.classes import redis_bus as module
from server.classes.classroom import Event
from server.classes.redis_bus import CHANNEL, RedisBus
from tests.server.store import servers

pytestmark = pytest.mark.slow  # starts a Redis of its own, and waits until it is missed

Heard = list[tuple[str, Sequence[Event]]]


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[servers.Redis]:
    """A Redis that is waited for, however busy the machine."""
    for name in ("ANSWER_S", "SILENCE_S"):
        monkeypatch.setattr(module, name, 60.0)
    monkeypatch.setattr(module, "BEAT_S", 0.1)
    with servers.redis() as server:
        yield server


@pytest.fixture
def missed_soon(monkeypatch: pytest.MonkeyPatch) -> Iterator[servers.Redis]:
    """A Redis that is missed sooner than usual."""
    for name in ("ANSWER_S", "BEAT_S", "AGAIN_S"):
        monkeypatch.setattr(module, name, 0.1)
    with servers.redis() as server:
        yield server


@contextlib.asynccontextmanager
async def two(redis: servers.Redis) -> AsyncIterator[tuple[RedisBus, RedisBus, Heard]]:
    """Two replicas on the bus, and what the second one hears."""
    heard: Heard = []
    first, second = RedisBus(redis.url), RedisBus(redis.url)
    await first.start(lambda *_: None)
    await second.start(lambda code, events: heard.append((code, events)))
    try:
        await until(lambda: first.is_joined and second.is_joined)
        yield first, second, heard
    finally:
        await first.stop()
        await second.stop()


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.01)


def event(seq: int) -> Event:
    """The event of a number."""
    return seq, "state", {"step": seq}


def test_what_one_replica_publishes_the_other_hears_in_order(redis: servers.Redis) -> None:
    async def publish() -> Heard:
        async with two(redis) as (first, _, heard):
            for seq in range(100):
                first.publish("ABCDEFGH", [event(seq)])
            await until(lambda: len(heard) == 100)
            return heard

    assert asyncio.run(publish()) == [("ABCDEFGH", [event(seq)]) for seq in range(100)]


@pytest.mark.parametrize("paused", [True, False], ids=["paused", "killed"])
def test_a_replica_notices_that_redis_is_away_and_that_it_is_back(
    missed_soon: servers.Redis, paused: bool
) -> None:
    redis = missed_soon

    async def publish() -> Heard:
        async with two(redis) as (first, second, heard):
            if paused:
                with redis.paused():
                    first.publish("ABCDEFGH", [event(1)])
                    await until(lambda: not (first.is_joined or second.is_joined))
            else:
                redis.kill()
                first.publish("ABCDEFGH", [event(1)])
                await until(lambda: not (first.is_joined or second.is_joined))
                redis.start()
            await until(lambda: first.is_joined and second.is_joined)
            while (
                "ABCDEFGH",
                [event(2)],
            ) not in heard:  # what is not sent in time is let go
                first.publish("ABCDEFGH", [event(2)])
                await asyncio.sleep(0.01)
            return heard

    assert asyncio.run(publish())[-1] == ("ABCDEFGH", [event(2)])


def test_a_bus_that_carries_nothing_keeps_no_more_than_so_many_messages() -> None:
    async def publish() -> int:
        bus = RedisBus("unix:///nowhere/redis.sock")
        for seq in range(module.MOST_WAITING + 10):
            bus.publish("ABCDEFGH", [event(seq)])
        waiting: int = bus._waiting.qsize()
        await bus.stop()
        return waiting

    assert asyncio.run(publish()) == 1_000


def test_what_others_write_into_the_channel_hurts_nobody(redis: servers.Redis) -> None:
    async def publish() -> Heard:
        async with two(redis) as (first, _, heard):
            client: Any = first._client
            for message in (b"nonsense", b"[1]", b"\xff"):
                await client.publish(CHANNEL, message)
            first.publish("ABCDEFGH", [event(1)])
            await until(lambda: len(heard) == 1)
            return heard

    assert asyncio.run(publish()) == [("ABCDEFGH", [event(1)])]
