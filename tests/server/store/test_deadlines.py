"""Nobody waits for a database that stands still; who waits for a busy one is patient."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from server.store import deadlines, writer
from server.store.deadlines import Patience, StoreBusy
from server.store.side_thread import SideThread
from tests.server.store.opened import opened


def test_who_asks_a_database_that_stands_still_hears_so_and_the_work_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deadlines, "READ_S", 0.01)

    async def ask() -> str:
        patience, back = Patience(), asyncio.Event()
        ended: list[str] = []

        async def work() -> str:
            await back.wait()
            ended.append("by itself")
            return "late"

        with pytest.raises(StoreBusy):
            await patience.wait_for(work())
        assert ended == []
        back.set()
        await patience.close()
        return ended[0]

    assert asyncio.run(ask()) == "by itself"


def test_who_asks_a_busy_one_waits_as_long_as_it_answers_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "READ_S", 0.2)
    monkeypatch.setattr(deadlines, "LONGEST_READ_S", 60.0)

    async def ask() -> int:
        patience, answered = Patience(), 0

        async def slow() -> int:
            while answered < 100:  # of which each takes a hundredth of a second: longer than READ_S in all
                await asyncio.sleep(0.01)
            return answered

        waiting = asyncio.ensure_future(patience.wait_for(slow()))
        while answered < 100:
            await patience.wait_for(asyncio.sleep(0.01))
            answered += 1
        return await waiting

    assert asyncio.run(ask()) == 100


def test_what_is_written_late_is_announced_though_nobody_waits_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "WRITE_S", 0.05)
    go_on = threading.Event()

    def change(connection: Connection) -> str:
        connection.execute(text("SELECT 1"))
        go_on.wait()
        return "written"

    async def write() -> str:
        announced: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        async with opened(tmp_path / "store.sqlite3") as database:
            with pytest.raises(StoreBusy):
                await database.transact(change, announced.set_result)
            assert not announced.done()
            go_on.set()
            return await announced

    assert asyncio.run(write()) == "written"


def test_a_thread_that_hangs_does_not_keep_the_program_from_ending() -> None:
    async def begin() -> bool:
        thread = SideThread("hangs")
        thread.do(threading.Event().wait)
        (running,) = [each for each in threading.enumerate() if each.name == "hangs"]
        return running.daemon

    assert asyncio.run(begin()) is True


def test_what_a_thread_does_comes_back_in_order_with_its_errors() -> None:
    def fails() -> int:
        raise ValueError("on purpose")

    async def work() -> list[object]:
        thread = SideThread("works")
        done = [thread.do(lambda: 1), thread.do(fails), thread.do(lambda: 3)]
        found = await asyncio.gather(*done, return_exceptions=True)
        thread.join()
        return [repr(found[1]), found[0], found[2]]

    assert asyncio.run(work()) == ["ValueError('on purpose')", 1, 3]
