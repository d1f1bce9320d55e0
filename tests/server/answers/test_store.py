"""The store: what is put is there, the newest complete answer stays, the oldest make room."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from engine.programs import ProgramRequest, RunRequest
from server.answers.store import Store
from server.serialization.answer import Answer
from server.serialization.identity import run_id
from server.store.engines import OTHERS_S
from server.store.writer import OURS_S, Change, Writer
from tests.server.store.opened import opened_store


def answer(name: str, packed: bytes = b"bytes", *, complete: bool = True) -> Answer:
    """An answer to some program."""
    request = ProgramRequest(source="y = x", at={"x": [1.5, 2.0]}, wrt=("x",))
    return Answer(name, packed, request, complete=complete)


def with_store(
    where: Path | str, use: Callable[[Store], Awaitable[None]], limit_bytes: int = 10**6, **limits: Any
) -> None:
    """Open the store in a folder or at an address, use it, close it."""

    async def open_and_close() -> None:
        place = where / "results.sqlite3" if isinstance(where, Path) else where
        async with opened_store(place, limit_bytes, **limits) as store:
            await use(store)

    asyncio.run(open_and_close())


def test_an_answer_comes_back_with_its_request_after_the_store_was_closed(database_url: str) -> None:
    async def put(store: Store) -> None:
        await store.put(answer("p_1"))

    async def get(store: Store) -> None:
        assert await store.get("p_1") == answer("p_1")
        assert await store.get("p_2") is None

    with_store(database_url, put)
    with_store(database_url, get)


def test_a_complete_answer_stays_and_one_that_was_cut_short_is_replaced(database_url: str) -> None:
    async def use(store: Store) -> None:
        await store.put(answer("p_1", b"cut short", complete=False))
        await store.put(answer("p_1", b"whole"))
        await store.put(answer("p_1", b"cut short again", complete=False))
        kept = await store.get("p_1")
        assert kept is not None
        assert kept.packed == b"whole"

    with_store(database_url, use)


@pytest.mark.slow
def test_many_writers_at_once_all_find_their_answers(database_url: str) -> None:
    async def use(store: Store) -> None:
        await asyncio.gather(*(store.put(answer(f"p_{number}")) for number in range(50)))
        kept = await asyncio.gather(*(store.get(f"p_{number}") for number in range(50)))
        assert None not in kept

    with_store(database_url, use)


def test_the_oldest_answers_make_room_for_the_newest(database_url: str) -> None:
    async def use(store: Store) -> None:
        for number in range(10):
            await store.put(answer(f"p_{number}", b"x" * 1_000))
        assert await store.get("p_0") is None
        assert await store.get("p_9") is not None

    with_store(database_url, use, limit_bytes=5_000)


def test_a_run_is_let_go_unless_it_has_come_to_its_end(database_url: str) -> None:
    run = RunRequest(3, {"name": "Adam"})
    complete = run_id("p_1", run)

    async def use(store: Store) -> None:
        await store.put_run("r_refused", "p_1", run, None)
        await store.put_run(complete, "p_1", run, b"states")
        for name in ("r_refused", complete, "r_unknown"):
            await store.drop_run(name)
        assert await store.get_run("r_refused") is None
        ended = await store.get_run(complete)
        assert ended is not None
        assert ended.checkpoints == b"states"

    with_store(database_url, use)


def test_a_complete_answer_that_is_computed_anew_replaces_one_that_differs(database_url: str) -> None:
    async def use(store: Store) -> None:
        await store.put(answer("p_1", b"poisoned"))
        await store.put(answer("p_1", b"right"))
        kept = await store.get("p_1")
        assert kept is not None
        assert kept.packed == b"right"

    with_store(database_url, use)


def test_the_size_counts_what_is_there_however_often_it_is_put(database_url: str) -> None:
    sizes: list[int] = []

    async def put(store: Store) -> None:
        await store.put(answer("p_1", b"x" * 5_000))
        await store.put(answer("p_1", b"x" * 1_000))
        await store.put(answer("p_1", b"x" * 1_000))
        await store.put(answer("p_1", b"", complete=False))  # stays out
        await store.put_run("r_1", "p_1", RunRequest(3), None)
        await store.drop_run("r_1")
        sizes.append(store._writer.size_bytes)

    async def look(store: Store) -> None:
        sizes.append(store._writer.size_bytes)

    with_store(database_url, put)
    with_store(database_url, look)
    assert sizes[0] == sizes[1] > 1_000


def test_the_states_of_a_run_of_another_version_are_left_out(database_url: str) -> None:
    async def use(store: Store) -> None:
        run = RunRequest(3, {"name": "Adam"})
        await store.put_run("r_of_another_version", "p_1", run, b"states")
        kept = await store.get_run("r_of_another_version")
        assert kept is not None
        assert (kept.run, kept.checkpoints) == (run, b"")

    with_store(database_url, use)


def test_whoever_keeps_an_answer_waits_a_second_at_most_for_other_writers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []  # how many changes each transaction has
    write = Writer._write

    def counted(writer: Writer, changes: Sequence[Change]) -> list[Exception | None]:
        written.append(len(changes))
        return write(writer, changes)

    async def use(store: Store) -> None:
        other = sqlite3.connect(str(store._database.url.database), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        ended = await asyncio.gather(
            *(store.put(answer(f"p_{number}")) for number in range(20)), return_exceptions=True
        )
        other.execute("ROLLBACK")
        other.close()
        assert [isinstance(error, SQLAlchemyError) for error in ended] == [True] * 20
        assert sum(written) == 20
        assert (
            len(written) <= 2
        )  # each transaction waits once; one for each answer would wait for four seconds
        await store.put(answer("p_after"))
        assert await store.get("p_after") is not None

    assert OURS_S + OTHERS_S <= 1
    monkeypatch.setattr(Writer, "_write", counted)
    with_store(tmp_path, use)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 2 MB."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", tmp_path], check=False)
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield tmp_path
    subprocess.run(["umount", tmp_path], check=True)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk_is_noticed_and_forgotten_when_there_is_room_again(small_disk: Path) -> None:
    async def use(store: Store) -> None:
        await store.put(answer("p_before", b"kept"))
        await store.check_writing()  # when there was room
        ballast = small_disk / "ballast"
        with suppress(OSError), ballast.open("wb") as file:
            while True:
                file.write(bytes(4096))
        with pytest.raises(SQLAlchemyError):
            await store.check_writing()
        with pytest.raises(SQLAlchemyError):
            await store.put(answer("p_lost", os.urandom(500_000)))
        ballast.unlink()
        await store.check_writing()
        await store.put(answer("p_after", b"kept too"))
        kept = [await store.get(name) for name in ("p_before", "p_lost", "p_after")]
        assert [found and found.packed for found in kept] == [b"kept", None, b"kept too"]

    with_store(small_disk, use)


def test_one_change_that_cannot_be_written_takes_no_other_along(database_url: str) -> None:
    async def use(store: Store) -> None:
        def fails(_: Connection) -> int:
            raise ValueError("on purpose")

        puts = [store.put(answer(f"p_{number}")) for number in range(3)]
        ended = await asyncio.gather(*puts, store._writer.write(fails), return_exceptions=True)
        assert [type(error) for error in ended] == [type(None)] * 3 + [ValueError]
        assert None not in [await store.get(f"p_{number}") for number in range(3)]

    with_store(database_url, use)


def test_a_writer_who_goes_away_leaves_the_turn_to_the_next(database_url: str) -> None:
    async def use(store: Store) -> None:
        puts = [asyncio.ensure_future(store.put(answer(f"p_{number}"))) for number in range(8)]
        await asyncio.sleep(0)
        for put in puts[:4]:
            put.cancel()
        await asyncio.gather(*puts, return_exceptions=True)
        await store.put(answer("p_next"))
        assert None not in [await store.get(name) for name in ("p_4", "p_7", "p_next")]

    with_store(database_url, use)


def test_a_link_stays_whatever_answers_come_and_is_sent_again_to_stay_longer(database_url: str) -> None:
    async def use(store: Store) -> None:
        await store.links.put("l_1", '{"source":"y = x"}')
        for number in range(10):
            await store.put(answer(f"p_{number}", b"x" * 1_000))
        assert await store.links.get("l_1") == '{"source":"y = x"}'
        for number in range(2, 12):
            await store.links.put(f"l_{number}", '"' + "长" * 100 + '"')  # 302 bytes
            await store.links.put("l_1", '{"source":"y = x"}')
        there = [number for number in range(1, 12) if await store.links.get(f"l_{number}") is not None]
        assert there == [1, 6, 7, 8, 9, 10, 11]  # 2 kB are six of 302 bytes, and the one that was sent again

    with_store(database_url, use, limit_bytes=5_000, link_bytes=2_000)


def test_a_link_that_an_older_version_keeps_among_its_results_is_found(database_url: str) -> None:
    async def use(store: Store) -> None:
        await store._put("l_old", '{"link": {"source":"y = x^2"}}', b"", complete=True)
        assert await store.links.get("l_old") == '{"source": "y = x^2"}'
        await store.put(answer("p_1"))
        assert await store.links.get("p_1") is None

    with_store(database_url, use)


def test_what_is_too_old_is_let_go(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(store: Store) -> None:
        with monkeypatch.context() as clock:
            clock.setattr("server.clock.now", lambda: 1_000.0)
            await store.put(answer("p_old"))
            await store.links.put("l_old", "{}")
        await store.put(answer("p_new"))
        await store.links.put("l_new", "{}")
        await store.drop_older(than=2_000.0)
        assert [await store.get("p_old"), await store.links.get("l_old")] == [None, None]
        assert None not in [await store.get("p_new"), await store.links.get("l_new")]

    with_store(database_url, use)
