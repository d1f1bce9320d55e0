"""What a learner does on the page, by the names of its parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
IN_FULL = os.environ.get("GRADLENS_SIGHT") == "all"  # `make sight`: all that is looked at, in every way
PROGRAMS = "**/api/v1/programs"
PATIENCE_MS = 60_000  # a busy machine is no fault of the page
POLL_MS = 20

AT_TENSORFLOW = pytest.mark.level("tensorflow")  # of a test that is about the nodes and their names
# Names come of the language, colours of the theme: two looks have all of them, `make sight` has all four.
LOOKS = [("en-US", False), ("zh-CN", True)]
LOOKS += [("en-US", True), ("zh-CN", False)] if IN_FULL else []
EVERY_LOOK = pytest.mark.parametrize(("locale", "dark"), LOOKS)
OpenPage = Callable[..., Page]


def type_program(page: Page, source: str) -> None:
    """Replace the text, as pasting does."""
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)


def node_value(page: Page, name: str) -> Locator:
    """The value of a node in the table, which is the graph in words."""
    row = page.locator("table.nodes tr").filter(has=page.locator("th code").get_by_text(name, exact=True))
    return row.locator("td.number").first


def open_tool(page: Page, name: str) -> None:
    """Choose a tab of the dock."""
    page.get_by_role("tab", name=name).click()


def expect_value(page: Page, name: str, text: str) -> None:
    """The table shows this value for a node."""
    expect(node_value(page, name)).to_have_text(text)


@contextmanager
def another_drawing(page: Page) -> Iterator[None]:
    """What is done within changes the graph; wait until the new one is drawn."""
    page.evaluate("delete document.documentElement.dataset.graphDrawn")
    yield
    page.wait_for_selector("html[data-graph-drawn]")


@contextmanager
def held(page: Page, addresses: str) -> Iterator[None]:
    """Nothing that is asked for at such addresses comes before the end."""
    asked: list[Route] = []
    answer = asked.append
    page.route(addresses, lambda route: answer(route))
    yield
    answer = Route.continue_
    for route in asked:
        route.continue_()


def answers_held(page: Page) -> AbstractContextManager[None]:
    """No question about the text is answered before the end."""
    return held(page, PROGRAMS)


def wait_until(page: Page, condition: str, given: object = None) -> None:
    """Wait until this is true on the page.

    `Page.wait_for_function` compiles its condition again for each look but the first, which the page's
    security policy forbids: it fails where the condition does not hold at once.
    """
    looks = PATIENCE_MS // POLL_MS
    for _ in range(looks):
        if page.evaluate(condition, given):
            return
        page.wait_for_timeout(POLL_MS)
    pytest.fail(f"Not true after {PATIENCE_MS // 1000} s: {condition}")


def next_frame(page: Page) -> None:
    """Wait until what is on the page by now has been drawn."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def menu(page: Page, choice: str) -> None:
    """Choose from the menu of the view."""
    page.get_by_role("button", name="View", exact=True).click()
    page.locator("#graph-menu").get_by_role("button", name=choice).click()
