"""The queue for workers: clients take turns, and nobody can take all the places."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from server.http.clients import Client, client_of
from server.workers.fair_queue import FairQueue, Full, Turn

ANNA, BERT = Client("10.0.0.1"), Client("10.0.0.2")
CLASS = [Client("10.0.0.3", f"browser {number}") for number in range(30)]


def queueing(use: Callable[[], None]) -> None:
    """Call `use` where there is an event loop, as turns need one."""

    async def call() -> None:
        use()

    asyncio.run(call())


def admitted(turns: list[Turn]) -> list[Turn]:
    """Those that have a place."""
    return [turn for turn in turns if turn.admitted.done()]


def test_a_client_has_at_most_half_of_the_places() -> None:
    def use() -> None:
        queue = FairQueue(places=4, capacity=100)
        annas = [queue.enter(ANNA, short=False) for _ in range(10)]
        assert admitted(annas) == annas[:2]
        assert queue.enter(BERT, short=False).admitted.done()

    queueing(use)


def test_clients_take_turns_however_much_one_of_them_has_waiting() -> None:
    def use() -> None:
        queue = FairQueue(places=1, capacity=100)
        begun = [queue.enter(ANNA, short=False) for _ in range(10)] + [queue.enter(BERT, short=False)]
        queue.leave(begun[0])
        assert [turn.client for turn in admitted(begun[1:])] == [BERT]

    queueing(use)


def test_addresses_take_turns_before_the_browsers_behind_one_of_them_do() -> None:
    def use() -> None:
        queue = FairQueue(places=1, capacity=100)
        turns = [queue.enter(client, short=False) for client in (*CLASS, ANNA)]
        queue.leave(turns[0])
        assert [turn.client for turn in admitted(turns[1:])] == [ANNA]

    queueing(use)


def test_a_class_behind_one_address_leaves_the_last_place_to_another_address() -> None:
    def use() -> None:
        queue = FairQueue(places=4, capacity=100)
        turns = [queue.enter(client, short=False) for client in CLASS]
        assert len(admitted(turns)) == 3
        assert queue.enter(ANNA, short=False).admitted.done()

    queueing(use)


def test_the_last_place_is_for_work_that_is_short() -> None:
    def use() -> None:
        queue = FairQueue(places=4, capacity=100)
        for client in CLASS[:3]:
            queue.enter(client, short=False)
        waiting = queue.enter(CLASS[3], short=False)
        assert queue.enter(CLASS[3], short=True).admitted.done()
        assert not waiting.admitted.done()

    queueing(use)


def test_short_work_goes_before_the_long_work_of_all_others() -> None:
    def use() -> None:
        queue = FairQueue(places=2, capacity=100)
        endless = [queue.enter(client, short=False) for client in CLASS[:20]]
        quick = queue.enter(CLASS[20], short=True)
        queue.leave(endless[0])
        assert quick.admitted.done()
        assert len(admitted(endless)) == 2

    queueing(use)


def test_a_client_with_much_short_work_keeps_nobody_from_half_of_the_places() -> None:
    def use() -> None:
        queue = FairQueue(places=2, capacity=100)
        annas = [queue.enter(ANNA, short=True) for _ in range(20)]
        bert = queue.enter(BERT, short=False)
        assert admitted(annas) == annas[:1]
        assert bert.admitted.done()

    queueing(use)


def test_a_line_that_is_full_turns_its_client_away_and_nobody_else() -> None:
    def use() -> None:
        queue = FairQueue(places=2, capacity=8)
        for _ in range(4):
            queue.enter(ANNA, short=False)
        with pytest.raises(Full):
            queue.enter(ANNA, short=False)
        for client in CLASS[:4]:
            queue.enter(client, short=False)
        with pytest.raises(Full):
            queue.enter(BERT, short=False)

    queueing(use)


def test_an_address_with_many_browsers_leaves_room_in_the_queue() -> None:
    def use() -> None:
        queue = FairQueue(places=2, capacity=8)
        for client in CLASS[:6]:
            queue.enter(client, short=False)
        with pytest.raises(Full):
            queue.enter(CLASS[6], short=False)
        queue.enter(ANNA, short=False)

    queueing(use)


def test_who_leaves_the_line_makes_room_without_having_had_a_place() -> None:
    def use() -> None:
        queue = FairQueue(places=1, capacity=2)
        first, second = queue.enter(ANNA, short=False), queue.enter(BERT, short=False)
        queue.leave(second)
        third = queue.enter(BERT, short=False)
        queue.leave(first)
        assert third.admitted.done()
        queue.leave(third)
        assert queue.free_for(ANNA) == 1

    queueing(use)


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        ([], Client("10.0.0.1")),
        ([(b"gradlens-browser", b"k3v9")], Client("10.0.0.1", "k3v9")),
        ([(b"authorization", b"Bearer t0ken"), (b"gradlens-browser", b"k3v9")], Client("10.0.0.1", "t0ken")),
        ([(b"gradlens-browser", b"x" * 9_000)], Client("10.0.0.1", "x" * 64)),
    ],
    ids=["address", "browser", "class token", "long tag"],
)
def test_a_client_is_an_address_and_behind_it_a_browser_or_a_class_token(
    headers: list[tuple[bytes, bytes]], client: Client
) -> None:
    assert client_of({"type": "http", "client": ("10.0.0.1", 4711), "headers": headers}) == client
