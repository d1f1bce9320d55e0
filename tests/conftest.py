"""What all tests share: their order, and drawn examples that stay the same, however long one takes."""

from __future__ import annotations

import math
from collections import Counter
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
    """Put the browser last: Playwright leaves an event loop running, and others need their own.

    In the browser the files with the most tests come first, since the last ones are waited for.
    """
    tests_of = Counter(item.path for item in items)
    items.sort(
        key=lambda item: tests_of[item.path] if BROWSER in item.path.parents else math.inf, reverse=True
    )
