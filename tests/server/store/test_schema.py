"""The tables' versions: brought up to date by one at a time, and never by an older program."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, text

import server.answers.store
import server.classes.tables
from server.store.database import metadata
from server.store.engines import read_url
from server.store.schema import SchemaTooNew, migrate, newest

BEFORE_VERSIONS = """
CREATE TABLE results (number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, id VARCHAR(40) NOT NULL UNIQUE,
                      request TEXT NOT NULL, packed BLOB NOT NULL, complete BOOLEAN NOT NULL);
INSERT INTO results VALUES (1, 'p_1', '{"source": "y = x"}', x'00', 1);
INSERT INTO results VALUES (2, 'l_1', '{"link": {"source": "y = x^2"}}', x'', 1);
"""


def test_the_steps_lead_to_the_tables_that_the_program_uses(database_url: str) -> None:
    assert server.answers.store.results.metadata is server.classes.tables.classes.metadata is metadata
    url = read_url(database_url)
    migrate(url)
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == newest()
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_eight_that_start_at_once_make_the_tables_once(database_url: str) -> None:
    errors: list[Exception] = []

    def start() -> None:
        try:
            migrate(read_url(database_url))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_the_file_of_a_program_without_versions_is_taken_over_with_its_links(tmp_path: Path) -> None:
    file = sqlite3.connect(tmp_path / "old.sqlite3")
    file.executescript(BEFORE_VERSIONS)
    migrate(read_url(f"sqlite:///{tmp_path / 'old.sqlite3'}"))
    assert file.execute("SELECT id FROM results ORDER BY number").fetchall() == [("p_1",), ("l_1",)]
    ((name, state),) = file.execute("SELECT id, state FROM links").fetchall()
    assert (name, json.loads(state)) == ("l_1", {"source": "y = x^2"})
    file.close()


def test_tables_of_a_newer_program_are_refused_in_words(database_url: str) -> None:
    url = read_url(database_url)
    migrate(url)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'v999'"))
    engine.dispose()
    with pytest.raises(
        SchemaTooNew, match=rf"its tables are at v999; this one knows them up to {newest()}\)\."
    ):
        migrate(url)


def test_a_replica_of_the_version_before_goes_on_writing_after_an_upgrade(database_url: str) -> None:
    url = read_url(database_url)
    migrate(url, upto="v001")
    written = "INSERT INTO results (id, request, packed, complete) VALUES (:id, '{}', :packed, true)"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(written), {"id": "p_before", "packed": b"1"})
    migrate(url)
    with engine.begin() as connection:
        connection.execute(text(written), {"id": "p_after", "packed": b"2"})
        found = connection.execute(text("SELECT id, written_at FROM results ORDER BY number")).all()
    engine.dispose()
    assert [tuple(row) for row in found] == [("p_before", None), ("p_after", None)]
