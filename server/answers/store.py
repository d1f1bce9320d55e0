"""Results on disk: one table, by id, so that a program still opens after a restart.

A row whose id is not that of its own request was written by another version of the engine: of such a program
only the request counts, and such a run's states are left out.

Each result is written before its id is sent (but a program that comes with a streamed run: who asks for
that before it is answered waits for it, in `answers.py`). When the store is full the oldest results make
room. Of a run the request is kept, and a few states on its way: it is computed again, number for number,
when somebody asks.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Executable,
    Float,
    Integer,
    LargeBinary,
    Select,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    select,
)
from sqlalchemy.exc import SQLAlchemyError

from engine.programs import RunRequest
from server import clock
from server.answers.links import Links
from server.serialization.answer import Answer
from server.serialization.identity import (
    aside,
    canonical,
    fields_of,
    program_from_fields,
    read_canonical,
    run_from_fields,
    run_id,
)
from server.store.database import Database, metadata
from server.store.engines import INSERTS

results = Table(
    "results",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),  # in order of first writing
    Column("id", String(40), nullable=False, unique=True),
    Column("request", Text, nullable=False),  # JSON, every field filled in
    Column("packed", LargeBinary, nullable=False),  # the answer's JSON text, gzip; of a run, its checkpoints
    Column("complete", Boolean, nullable=False),
    Column("written_at", Float),  # seconds since 1970; None of what an older version has written
)
probes = Table(
    "probes",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("packed", LargeBinary, nullable=False),
)
SIZE = func.length(results.c.packed) + func.length(results.c.request)
OTHERS = frozenset({"run", "link", "import"})  # in the request of what is no program
IMPORT = '{"import":true}'
PRUNE_ROWS = 200  # dropped at a time when the store is full
TIDY_S = 600.0  # how often to look for what is too old
PROBE_BYTES = 65_536  # what a look at the disk writes; a full one may still take a small answer


@dataclass(frozen=True, slots=True)
class KeptRun:
    """What is kept of a run: its program's id, what was asked, and states from which steps are computed."""

    program: str
    run: RunRequest
    checkpoints: bytes


