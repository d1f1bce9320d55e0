"""The way of somebody who has read nothing: what the page says is enough, and the mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import OpenPage


def drag_point(page: Page) -> None:
    """Take the point of the landscape somewhere to the left, as the note beside it says."""
    expect(page.get_by_text("Drag the point")).to_be_visible()
    box = page.get_by_role("application", name="Landscape of the target").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.7 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.4 * box["width"], middle, steps=5)
    page.mouse.up()


@pytest.mark.folded
def test_a_newcomer_predicts_steps_races_drags_and_shares_within_a_dozen_clicks(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_text("What does exp(sin x) send back to sin x?")).to_be_visible()
    page.get_by_role("textbox", name="Your prediction").click()
    page.keyboard.type("1")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("gl-step")).to_contain_text("You said 1. It is 1.152.")
    for _ in range(2):
        page.get_by_role("button", name="Next step").click()
    page.get_by_role("button", name="Let an optimizer use it").click()
    expect(page.locator("gl-step")).to_contain_text("After 1 update")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator("gl-step")).to_contain_text("After 2 updates")
    page.get_by_role("tab", name="Race").click()
    expect(page.locator(".endings tbody tr")).to_have_count(4)
    page.get_by_role("tab", name="Landscape").click()
    drag_point(page)
    x = page.locator("#value-of-x")
    expect(x).not_to_have_value("3")
    expect(page.locator("gl-landscape [role=status]")).to_contain_text("the target is")
    page.get_by_role("button", name="Share").click()
    link = page.locator("#share-link")
    expect(link).not_to_have_value("")
    other = open_page(path="/#" + link.input_value().partition("#")[2])
    other.wait_for_selector("html[data-ready]")
    expect(other.locator("#value-of-x")).to_have_value(x.input_value())


def test_nobody_is_asked_to_drag_a_point_before_it_is_there(open_page: OpenPage) -> None:
    page = open_page()
    waiting: list[Route] = []
    page.route("**/api/v1/landscapes", lambda route: waiting.append(route))
    with page.expect_request("**/api/v1/landscapes"):
        page.get_by_role("tab", name="Landscape").click()
    note = page.locator("#landscape-keys")
    expect(note).to_contain_text("Drag the point")
    expect(note).not_to_be_visible()
    waiting[0].continue_()
    expect(note).to_be_visible()
