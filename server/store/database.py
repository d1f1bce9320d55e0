"""The database: SQLite or PostgreSQL, one writer that groups what waits to be written, readers beside it.

What is deleted from a file is overwritten (`secure_delete`), and `forget` empties the journal too, so that
nothing of a class that has ended is left in the files.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TypeVar

import structlog
from sqlalchemy import URL, Connection, MetaData, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from server.store.deadlines import CLOSE_S, Patience
from server.store.engines import READERS, is_file, reading_engine, writing_engine
from server.store.schema import migrate
from server.store.writer import Writer

T = TypeVar("T")

START_TRIES, START_PAUSE_S = 15, 1.0

metadata = MetaData()
log = structlog.get_logger("gradlens")


class Database:
    """Tables that one process has, or that several replicas share.

    writer: writes in a thread of its own; readers: connections to read with.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self.writer = Writer(writing_engine(url))
        self.readers: AsyncEngine = reading_engine(url)
        self._patience = Patience()

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to it."""
        return not is_file(self.url)

    async def open(self) -> None:
        """Bring the tables to what this program knows, making what is missing.

        Raises: SchemaTooNew where a newer program has changed them; SQLAlchemyError where it is not there.
        """
        if is_file(self.url) and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        await asyncio.to_thread(migrate, self.url)
        if self.is_shared:
            await self._connect()

    async def open_patiently(self) -> None:
        """The same, and wait for a database that starts at the same time as we do."""
        for _ in range(START_TRIES if self.is_shared else 0):
            with suppress(OperationalError):
                await self.open()
                return
            log.warning("the database does not answer yet")
            await asyncio.sleep(START_PAUSE_S)
        await self.open()

    async def close(self) -> None:
        """Let the database go; one that does not answer is left as it is."""
        await self._patience.close()
        await self.writer.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self.readers.dispose()

    async def read(self, question: Callable[[Connection], T]) -> T:
        """What a function finds out with a connection that only reads.

        Raises: SQLAlchemyError where the database is not there, or does not answer in time.
        """
        return await self._patience.wait_for(self.read_all(question))

    async def read_all(self, question: Callable[[Connection], T]) -> T:
        """The same, however long it takes: for what looks at all there is, and nobody waits for."""
        async with self.readers.connect() as connection:
            return await connection.run_sync(question)

    async def transact(self, change: Callable[[Connection], T], then: Callable[[T], None] | None = None) -> T:
        """What a change returns, once it is on the disk. A change that raises leaves nothing behind.

        then: called with that, also where whoever asked for it no longer waits.
        Raises: SQLAlchemyError where others take too long, or the disk is full; what the change raises.
        """
        results: list[T] = []

        def write(connection: Connection) -> int:
            results[:] = [change(connection)]
            return 0

        await self.writer.write(write, None if then is None else lambda: then(results[0]))
        return results[0]

    async def forget(self, tables: Sequence[str]) -> None:
        """See that what was deleted from these tables is in no file: of the journal, or between the rows.

        (What PostgreSQL's write-ahead log and its backups hold is its operator's to bound.)
        """
        if is_file(self.url):
            await self.read(
                lambda connection: connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)")).all()
            )
            return
        with suppress(SQLAlchemyError):  # another replica is doing so
            await self._patience.wait_for(self._vacuum(tables))

    async def _connect(self) -> None:
        """Open all connections to read with, before the first class comes in at once."""
        async with AsyncExitStack() as stack:
            for _ in range(READERS):
                await stack.enter_async_context(self.readers.connect())

    async def _vacuum(self, tables: Sequence[str]) -> None:
        async with self.readers.connect() as connection:
            alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await alone.execute(text(f"VACUUM {', '.join(tables)}"))
