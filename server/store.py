"""Results on disk: one table in SQLite, by id, so that a link still opens after a restart.

Each result is written before its id is told (but a program that comes with a streamed run: who asks for
that before it is answered waits for it, in `answers.py`). When the store is full the oldest results make
room. Of a run the request is kept, and a few states on its way: it is computed again, number for number,
when somebody asks.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    delete,
    event,
    func,
    select,
    text,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from engine.programs import RunRequest
from server.identity import (
    aside,
    canonical,
    program_fields,
    program_request,
    read_canonical,
    run_fields,
    run_request,
)
from server.tasks import Answer

metadata = MetaData()
results = Table(
    "results",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),  # in order of first writing
    Column("id", String(40), nullable=False, unique=True),
    Column("request", Text, nullable=False),  # JSON, every field filled in
    Column("packed", LargeBinary, nullable=False),  # the answer's JSON text, gzip; of a run, its checkpoints
    Column("complete", Boolean, nullable=False),
)
SIZE = func.length(results.c.packed) + func.length(results.c.request)
PRUNE_ROWS = 200  # dropped at a time when the store is full
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """What is kept of a run: its program's id, what was asked, and states from which steps are computed."""

    program: str
    run: RunRequest
    checkpoints: bytes


class Store:
    """Answers to programs, and what runs were asked for, kept by id."""

    def __init__(self, path: Path, limit_bytes: int) -> None:
        self.path = path
        self.limit_bytes = limit_bytes
        self._size_bytes = 0
        self._writing = asyncio.Lock()  # SQLite has one writer; waiting here is fairer than its busy loop
        self._engine: AsyncEngine = create_async_engine(f"sqlite+aiosqlite:///{path}")
        event.listen(self._engine.sync_engine, "connect", set_pragmas)

    async def open(self) -> None:
        """Make the folder and the table where they are missing."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        async with self._engine.begin() as connection:
            await connection.run_sync(metadata.create_all)
            self._size_bytes = await connection.scalar(select(func.coalesce(func.sum(SIZE), 0))) or 0

    async def close(self) -> None:
        """Let the file go."""
        await self._engine.dispose()

    async def put(self, answer: Answer) -> None:
        """Keep a program's answer. A complete one stays as it is; one that was cut short may be replaced."""
        if answer.request is None:
            raise ValueError(f"{answer.id} has no request, so it could not be run again")
        request = await aside(canonical, program_fields(answer.request))
        await self._put(answer.id, request, answer.packed, answer.complete)

    async def put_run(self, name: str, program: str, run: RunRequest, checkpoints: bytes | None) -> None:
        """Keep what was asked of a program: a run called `name`; None of one that is still under way."""
        request = await aside(canonical, {"program": program, "run": run_fields(run)})
        await self._put(name, request, checkpoints or b"", complete=checkpoints is not None)

    async def drop_run(self, name: str) -> None:
        """Let go of a run that has not come to its end."""
        async with self._writing, self._engine.begin() as connection:
            mine = (results.c.id == name) & ~results.c.complete
            size_bytes = await connection.scalar(select(SIZE).where(mine))
            await connection.execute(delete(results).where(mine))
            self._size_bytes -= size_bytes or 0

    async def _put(self, name: str, request: str, packed: bytes, complete: bool) -> None:
        replacement = {"packed": packed, "complete": complete}
        statement = insert(results).values(id=name, request=request, **replacement)
        statement = statement.on_conflict_do_update(
            index_elements=["id"], set_=replacement, where=~results.c.complete
        )
        async with self._writing, self._engine.begin() as connection:
            await connection.execute(statement)
            self._size_bytes += len(packed) + len(request)
            if self._size_bytes > self.limit_bytes:
                await self._prune(connection)

    async def get(self, name: str) -> Answer | None:
        """The program's answer called `name`, or None."""
        row = await self._row(name)
        fields = read_canonical(row.request) if row else {}
        if row is None or "run" in fields:
            return None
        return Answer(name, row.packed, program_request(fields), complete=row.complete)

    async def get_run(self, name: str) -> KeptRun | None:
        """What is kept of the run called `name`, or None."""
        row = await self._row(name)
        fields = read_canonical(row.request) if row else {}
        if row is None or "run" not in fields:
            return None
        return KeptRun(fields["program"], run_request(fields["run"]), row.packed)

    async def _row(self, name: str) -> Any:
        query = select(results.c.packed, results.c.request, results.c.complete).where(results.c.id == name)
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).one_or_none()

    async def reachable(self) -> bool:
        """Whether the file answers."""
        async with self._engine.connect() as connection:
            return bool(await connection.scalar(text("SELECT 1")))

    async def _prune(self, connection: AsyncConnection) -> None:
        """Drop the oldest results until a tenth of the room is free; the newest stays."""
        while self._size_bytes > self.limit_bytes * 0.9:
            newest = select(func.max(results.c.number)).scalar_subquery()
            oldest = (
                select(results.c.number)
                .where(results.c.number < newest)
                .order_by(results.c.number)
                .limit(PRUNE_ROWS)
            )
            dropped = await connection.execute(delete(results).where(results.c.number.in_(oldest)))
            self._size_bytes = await connection.scalar(select(func.coalesce(func.sum(SIZE), 0))) or 0
            if not dropped.rowcount:
                return


def set_pragmas(connection: Any, _: Any) -> None:
    """Readers beside one writer, and every commit on the disk before it is told."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
