"""A real server, a real Chromium, and a page that fails its test on any error it meets."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.actions import PATIENCE_MS, ROOT, SCREENSHOTS, OpenPage
from tests.browser.tabs import Tab
from tests.limits import PATIENT

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
ALL_PARTS_LOADED = "body:not(:has(:not(:defined)))"  # the graph comes first, the panels after it
TALL = 840  # a window in which a visitor may have unfolded the tools at the bottom
FAILED = pytest.StashKey[bool]()
SIZES = {"wide": (1440, 900), "middle": (1024, 768), "small": (390, 844), "low": (844, 390)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests failed, for the picture of their last look."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


def find_chromium() -> str:
    """The browser to drive: `CHROMIUM`, else one on the path, at best the one without windows of its own."""
    names = [os.environ.get("CHROMIUM", ""), "chromium-headless-shell"]
    names += ["chromium", "chromium-browser", "google-chrome"]
    found = [path for name in names if name and (path := shutil.which(name))]
    if not found:
        pytest.fail("No Chromium was found. Install it (apt-get install chromium) or set CHROMIUM.")
    return found[0]


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server process of our own; it sends the page as its bundle, as everybody has it."""
    with serving(str(tmp_path_factory.mktemp("bundled")), GRADLENS_MODULES="") as address:
        yield address


@pytest.fixture(scope="session")
def unbundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one that sends the page as modules, into which tests look."""
    with serving(str(tmp_path_factory.mktemp("data")), GRADLENS_MODULES="1") as address:
        yield address


@pytest.fixture
def server(request: pytest.FixtureRequest) -> str:
    """The address of the server that the page comes from."""
    modules = request.node.get_closest_marker("modules")
    address: str = request.getfixturevalue("unbundled" if modules else "bundled")
    return address


@contextmanager
def serving(data: str, **settings: str) -> Iterator[str]:
    """The address of a server."""
    ours = {"GRADLENS_PROFILE": "class", "GRADLENS_DATA_DIR": data, **PATIENT, **settings}
    command = [sys.executable, "-m", "gradlens", "serve", "--port", "0"]
    environment = {**os.environ, **ours}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        said = process.stdout.readline() if process.stdout else ""
        ready = re.search(r"http://\S+", said)
        if ready is None:
            pytest.fail("The server did not start; what it says stands above.")
        yield ready.group()
        process.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MS)
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def tabs() -> dict[tuple[str, str], list[Tab]]:
    """Those that no visitor has now, by server and locale."""
    return {}


@pytest.fixture
def level(request: pytest.FixtureRequest) -> str | None:
    """The level that the visitor chose on an earlier visit; None for who has not chosen."""
    chosen = request.node.get_closest_marker("level")
    return chosen and str(chosen.args[0])


@pytest.fixture
def open_page(
    browser: Browser,
    server: str,
    tabs: dict[tuple[str, str], list[Tab]],
    level: str | None,
    request: pytest.FixtureRequest,
) -> Iterator[OpenPage]:
    """Opens the page as a new visitor; its troubles fail the test, and then its last look is kept."""
    lent: list[tuple[list[Tab], Tab]] = []
    has_own_tab = request.node.get_closest_marker("own_tab") is not None
    is_folded = request.node.get_closest_marker("folded") is not None

    def opener(size: str = "wide", locale: str = "en-US", dark: bool = False, path: str = "/") -> Page:
        free = tabs.setdefault((server, locale), [])
        tab = Tab(browser, server, locale) if has_own_tab or not free else free.pop()
        lent.append((free, tab))
        if not has_own_tab:
            tab.keep_to_what_is_taken_back()
        width, height = SIZES[size]
        choices = {"gradlens.level": level} if level else {}
        if height >= TALL and not is_folded:
            choices["gradlens.dock"] = "true"
        page = tab.lend((width, height), dark=dark, choices=choices)
        page.goto(server + path)
        page.wait_for_selector("html[data-graph-drawn]")
        page.wait_for_selector(ALL_PARTS_LOADED)
        return page

    yield opener
    troubles = [trouble for _, tab in lent for trouble in tab.troubles]
    has_failed = request.node.stash.get(FAILED, False) or bool(troubles)
    if has_failed:
        keep_pictures([tab.page for _, tab in lent], request.node.name)
    for free, tab in lent:
        if has_failed or has_own_tab:
            tab.close()
        else:
            tab.take_back()
            free.append(tab)
    assert troubles == []


def keep_pictures(pages: list[Page], test: str) -> None:
    """The last look of the pages of a test that failed, in a folder of the checkout."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", test).strip("-")
    for index, page in enumerate(pages):
        page.screenshot(path=SCREENSHOTS / f"{name}{index or ''}.png")


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The page as an English-speaking visitor with a wide screen finds it."""
    return open_page()