class Store:
    """Answers to programs, and what runs were asked for, kept by id; and links to states of the page.

    keep_s: how long; without end where it is None.
    """

    def __init__(
        self, database: Database, limit_bytes: int, link_bytes: int = 10**8, keep_s: float | None = None
    ) -> None:
        self.limit_bytes = limit_bytes
        self.links = Links(database, link_bytes)
        self._keep_s = keep_s
        self._database = database
        self._writer = database.writer

    async def open(self) -> None:
        """Measure what is there."""
        await self.measure()
        await self.links.measure()

    async def measure(self) -> None:
        """Add up what is there; other replicas write to it, too."""
        self._writer.size_bytes = await self._database.read_all(
            lambda connection: connection.execute(size_of()).scalar_one()
        )

    async def tidy_regularly(self) -> None:
        """Measure what replicas have written together, and let go of what is too old, again and again."""
        while True:
            await asyncio.sleep(TIDY_S)
            with suppress(SQLAlchemyError):  # a store that does not answer now is looked at again
                await self.measure()
                await self.links.measure()
                if self._keep_s is not None:
                    await self.drop_older(clock.now() - self._keep_s)

    async def drop_older(self, than: float) -> None:
        """Let go of results and links that were written before that."""

        def drop(connection: Connection) -> int:
            before: int = connection.execute(size_of()).scalar_one()
            connection.execute(delete(results).where(results.c.written_at < than))
            left: int = connection.execute(size_of()).scalar_one()
            return left - before

        await self._writer.write(drop)
        await self.links.drop_older(than)

    async def put(self, answer: Answer) -> None:
        """Keep a program's answer. A complete one gives way to another complete one only."""
        if answer.request is None:
            raise ValueError(f"{answer.id} has no request, so it could not be run again")
        request = await aside(canonical, fields_of(answer.request))
        await self._put(answer.id, request, answer.packed, answer.complete)

    async def put_run(self, name: str, program: str, run: RunRequest, checkpoints: bytes | None) -> None:
        """Keep what was asked of a program: a run called `name`; None of one that is still under way."""
        request = await aside(canonical, {"program": program, "run": fields_of(run)})
        await self._put(name, request, checkpoints or b"", complete=checkpoints is not None)

    async def drop_run(self, name: str) -> None:
        """Let go of a run that has not come to its end."""
        await self._change(lambda _: DROP, {"name": name}, size_bytes=0)

    async def _put(self, name: str, request: str, packed: bytes, complete: bool) -> None:
        row = {"name": name, "new_request": request, "new_packed": packed, "new_complete": complete}
        row["new_written_at"] = clock.now()
        await self._change(PUT.__getitem__, row, size_bytes=len(request) + len(packed))

    async def _change(
        self, statement: Callable[[str], Executable], row: dict[str, Any], size_bytes: int
    ) -> None:
        """Change the row of this name, which takes `size_bytes` from then on if it changes.

        statement: by the kind of database.
        """

        def change(connection: Connection) -> int:
            before: int = connection.execute(SIZE_OF_ROW, row).scalar_one()
            changed = connection.execute(statement(connection.dialect.name), row)
            return size_bytes - before if changed.rowcount else 0

        await self._writer.write(change)
        if self._writer.size_bytes > self.limit_bytes:
            await self._writer.write(self._prune)

    async def get(self, name: str) -> Answer | None:
        """The program's answer called `name`, or None."""
        row = await self._row(name)
        fields = read_canonical(row.request) if row else {}
        if row is None or not fields.keys().isdisjoint(OTHERS):
            return None
        return Answer(name, row.packed, program_from_fields(fields), complete=row.complete)

    async def get_run(self, name: str) -> KeptRun | None:
        """What is kept of the run called `name`, or None."""
        row = await self._row(name)
        fields = read_canonical(row.request) if row else {}
        if row is None or "run" not in fields:
            return None
        program, run = fields["program"], run_from_fields(fields["run"])
        of_today = await aside(run_id, program, run) == name
        return KeptRun(program, run, row.packed if of_today else b"")

    async def put_import(self, name: str, packed: bytes) -> None:
        """Keep the file of a graph, compressed, called `name`."""
        await self._put(name, IMPORT, packed, complete=True)

    async def get_import(self, name: str) -> bytes | None:
        """The file of the graph called `name`, compressed, or None."""
        row = await self._row(name)
        packed: bytes | None = row.packed if row and row.request == IMPORT else None
        return packed

    async def _row(self, name: str) -> Any:
        return await self._database.read(
            lambda connection: connection.execute(ROW, {"name": name}).one_or_none()
        )

    async def check_writing(self) -> None:
        """Write as much as an answer has, over what the last such look has written.

        The bytes are others each time: SQLite leaves pages alone whose content stays the same.
        Raises: SQLAlchemyError where that fails.
        """
        packed = os.urandom(PROBE_BYTES)

        def probe(connection: Connection) -> int:
            written = INSERTS[connection.dialect.name](probes).values(number=1, packed=packed)
            connection.execute(
                written.on_conflict_do_update(index_elements=["number"], set_={"packed": packed})
            )
            return 0

        await self._writer.write(probe)

    def _prune(self, connection: Connection) -> int:
        """Drop the oldest results until a tenth of the room is free; the newest stays."""
        before: int = connection.execute(size_of()).scalar_one()
        left = before
        while left > self.limit_bytes * 0.9:
            newest = select(func.max(results.c.number)).scalar_subquery()
            oldest = (
                select(results.c.number)
                .where(results.c.number < newest)
                .order_by(results.c.number)
                .limit(PRUNE_ROWS)
            )
            if not connection.execute(delete(results).where(results.c.number.in_(oldest))).rowcount:
                break
            left = connection.execute(size_of()).scalar_one()
        return left - before


def putting(insert: Callable[..., Any]) -> Executable:
    """Writes a row; one that is there gives way where it is not complete, or where a complete one differs."""
    names = ("request", "packed", "complete", "written_at")
    fields: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
    statement = insert(results).values(id=bindparam("name"), **fields)
    new = statement.excluded
    differs = (results.c.packed != new.packed) | (results.c.request != new.request)
    written: Executable = statement.on_conflict_do_update(
        index_elements=["id"],
        set_={name: new[name] for name in fields},
        where=~results.c.complete | (new.complete & differs),
    ).execution_options(preserve_rowcount=True)
    return written


def size_of(*which: ColumnElement[bool]) -> Select[Any]:
    """Asks how many bytes the rows take, all or some of them."""
    return select(func.coalesce(func.sum(SIZE), 0)).where(*which)


# made once: to make a statement takes longer than to execute it
NAMED = results.c.id == bindparam("name")
ROW = select(results.c.packed, results.c.request, results.c.complete).where(NAMED)
SIZE_OF_ROW = size_of(NAMED)
PUT = {kind: putting(insert) for kind, insert in INSERTS.items()}
DROP = delete(results).where(NAMED & ~results.c.complete).execution_options(preserve_rowcount=True)
