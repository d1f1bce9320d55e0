"""What all tests share: how they come to be, their order, and drawn examples that stay the same."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

OBJECTS_PER_COLLECTION = 20_000  # as in a service: building a graph makes many objects, and little garbage
BROWSER, SERVER = (Path(__file__).parent / name for name in ("browser", "server"))
AS_MANY_TESTS = {  # each of usual length, take as long as all of a file whose own tests are long
    "share/test_printing.py": 50,
    "graph/test_gallery_drawings.py": 45,
    "share/test_walks.py": 40,
    "page/test_whole_picture.py": 20,
    "page/test_tools_by_keys.py": 18,
    "graph/test_sight.py": 15,
}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are made here, and stay: never is there garbage among them to look for.

    In what they do, it is looked for less often than Python does by itself.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(OBJECTS_PER_COLLECTION)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser last: Playwright leaves an event loop running, and others need their own.

    Before it, and in it, the files that take longest come first, since the last ones are waited for: those
    with the most slow tests, and in the browser, where every test is slow, with the most or the longest. Of
    those with none, the files that wait for a service come first.
    """
    slow_of = Counter(item.path for item in items if item.get_closest_marker("slow"))
    tests_of = Counter(item.path for item in items)
    tests_of |= Counter({BROWSER / name: tests for name, tests in AS_MANY_TESTS.items()})

    def place(path: Path) -> tuple[bool, int, bool]:
        in_browser = BROWSER in path.parents
        return not in_browser, (tests_of if in_browser else slow_of)[path], SERVER in path.parents

    places = {path: place(path) for path in {item.path for item in items}}
    items.sort(key=lambda item: places[item.path], reverse=True)
