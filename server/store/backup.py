"""A backup: one file, the same whichever database the store is, as it was at one moment of its work.

The file is a SQLite database with the store's own tables. So what was in PostgreSQL can be brought back into
a file on a laptop, and the other way round.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, MetaData, Table, create_engine, func, insert, select, text

from server.store.engines import is_file, sqlite_at, writing_engine
from server.store.schema import migrate

ROWS = 200  # read and written at a time
NOT_COPIED = {"probes"}  # what looks at the disk have written
PATIENCE_MS = 60_000  # for a statement; a backup has more time than a request


class BackupError(Exception):
    """A backup that cannot be taken or brought back: why, and what to try."""


def back_up(url: URL, file: Path, metadata: MetaData) -> int:
    """Write what is in the store to a file, as it is at one moment, while the service goes on.

    Returns: how many rows. Raises: BackupError; SQLAlchemyError, OSError.
    """
    if is_file(url) and not Path(url.database or "").is_file():
        raise BackupError(f"There is no store at {url.database}. Set GRADLENS_DATA_DIR or DATABASE_URL.")
    with _written_beside(file) as beside:
        if is_file(url):
            copy_file(Path(url.database or ""), beside)
            migrate(sqlite_at(beside))
        else:
            migrate(sqlite_at(beside))
            with _snapshot(url) as source, _writing(sqlite_at(beside)) as target:
                _copy(source, target, metadata)
        _in_one_file(beside)
        return _check(beside, metadata)


def restore(url: URL, file: Path, metadata: MetaData, *, replace: bool = False) -> int:
    """Bring back what a backup holds, all or nothing. replace: what is in the store now is dropped.

    Returns: how many rows. Raises: BackupError; SchemaTooNew; SQLAlchemyError, OSError.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup.sqlite3"
        shutil.copyfile(file, copy)
        _check(copy)
        migrate(sqlite_at(copy))  # a backup of an older version
        if is_file(url):
            Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
        migrate(url)
        with _snapshot(sqlite_at(copy)) as source, _writing(url) as target:
            _empty(target, metadata, replace)
            _copy(source, target, metadata)
            _go_on_numbering(target, metadata)
        return _check(copy, metadata)


def copy_file(source: Path, target: Path) -> None:
    """Copy a SQLite database that others write to, by SQLite's own means."""
    with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)


def tables_of(metadata: MetaData) -> list[Table]:
    """What is copied: a row's parents before it."""
    return [table for table in metadata.sorted_tables if table.name not in NOT_COPIED]


def _copy(source: Connection, target: Connection, metadata: MetaData) -> None:
    for table in tables_of(metadata):
        found = source.execution_options(yield_per=ROWS).execute(select(table))
        for rows in found.mappings().partitions(ROWS):
            target.execute(insert(table), [dict(row) for row in rows])


def _empty(target: Connection, metadata: MetaData, replace: bool) -> None:
    """Make room. Raises: BackupError where there is something that is not to be replaced."""
    for table in reversed(tables_of(metadata)):
        if replace:
            target.execute(table.delete())
        elif target.execute(select(func.count()).select_from(table)).scalar_one():
            raise BackupError(
                f"The store is not empty: there are {table.name} in it. Restore into an empty one, or add "
                "--replace to drop what is there."
            )


def _go_on_numbering(target: Connection, metadata: MetaData) -> None:
    """Let PostgreSQL number new rows after those that were brought back; SQLite does so by itself."""
    if target.dialect.name != "postgresql":
        return
    for table in tables_of(metadata):
        column = table.autoincrement_column
        if column is not None and column.autoincrement is True:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            last = select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()
            target.execute(select(func.setval(sequence, last, False)))


@contextmanager
def _snapshot(url: URL) -> Iterator[Connection]:
    """A connection that sees the store as it is now, whatever is written meanwhile."""
    isolation = "SERIALIZABLE" if is_file(url) else "REPEATABLE READ"
    engine = create_engine(url, isolation_level=isolation)
    try:
        with engine.connect() as connection, connection.begin():
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _writing(url: URL) -> Iterator[Connection]:
    """One transaction that writes; those of the service wait."""
    engine = writing_engine(url)
    try:
        with engine.begin() as connection:
            if not is_file(url):
                connection.execute(text(f"SET LOCAL statement_timeout = {PATIENCE_MS}"))
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _written_beside(file: Path) -> Iterator[Path]:
    """A file that takes its name only when it is whole. Nobody else may read it: it has hashes of tokens."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        with beside.open("rb") as written:
            os.fsync(written.fileno())
        beside.replace(file)
    finally:
        for left in file.parent.glob(f"{beside.name}*"):
            left.unlink()


def _in_one_file(file: Path) -> None:
    """Let go of the journal beside a database."""
    with closing(sqlite3.connect(file)) as written:
        written.execute("PRAGMA journal_mode=DELETE")


def _check(file: Path, metadata: MetaData | None = None) -> int:
    """Look whether a backup is whole. Returns: how many rows it has. Raises: BackupError."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as found:
            names = {name for (name,) in found.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if "results" not in names:
                raise BackupError("This is no backup of Gradlens: it has none of its tables.")
            if found.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise BackupError("The backup is damaged. Use an older one.")
            tables = [] if metadata is None else [table.name for table in tables_of(metadata)]
            return sum(found.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables)
    except sqlite3.DatabaseError:
        raise BackupError("This is no backup of Gradlens, or it is damaged.") from None
