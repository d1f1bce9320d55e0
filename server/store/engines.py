"""The two databases that the store can be: a file of SQLite, or PostgreSQL where several replicas share it.

Whoever writes does so alone, in both: SQLite has one writer (`BEGIN IMMEDIATE`), and in PostgreSQL each
transaction that writes begins with one advisory lock. So a change reads what no other one is changing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.settings import UnusableAddress
from server.store.deadlines import LONGEST_READ_S

FILE_NAME = "gradlens.sqlite3"
OTHERS_S = 0.2  # to wait for writers in other processes; then nothing is written
REPLICAS_S = 0.5  # the same where replicas take turns
READERS = 8  # connections; who finds all in use waits, since to open another one takes longer
WRITING, MIGRATING = 7_420_130_001, 7_420_130_002  # advisory locks; any numbers that nobody else uses
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "secure_delete=ON",
    "foreign_keys=ON",
    f"busy_timeout={OTHERS_S * 1000:.0f}",
)
SESSION = {  # of PostgreSQL, in milliseconds: nobody holds a lock who has stopped, or waits for long
    "lock_timeout": round(REPLICAS_S * 1000),
    "statement_timeout": 10_000,
    "idle_in_transaction_session_timeout": 1_500,
}
CONNECTING = {  # seconds; a database that has gone without a word is noticed
    "connect_timeout": 2,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 3_000,  # milliseconds
}
INSERTS: dict[str, Callable[..., Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def store_url(database_url: str | None, data_dir: Path) -> URL:
    """Where the store is: the database that is set, or a file."""
    return read_url(database_url) if database_url else sqlite_at(data_dir / FILE_NAME)


def sqlite_at(path: Path) -> URL:
    """The address of a file."""
    return URL.create("sqlite", database=str(path))


def read_url(text: str) -> URL:
    """The address of a database, as `DATABASE_URL` has it.

    Raises: UnusableAddress where it is none, or of a database that is not known or not installed.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise UnusableAddress("DATABASE_URL is no address. Write postgresql://user@host/name.") from None
    kind = url.get_backend_name()
    if kind == "sqlite" and url.database not in (None, "", ":memory:"):
        return url.set(drivername="sqlite")
    if kind not in ("postgres", "postgresql"):
        raise UnusableAddress(
            "DATABASE_URL can be postgresql://user@host/name or sqlite:////folder/file. Without it the store "
            "is a file in GRADLENS_DATA_DIR."
        )
    if find_spec("psycopg") is None:
        raise UnusableAddress("DATABASE_URL: PostgreSQL needs psycopg: pip install 'gradlens[scale]'.")
    return url.set(drivername="postgresql+psycopg")


def is_file(url: URL) -> bool:
    """Whether this is SQLite's, and no server's."""
    return url.get_backend_name() == "sqlite"


def writing_engine(url: URL) -> Engine:
    """Connections for one thread that writes, each transaction of which excludes all others that write."""
    if is_file(url):
        engine = create_engine(url)
        event.listen(engine, "connect", set_up_file)
        event.listen(engine, "begin", begin_at_once)
    else:
        engine = create_engine(url, pool_size=1, pool_pre_ping=True, connect_args=arguments())
        event.listen(engine, "begin", take_turn)
    return engine


def reading_engine(url: URL) -> AsyncEngine:
    """Connections to read with."""
    pool = {"pool_size": READERS, "max_overflow": 0, "pool_timeout": LONGEST_READ_S}
    if is_file(url):
        engine = create_async_engine(url.set(drivername="sqlite+aiosqlite"), **pool)
        event.listen(engine.sync_engine, "connect", set_pragmas)
        return engine
    return create_async_engine(
        url, **pool, pool_pre_ping=True, isolation_level="REPEATABLE READ", connect_args=arguments()
    )


def arguments() -> dict[str, Any]:
    """What each connection to PostgreSQL is opened with."""
    options = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
    return {**CONNECTING, "options": options, "application_name": "gradlens"}


def set_pragmas(connection: Any, _: Any) -> None:
    """Readers beside one writer, and every commit on the disk before it is reported."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def set_up_file(connection: Any, record: Any) -> None:
    """The same, and transactions begin when we say so."""
    connection.isolation_level = None
    set_pragmas(connection, record)


def begin_at_once(connection: Connection) -> None:
    """Begin as the one that writes, so that what a change reads is still so when it writes."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def take_turn(connection: Connection) -> None:
    """The same among replicas: the lock is let go with the transaction."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITING})")
