"""A real server, and a page in Firefox and in WebKit that fails its test on any error it meets.

`make test` walks the main paths; `make browsers` (`GRADLENS_BROWSERS=all`) walks all of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from tests.browser.actions import ROOT
from tests.browsers.driving.firefox import Firefox
from tests.browsers.driving.tab import Browser, Missing, Tab
from tests.browsers.driving.webkit import WebKit
from tests.browsers.visitor import Visitor
from tests.server.service import running

IN_FULL = os.environ.get("GRADLENS_BROWSERS") == "all"
PICTURES = ROOT / "build" / "browsers"
STARTED: dict[str, Callable[[Path], Browser]] = {"firefox": Firefox, "webkit": WebKit}
MODULES = os.environ.get("GRADLENS_MODULES", "")  # the bundle is sent, unless one looks for a mistake
FAILED = pytest.StashKey[bool]()
NewVisitor = Callable[[], Visitor]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All of this folder drives browsers; without `make browsers`, only the main paths are walked."""
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.slow)
    left_out = [] if IN_FULL else [item for item in ours if item.path.name != "test_main_paths.py"]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A path that fails is walked once more: on a busy machine a few do, and why has not been found."""
    if Path(__file__).parent not in item.path.parents:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports):
        item.stash[FAILED] = False
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests failed, for the picture of their last look."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server process of our own; it sends the page as its bundle, as everybody has it."""
    with running(tmp_path_factory.mktemp("data"), GRADLENS_MODULES=MODULES) as client:
        yield str(client.base_url).split("/api/")[0]


@pytest.fixture(scope="module", params=sorted(STARTED))
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser of each kind for the tests of a file: its pages take processor time, looked at or not."""
    try:
        started = STARTED[request.param](tmp_path_factory.mktemp(request.param))
    except Missing as reason:
        pytest.skip(f"{reason}; scripts/install_tools.sh says what is")
    yield started
    started.close()


@pytest.fixture(scope="module")
def free_tabs(browser: Browser) -> list[Tab]:
    """Windows that no visitor uses now: a new one takes long."""
    return []


@pytest.fixture
def new_visitor(
    browser: Browser, free_tabs: list[Tab], server: str, request: pytest.FixtureRequest
) -> Iterator[NewVisitor]:
    """Lets one more visitor come; their troubles fail the test, and then their last look is saved."""
    taken: list[Tab] = []

    def come() -> Visitor:
        tab = free_tabs.pop() if free_tabs else browser.new_tab()
        taken.append(tab)
        return Visitor(tab, server)

    yield come
    troubles = [line for tab in taken for line in tab.troubles()]
    if request.node.stash.get(FAILED, False) or troubles:
        save_pictures(taken, request.node.name)
    free_tabs.extend(taken)
    assert troubles == []


@pytest.fixture
def visitor(new_visitor: NewVisitor) -> Visitor:
    """Somebody who has not opened the page yet."""
    return new_visitor()


def save_pictures(tabs: list[Tab], test: str) -> None:
    """The last look of the windows of a test that failed, in a folder of the checkout."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", test).strip("-")
    for index, tab in enumerate(tabs):
        (PICTURES / f"{name}{index or ''}.png").write_bytes(tab.picture())
