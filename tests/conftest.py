"""The order of the tests: unit tests, whole programs, the browser."""

from __future__ import annotations

from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser last: Playwright leaves an event loop running, and others need their own."""
    items.sort(key=lambda item: BROWSER in item.path.parents)
