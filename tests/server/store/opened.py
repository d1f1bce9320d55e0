"""A store on a database of its own, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from server.answers.store import Store
from server.store.database import Database
from server.store.engines import read_url, sqlite_at


@asynccontextmanager
async def opened(where: Path | str) -> AsyncIterator[Database]:
    """Open the database in a file, or at an address; close it at the end."""
    database = Database(sqlite_at(where) if isinstance(where, Path) else read_url(where))
    try:
        await database.open()
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def opened_store(where: Path | str, limit_bytes: int = 10**8, **limits: Any) -> AsyncIterator[Store]:
    """Open the store in a file, or at an address; close it at the end."""
    async with opened(where) as database:
        store = Store(database, limit_bytes, **limits)
        await store.open()
        yield store
