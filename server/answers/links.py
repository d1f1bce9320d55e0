"""Links: states of the page, kept under a hash of their content, apart from answers that come and go.

When there are too many bytes of them, those that were last sent the longest ago make room.
"""

from __future__ import annotations

import json

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    String,
    Table,
    Text,
    column,
    delete,
    func,
    select,
    table,
)

from server import clock
from server.store.database import Database, metadata
from server.store.engines import INSERTS

links = Table(
    "links",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(40), nullable=False, unique=True),
    Column("state", Text, nullable=False),  # JSON
    Column("size_bytes", Integer, nullable=False),
    Column("written_at", Float, nullable=False),  # seconds since 1970: when it was last sent
)
results = table("results", column("id"), column("request"))  # where versions of before keep links
SIZE = func.coalesce(func.sum(links.c.size_bytes), 0)


class Links:
    """States of the page by their id.

    limit_bytes: of all together.
    """

    def __init__(self, database: Database, limit_bytes: int) -> None:
        self._database = database
        self._limit_bytes = limit_bytes
        self._size_bytes = 0

    async def measure(self) -> None:
        """Add up what is there; other replicas write to it, too."""
        self._size_bytes = await self._database.read_all(_size)

    async def put(self, name: str, state: str) -> None:
        """Keep a state, as JSON, called `name`; what has its id is the same state."""

        size_bytes, now = len(state.encode()), clock.now()

        def keep(connection: Connection) -> None:
            insert = INSERTS[connection.dialect.name](links)
            row = insert.values(id=name, state=state, size_bytes=size_bytes, written_at=now)
            connection.execute(row.on_conflict_do_update(index_elements=["id"], set_={"written_at": now}))

        await self._database.transact(keep)
        self._size_bytes += size_bytes
        if self._size_bytes > self._limit_bytes:
            self._size_bytes = await self._database.transact(self._prune)

    async def get(self, name: str) -> str | None:
        """The JSON of the state called `name`, or None."""
        return await self._database.read(lambda connection: _state(connection, name))

    async def drop_older(self, than: float) -> None:
        """Let go of links that were last sent before that."""
        await self._database.transact(
            lambda connection: connection.execute(delete(links).where(links.c.written_at < than)).rowcount
        )

    def _prune(self, connection: Connection) -> int:
        """Drop the oldest, so that a tenth of the room is free. Returns: how many bytes are left."""
        newest_first = links.c.written_at.desc(), links.c.number.desc()
        upto = func.sum(links.c.size_bytes).over(order_by=newest_first).label("upto")
        sums = select(links.c.number, upto).subquery()
        oldest = select(sums.c.number).where(sums.c.upto > self._limit_bytes * 0.9)
        connection.execute(delete(links).where(links.c.number.in_(oldest)))
        return _size(connection)


def _size(connection: Connection) -> int:
    size: int = connection.execute(select(SIZE)).scalar_one()
    return size


def _state(connection: Connection, name: str) -> str | None:
    """The state of this name, also where a replica of an older version has just written it."""
    found: str | None = connection.execute(select(links.c.state).where(links.c.id == name)).scalar()
    if found is not None:
        return found
    request = connection.execute(select(results.c.request).where(results.c.id == name)).scalar()
    state = None if request is None else json.loads(request).get("link")
    return None if state is None else json.dumps(state, ensure_ascii=False)
