"""The tables' versions: brought up to date when the service starts, by one process at a time.

The steps stand in `migrations/versions`, for Alembic. Each only adds (a table, a column that may be empty):
so replicas of the version before serve on meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, create_engine, event

from server.store.engines import MIGRATING, arguments, begin_at_once, is_file, set_up_file

FOLDER = Path(__file__).parent / "migrations"
PATIENCE_S = 30  # for another process that brings the tables up to date


class SchemaTooNew(Exception):
    """The tables were changed by a newer version of the program."""


def migrate(url: URL, upto: str = "head") -> None:
    """Bring the tables up to date. upto: a version to stop at.

    Raises: SchemaTooNew; SQLAlchemyError where the database is not there.
    """
    with _alone(url) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in versions():
            raise SchemaTooNew(
                f"The store was written by a newer Gradlens (its tables are at {found}; this one knows them "
                f"up to {newest()}). Start that version, or give this one a store of its own."
            )
        command.upgrade(_config(connection), upto)


def newest() -> str:
    """The version of the tables that this program knows."""
    return versions()[0]


def versions() -> list[str]:
    """All that it knows, the newest first."""
    return [step.revision for step in ScriptDirectory(str(FOLDER)).walk_revisions()]


@contextmanager
def _alone(url: URL) -> Iterator[Connection]:
    """A transaction that no other process migrates beside."""
    if is_file(url):
        engine = create_engine(url, connect_args={"timeout": PATIENCE_S})
        event.listen(engine, "connect", set_up_file)
        event.listen(engine, "connect", lambda file, _: file.execute(f"PRAGMA busy_timeout={PATIENCE_S}000"))
        event.listen(engine, "begin", begin_at_once)
    else:
        engine = create_engine(url, connect_args=arguments())
    try:
        with engine.begin() as connection:
            if not is_file(url):
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'")
                connection.exec_driver_sql(f"SET LOCAL statement_timeout = '{PATIENCE_S}s'")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
            yield connection
    finally:
        engine.dispose()


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
