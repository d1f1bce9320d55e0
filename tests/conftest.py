"""What all tests share: their order (the browser last), and drawn examples that are the same in every run,
however long one takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

BROWSER = Path(__file__).parent / "browser"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser last: Playwright leaves an event loop running, and others need their own."""
    items.sort(key=lambda item: BROWSER in item.path.parents)
