"""An alarm: no program of these tests may make the engine stumble, however politely it is put."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_mistake_of_ours(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record.getMessage() for record in caplog.records if record.name.startswith("engine.")] == []
