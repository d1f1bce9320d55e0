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
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.actions import PATIENCE_MS, ROOT, SCREENSHOTS, OpenPage
from tests.browser.slowness import slowed
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
# Before the tab's first page alone: a later one finds what was chosen since.
CHOOSE_LEVEL = """
if (!sessionStorage.getItem("visited")) localStorage.setItem("gradlens.level", "%s");
sessionStorage.setItem("visited", "yes");
"""
UNFOLD_DOCK = """if (innerHeight >= 840)
  localStorage.getItem('gradlens.dock') ?? localStorage.setItem('gradlens.dock', 'true')"""
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
def profiles() -> dict[str, list[BrowserContext]]:
    """Those that no visitor uses now, by locale. Each keeps our files, which take long to load."""
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
    profiles: dict[str, list[BrowserContext]],
    level: str | None,
    request: pytest.FixtureRequest,
) -> Iterator[OpenPage]:
    """Opens the page as a new visitor; its troubles fail the test, and then its last look is kept."""
    troubles: list[str] = []
    pages: list[tuple[str, Page]] = []

    def opener(size: str = "wide", locale: str = "en-US", dark: bool = False, path: str = "/") -> Page:
        free = profiles.setdefault(locale, [])
        page = new_visitor(free.pop() if free else new_profile(browser, locale), server)
        pages.append((locale, page))
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        watch(page, server, troubles)
        if level:
            page.add_init_script(CHOOSE_LEVEL % level)
        if not request.node.get_closest_marker("folded"):
            page.add_init_script(UNFOLD_DOCK)
        page.goto(server + path)
        page.wait_for_selector("html[data-graph-drawn]")
        page.wait_for_selector(ALL_PARTS_LOADED)
        return page

    yield opener
    if request.node.stash.get(FAILED, False) or troubles:
        keep_pictures([page for _, page in pages], request.node.name)
    for locale, page in pages:
        page.close()
        profiles[locale].append(page.context)
    assert troubles == []


def keep_pictures(pages: list[Page], test: str) -> None:
    """The last look of the pages of a test that failed, in a folder of the checkout."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", test).strip("-")
    for index, page in enumerate(pages):
        page.screenshot(path=SCREENSHOTS / f"{name}{index or ''}.png")


def new_profile(browser: Browser, locale: str) -> BrowserContext:
    """A browser that has never seen our page."""
    context = slowed(browser.new_context(locale=locale, reduced_motion="reduce"))
    context.set_default_timeout(PATIENCE_MS)
    context.new_page()  # an empty one that stays: with its last page a profile loses what it has loaded
    return context


def new_visitor(profile: BrowserContext, server: str) -> Page:
    """An empty page, for one of whom nothing is kept but the files that all are served."""
    page = profile.new_page()
    kept = "cookies,indexeddb,local_storage,service_workers,cache_storage"
    profile.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": server, "storageTypes": kept})
    return page


def watch(page: Page, server: str, troubles: list[str]) -> None:
    """Note every error on the console, failed request and request to another host."""
    page.on("console", lambda line: note_line(line.type, line.text, troubles))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("requestfailed", lambda sent: note_failure(sent.url, sent.failure, troubles))
    page.on("request", lambda sent: None if is_own(sent.url, server) else troubles.append(sent.url))


def is_own(url: str, server: str) -> bool:
    """Whether a request stays with our server (or needs none)."""
    return url.startswith((server + "/", "data:", "blob:"))


def note_line(kind: str, text: str, troubles: list[str]) -> None:
    """A problem document, 503 on a busy machine, is an answer that the page tells; noted all the same."""
    if kind in {"error", "warning"} and not re.search("status of (409|422|503)", text):
        troubles.append(text)


def note_failure(url: str, failure: str | None, troubles: list[str]) -> None:
    """A question that a newer one ended is no trouble."""
    if failure != "net::ERR_ABORTED":
        troubles.append(f"{url}: {failure}")


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The page as an English-speaking visitor with a wide screen finds it."""
    return open_page()
