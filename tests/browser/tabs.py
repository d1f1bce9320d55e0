"""Tabs that are lent from test to test, each time to one who has never seen the page.

A tab that has had the page opens it with half of the processor's time: its process is there, and holds what
it has compiled.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.actions import PATIENCE_MS
from tests.browser.slowness import slowed

EMPTY = "/api/v1/health"  # of the page's origin, and not the page
KEPT = "cookies,indexeddb,service_workers,cache_storage"
REMEMBER = (
    "(choices) => Object.entries(choices).forEach(([name, value]) => localStorage.setItem(name, value))"
)
NOT_TAKEN_BACK = ["add_init_script", "expose_binding", "expose_function", "on", "once"]


class Tab:
    """A tab in a profile of its own, and the troubles of who has it now."""

    def __init__(self, browser: Browser, server: str, locale: str) -> None:
        self.troubles: list[str] = []
        self._server = server
        profile = slowed(browser.new_context(locale=locale, reduced_motion="reduce"))
        profile.set_default_timeout(PATIENCE_MS)
        self.page = profile.new_page()
        watch(self.page, server, self.troubles)
        self._devtools = profile.new_cdp_session(self.page)
        self.page.goto(server + EMPTY)

    def lend(self, size: tuple[int, int], *, dark: bool, choices: dict[str, str]) -> Page:
        """The empty page, for one of whom nothing is kept but our files and these choices."""
        self.troubles.clear()
        self._devtools.send("Storage.clearDataForOrigin", {"origin": self._server, "storageTypes": KEPT})
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.page.evaluate(REMEMBER, choices)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme="dark" if dark else "light", media="null")
        self.page.mouse.move(-1, -1)
        return self.page

    def take_back(self) -> None:
        """End what the page does, and forget what was done to it."""
        self.page.unroute_all()
        self.page.goto(self._server + EMPTY)
        self._devtools.send("Page.resetNavigationHistory")

    def keep_to_what_is_taken_back(self) -> None:
        """Fail a test that leaves in the tab what the next one would find there."""
        for name in NOT_TAKEN_BACK:
            setattr(self.page, name, refuse)

    def close(self) -> None:
        """End the tab and its profile."""
        self.page.context.close()


def refuse(*_: object) -> None:
    """What a test may do in a tab of its own alone."""
    pytest.fail("The next test would find this in its tab: mark the test own_tab.")


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
