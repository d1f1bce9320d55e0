"""The database: one file in SQLite, one writer that groups what waits to be written, readers beside it.

What is deleted is overwritten (`secure_delete`), and `forget` empties the journal too, so that nothing of a
class that has ended is left in the files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, MetaData, create_engine, event, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.store.writer import OTHERS_S, Writer

T = TypeVar("T")

PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "secure_delete=ON",
    "foreign_keys=ON",
    f"busy_timeout={OTHERS_S * 1000:.0f}",
)
metadata = MetaData()


class Database:
    """Tables in one file.

    writer: writes in a thread of its own; readers: connections to read with.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = create_engine(f"sqlite:///{path}")
        self.writer = Writer(self._writing)
        self.readers: AsyncEngine = create_async_engine(f"sqlite+aiosqlite:///{path}")
        for engine in (self._writing, self.readers.sync_engine):
            event.listen(engine, "connect", set_pragmas)

    async def open(self) -> None:
        """Make the folder and the tables where they are missing."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        async with self.readers.begin() as connection:
            await connection.run_sync(metadata.create_all)

    async def close(self) -> None:
        """Let the file go."""
        await self.writer.close()
        await self.readers.dispose()

    async def read(self, question: Callable[[Connection], T]) -> T:
        """What a function finds out with a connection that only reads."""
        async with self.readers.connect() as connection:
            return await connection.run_sync(question)

    async def transact(self, change: Callable[[Connection], T]) -> T:
        """What a change returns, once it is on the disk. A change that raises leaves nothing behind.

        Raises: SQLAlchemyError where others take too long, or the disk is full; what the change raises.
        """
        results: list[T] = []

        def write(connection: Connection) -> int:
            results[:] = [change(connection)]
            return 0

        await self.writer.write(write)
        return results[0]

    async def forget(self) -> None:
        """Write what the journal holds into the file, and cut the journal to nothing."""
        await self.read(lambda connection: connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)")).all())


def set_pragmas(connection: Any, _: Any) -> None:
    """Readers beside one writer, and every commit on the disk before it is reported."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
