"""What reaches listeners when events come late, twice, out of order or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from server.classes import following as module
from server.classes.bus import packed, unpacked
from server.classes.channels import Channel
from server.classes.classroom import Event
from server.classes.following import Following
from server.classes.refusals import UnknownCode

CODE = "ABCDEFGH"


def event(seq: int) -> Event:
    """The event of a number."""
    return seq, "state", {"step": seq}


def numbers(channel: Channel, after: int) -> list[int] | None:
    """The numbers that a listener finds, None where it has to look into the store."""
    found = channel.after(after)
    return None if found is None else [seq for seq, _ in found]


def test_what_comes_twice_is_heard_once() -> None:
    channel = Channel()
    channel.publish([event(1), event(2)])
    channel.publish([event(1), event(2), event(3)])
    assert numbers(channel, 0) == [1, 2, 3]


def test_what_comes_out_of_order_is_looked_for_in_the_store() -> None:
    channel = Channel()
    channel.publish([event(1)])
    channel.publish([event(3)])
    assert numbers(channel, 1) is None
    channel.publish([event(2)])  # which has been found in the store by then
    assert numbers(channel, 3) == []
    channel.publish([event(4)])
    assert numbers(channel, 3) == [4]


def test_what_the_store_has_and_the_bus_has_lost_is_looked_for_there() -> None:
    channel = Channel()
    channel.publish([event(1)])
    channel.note(3)
    assert numbers(channel, 1) is None
    assert numbers(channel, 3) == []


def test_a_class_that_is_over_says_so_to_everybody_once_wherever_they_are() -> None:
    channel = Channel()
    channel.publish([event(1), event(2)])
    channel.end()
    assert [channel.after(seq) for seq in (0, 2)] == [
        [(1, b"id: 1\nevent: ended\ndata: {}\n\n")],
        [(3, b"id: 3\nevent: ended\ndata: {}\n\n")],
    ]


def test_events_arrive_on_the_bus_as_they_were_sent() -> None:
    assert unpacked(packed(CODE, [(1, "state", {"node": "正弦"})])) == (
        CODE,
        [(1, "state", {"node": "正弦"})],
    )


@pytest.mark.parametrize(
    "message", [b"", b"{}", b'["A"]', b'["A", [[1, "state"]]]', b'["A", [["1", "s", {}]]]']
)
def test_what_is_no_event_on_the_bus_is_noticed(message: bytes) -> None:
    with pytest.raises(ValueError):
        unpacked(message)


class Store:
    """A database that counts how often it is read, and fails as often as it is to."""

    is_shared = True

    def __init__(self, answers: Sequence[Any]) -> None:
        self.answers = list(answers)
        self.reads = 0

    async def read(self, _: Any) -> Any:
        """What is to be answered next."""
        self.reads += 1
        await asyncio.sleep(0)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Bus:
    """A bus that carries nothing."""

    is_alone = False
    is_joined = False

    async def start(self, hear: Any) -> None:
        """Nothing is heard."""

    async def stop(self) -> None:
        """Nothing to stop."""

    def publish(self, code: str, events: Sequence[Event]) -> None:
        """Nobody hears of it."""


def following(store: Any) -> Following:
    """The listeners of a service with this store."""
    return Following(store, Bus())


def test_sixty_who_have_missed_the_same_look_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.0)
    away = OperationalError("", None, Exception("away"))
    store = Store([away, away, (2, [event(1), event(2)])])

    async def ask() -> list[list[int]]:
        here = following(store)
        found = await asyncio.gather(*(here.missed(CODE, 0) for _ in range(60)))
        return [[seq for seq, _ in each] for each in found]

    assert asyncio.run(ask()) == [[1, 2]] * 60
    assert store.reads == 3  # twice it was away


def test_who_follows_a_class_that_was_deleted_meanwhile_hears_that_it_is_over() -> None:
    found = asyncio.run(following(Store([UnknownCode()])).missed(CODE, 4))
    assert found == [(5, b"id: 5\nevent: ended\ndata: {}\n\n")]


def test_a_look_at_the_store_wakes_who_waits_and_ends_what_is_gone() -> None:
    store = Store([{CODE: 7}, {}])

    async def look() -> tuple[Any, Any]:
        here = following(store)
        channel = here.open(CODE)
        waiting = asyncio.ensure_future(channel.wait())
        await asyncio.sleep(0)
        await here._look()
        await waiting
        missed = numbers(channel, 3)
        await here._look()
        return missed, channel.ended

    assert asyncio.run(look()) == (None, True)
