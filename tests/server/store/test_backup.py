"""Backups: taken while the service writes, whole, and the same for both kinds of store."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select

from server.classes import classroom
from server.classes.tables import classes, events
from server.store.backup import BackupError, back_up, restore
from server.store.database import Database, metadata
from server.store.engines import read_url
from tests.server.answers.test_store import answer
from tests.server.store import servers
from tests.server.store.opened import opened, opened_store

CODE = "ABCDEFGH"


async def fill(url: str) -> None:
    """An answer, a link and a class with three events."""
    async with opened_store(url) as store:
        await store.put(answer("p_1", b"\x00packed\xff"))
        await store.links.put("l_1", '{"source":"y = 长"}')
        await open_class(store._database)
        for step in range(3):
            await show(store._database, step)


async def open_class(database: Database) -> None:
    """A class without anybody in it."""
    await database.transact(lambda connection: classroom.start(connection, CODE, b"t" * 32, {}, 1.5, 10))


async def show(database: Database, step: int) -> None:
    """One event."""
    await database.transact(
        lambda connection: classroom.show(connection, CODE, {"step": step}, "follow", 2.5)
    )


def rows_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    """All that is in the tables."""
    engine = create_engine(read_url(url))
    with engine.connect() as connection:
        found = {
            table.name: sorted(tuple(row) for row in connection.execute(select(table)))
            for table in metadata.sorted_tables
            if table.name != "probes"
        }
    engine.dispose()
    return found


def other_kind(url: str, request: pytest.FixtureRequest, folder: Path) -> str:
    """The address of an empty store of the other kind."""
    if url.startswith("postgresql"):
        return f"sqlite:///{folder / 'other.sqlite3'}"
    server: servers.Postgres = request.getfixturevalue("postgres")
    return server.database()


@pytest.mark.slow
def test_what_is_in_one_kind_of_store_comes_back_in_the_other(
    database_url: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    asyncio.run(fill(database_url))
    file, other = tmp_path / "all.backup", other_kind(database_url, request, tmp_path)
    assert back_up(read_url(database_url), file, metadata) == 6  # an answer, a link, a class, three events
    assert file.stat().st_mode & 0o077 == 0
    assert restore(read_url(other), file, metadata) == 6
    assert rows_of(other) == rows_of(database_url)

    async def go_on() -> None:
        async with opened_store(other) as store:
            kept = await store.get("p_1")
            assert kept is not None
            assert kept.packed == b"\x00packed\xff"
            await store.put(answer("p_2"))  # is numbered after what was brought back
            await show(store._database, 3)

    asyncio.run(go_on())
    assert len(rows_of(other)["results"]) == 2
    assert len(rows_of(other)["class_events"]) == 4


def test_a_backup_that_is_taken_while_a_class_goes_on_ends_between_two_events(
    database_url: str, tmp_path: Path
) -> None:
    url, enough = read_url(database_url), threading.Event()
    written: list[int] = []

    async def teach() -> None:
        async with opened(database_url) as database:
            await open_class(database)
            for step in itertools.count():
                await show(database, step)
                written.append(step)
                if enough.is_set():
                    return

    teaching = threading.Thread(target=lambda: asyncio.run(teach()))
    teaching.start()
    try:
        for number in range(5):
            while len(written) < 20 * (number + 1):
                assert teaching.is_alive()
            least = len(written)
            back_up(url, tmp_path / f"{number}.backup", metadata)
            seq, steps = what_was_shown(tmp_path / f"{number}.backup")
            assert seq >= least  # what was written before is in it
            assert steps == list(range(1, seq + 1))[-len(steps) :]  # and nothing is left out up to its end
            assert seq - len(steps) <= classroom.EVENTS_KEPT
    finally:
        enough.set()
        teaching.join()


def what_was_shown(file: Path) -> tuple[int, list[int]]:
    """How many events a class has had, and the numbers of those that are in a backup."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        seq = connection.execute(select(classes.c.seq)).scalar_one()
        numbers = connection.execute(select(events.c.seq).order_by(events.c.seq)).scalars().all()
    engine.dispose()
    return seq, list(numbers)


def test_a_store_that_is_not_empty_is_replaced_only_where_that_is_wished(
    database_url: str, tmp_path: Path
) -> None:
    asyncio.run(fill(database_url))
    url, file = read_url(database_url), tmp_path / "all.backup"
    back_up(url, file, metadata)
    before = rows_of(database_url)
    with pytest.raises(BackupError, match=r"The store is not empty: there are .+ in it\."):
        restore(url, file, metadata)
    assert restore(url, file, metadata, replace=True) == 6
    assert rows_of(database_url) == before


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + bytes(5_000)])
def test_what_is_no_backup_is_refused_and_leaves_the_store_alone(tmp_path: Path, content: bytes) -> None:
    url, file = f"sqlite:///{tmp_path / 'store.sqlite3'}", tmp_path / "some.backup"
    asyncio.run(fill(url))
    before = rows_of(url)
    file.write_bytes(content)
    with pytest.raises(BackupError, match="This is no backup of Gradlens"):
        restore(read_url(url), file, metadata, replace=True)
    assert rows_of(url) == before


def test_a_restore_that_fails_halfway_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'store.sqlite3'}", tmp_path / "all.backup"
    asyncio.run(fill(url))
    before = rows_of(url)
    back_up(read_url(url), file, metadata)
    with sqlite3.connect(file) as damaged:
        damaged.execute("PRAGMA foreign_keys=OFF")
        damaged.execute("UPDATE class_events SET class_code = 'NOSUCHCL'")
    with pytest.raises(Exception, match="FOREIGN KEY"):
        restore(read_url(url), file, metadata, replace=True)
    assert rows_of(url) == before
