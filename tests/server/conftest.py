"""One service for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.service import running


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a real service's REST interface."""
    data_dir = tmp_path_factory.mktemp("data")
    with running(data_dir, GRADLENS_LIMITS__WALL_S="25") as service:  # not what a busy machine stops
        yield service
