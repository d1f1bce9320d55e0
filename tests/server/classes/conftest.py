"""Classes are the same in a file and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.limits import PATIENT
from tests.server.service import running
from tests.server.store import servers


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """A client of a real service's REST interface, with either store."""
    settings: Any = {**PATIENT}
    if request.param == "postgresql":
        server: servers.Postgres = request.getfixturevalue("postgres")
        settings["DATABASE_URL"] = server.database()
    with running(tmp_path_factory.mktemp("data"), **settings) as service:
        yield service
