"""One service for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.limits import PATIENT
from tests.server.service import ROOT, running
from tests.server.store import servers


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks a service is slow: the service is a program of its own, with workers, and has to start."""
    for item in items:
        if "client" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a real service's REST interface."""
    data_dir = tmp_path_factory.mktemp("data")
    with running(data_dir, cwd=ROOT, **PATIENT) as service:
        yield service


@pytest.fixture(scope="session")
def postgres() -> Iterator[servers.Postgres]:
    """A PostgreSQL that tests share, each with a database of its own."""
    with servers.postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database: what is tested with it holds for both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite3'}"
    server: servers.Postgres = request.getfixturevalue("postgres")
    return server.database()
