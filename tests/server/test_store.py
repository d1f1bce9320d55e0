"""The store: what is put is there, complete answers stay, the oldest make room."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from engine.programs import ProgramRequest, RunRequest
from server.store import Store
from server.tasks import Answer


def answer(name: str, packed: bytes = b"bytes", *, complete: bool = True) -> Answer:
    """An answer to some program."""
    request = ProgramRequest(source="y = x", at={"x": [1.5, 2.0]}, wrt=("x",))
    return Answer(name, packed, request, complete=complete)


def with_store(path: Path, use: Callable[[Store], Awaitable[None]], limit_bytes: int = 10**6) -> None:
    """Open the store in `path`, use it, close it."""

    async def open_and_close() -> None:
        store = Store(path / "results.sqlite3", limit_bytes)
        await store.open()
        try:
            await use(store)
        finally:
            await store.close()

    asyncio.run(open_and_close())


def test_an_answer_comes_back_with_its_request_after_the_store_was_closed(tmp_path: Path) -> None:
    async def put(store: Store) -> None:
        await store.put(answer("p_1"))

    async def get(store: Store) -> None:
        assert await store.get("p_1") == answer("p_1")
        assert await store.get("p_2") is None

    with_store(tmp_path, put)
    with_store(tmp_path, get)


def test_a_complete_answer_stays_and_one_that_was_cut_short_is_replaced(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        await store.put(answer("p_1", b"cut short", complete=False))
        await store.put(answer("p_1", b"whole"))
        await store.put(answer("p_1", b"cut short again", complete=False))
        kept = await store.get("p_1")
        assert kept is not None
        assert kept.packed == b"whole"

    with_store(tmp_path, use)


def test_many_writers_at_once_all_find_their_answers(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        await asyncio.gather(*(store.put(answer(f"p_{number}")) for number in range(50)))
        kept = await asyncio.gather(*(store.get(f"p_{number}") for number in range(50)))
        assert None not in kept

    with_store(tmp_path, use)


def test_the_oldest_answers_make_room_for_the_newest(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        for number in range(10):
            await store.put(answer(f"p_{number}", b"x" * 1_000))
        assert await store.get("p_0") is None
        assert await store.get("p_9") is not None

    with_store(tmp_path, use, limit_bytes=5_000)


def test_a_run_is_let_go_unless_it_has_come_to_its_end(tmp_path: Path) -> None:
    run = RunRequest(3, {"name": "Adam"})

    async def use(store: Store) -> None:
        await store.put_run("r_refused", "p_1", run, None)
        await store.put_run("r_ended", "p_1", run, b"states")
        for name in ("r_refused", "r_ended", "r_unknown"):
            await store.drop_run(name)
        assert await store.get_run("r_refused") is None
        ended = await store.get_run("r_ended")
        assert ended is not None
        assert ended.checkpoints == b"states"

    with_store(tmp_path, use)
