"""The dock takes the room that it needs, and leaves the rest to the graph."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage, open_tool, type_program
from tests.browser.graph.test_gallery_drawings import OPEN

LINE, PADDING = 22, 24  # CSS pixels
MOST = 0.27  # of the window's height


def height(page: Page) -> float:
    """How high the dock's inside is, in CSS pixels."""
    box = page.locator(".dock-body").bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.modules
def test_two_printed_lines_take_two_lines(page: Page) -> None:
    page.evaluate(OPEN, "g25")
    expect(page.locator(".printed")).to_contain_text("w 0.30")
    assert height(page) == PADDING + 2 * LINE


def test_a_long_line_is_wrapped_and_seen_in_full(page: Page) -> None:
    type_program(page, "print(list(range(150)))")
    expect(page.locator(".printed")).to_contain_text("149")
    assert height(page) > PADDING + 2 * LINE
    assert page.locator(".dock-body").evaluate("body => body.scrollHeight <= body.clientHeight")


@pytest.mark.parametrize("size", ["wide", "middle"])
def test_many_printed_lines_leave_most_of_the_window_to_the_graph(open_page: OpenPage, size: str) -> None:
    page = open_page(size)
    type_program(page, "for i in range(200):\n    print(i)\n")
    expect(page.get_by_role("tab", name="Output")).to_contain_text("200")
    if size == "middle":
        page.get_by_role("button", name="Show the tools").click()
    assert height(page) == pytest.approx(MOST * page.evaluate("innerHeight"), abs=1)


def test_the_dock_keeps_its_height_while_one_steps_and_a_run_streams(page: Page) -> None:
    before = height(page)
    for name in ("Table", "Outline", "Optimizer"):
        open_tool(page, name)
        assert height(page) == before, name
    page.locator("button.step-1000").click()
    expect(page.locator("gl-optimizer .count")).to_have_text("step 1 000")
    assert height(page) == before
