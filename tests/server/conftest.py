"""One service for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.service import running


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
    with running(data_dir, GRADLENS_LIMITS__WALL_S="25") as service:  # not what a busy machine stops
        yield service
