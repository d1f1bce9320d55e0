"""A store on a database of its own, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from server.answers.store import Store
from server.store.database import Database
from server.store.engines import sqlite_at


@asynccontextmanager
async def opened_store(path: Path, limit_bytes: int = 10**8) -> AsyncIterator[Store]:
    """Open the store in the file `path`; close it at the end."""
    database = Database(sqlite_at(path))
    await database.open()
    try:
        store = Store(database, limit_bytes)
        await store.open()
        yield store
    finally:
        await database.close()
