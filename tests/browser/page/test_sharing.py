"""Handing on what is on the page: a link opens the same in another browser; Back and Forward."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from benchmarks.browsers import link as link_to
from tests.browser.actions import OpenPage, another_drawing, answers_held, held, next_frame, type_program
from tests.browser.course.test_gallery import open_item
from tests.browser.share.test_walks import WRITTEN_MS

DRAWING = "document.querySelector('.graph-view svg.picture').outerHTML"
LONG = "y = " + " + ".join(f"{(k * 7919) % 9973}*sin({(k * 104729) % 9949}*x)" for k in range(300))


def shared(page: Page) -> str:
    """The link that the page offers."""
    page.get_by_role("button", name="Share", exact=True).click()
    field = page.locator("#share-link")
    expect(field).not_to_have_value("")
    link = field.input_value()
    page.keyboard.press("Escape")
    return link


def opened(open_page: OpenPage, first: Page, link: str) -> Page:
    """A link in another browser."""
    origin = first.evaluate("location.origin")
    other = open_page(locale="zh-CN", path=link.removeprefix(origin))
    other.wait_for_selector("html[data-ready]")
    return other


def test_a_link_opens_text_step_dock_and_language_in_another_browser(open_page: OpenPage) -> None:
    page = open_page(path=f"/{link_to('y = x^2 * sin(x)')}")
    page.get_by_role("tab", name="Table").click()
    for _ in range(3):
        page.get_by_role("button", name="Next step").click()
    sentence = page.locator("gl-step .sentence").inner_text()
    link = shared(page)
    assert len(link) <= 2000
    other = opened(open_page, page, link)
    expect(other.locator("gl-step .sentence")).to_have_text(sentence)
    expect(other.get_by_role("tab", name="Table")).to_have_attribute("aria-selected", "true")
    next_frame(other)
    assert other.evaluate(DRAWING) == page.evaluate(DRAWING)


@pytest.mark.slow
def test_a_long_text_is_shared_under_a_short_link(open_page: OpenPage) -> None:
    page = open_page()
    with another_drawing(page):
        type_program(page, LONG)
    link = shared(page)
    assert "/l/l_" in link
    other = opened(open_page, page, link)
    expect(other.locator(".editor")).to_contain_text(LONG[-40:])


def test_back_and_forward_move_between_what_was_opened(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g01")
    page.wait_for_selector("html[data-ready]")
    text = page.locator(".editor .cm-content")
    first, second = "exp(sin(x))", "Fit a line"
    expect(text).to_contain_text(first)
    open_item(page, "G12")
    expect(page).to_have_url(re.compile("example=g12"))
    expect(text).to_contain_text(second)
    page.go_back()
    expect(page).to_have_url(re.compile("example=g01"))
    expect(text).to_contain_text(first)
    page.go_forward()
    expect(page).to_have_url(re.compile("example=g12"))
    expect(text).to_contain_text(second)


def test_what_arrives_late_while_back_is_followed_leaves_the_way_forward(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g01")
    page.wait_for_selector("html[data-ready]")
    with held(page, "**/api/v1/examples/g01"), another_drawing(page), answers_held(page):
        open_item(page, "G12")
        expect(page).to_have_url(re.compile("example=g12"))
        page.go_back()
        expect(page).to_have_url(re.compile("example=g01"))
    expect(page.locator(".editor .cm-content")).to_contain_text("exp(sin(x))")
    page.go_forward()
    expect(page).to_have_url(re.compile("example=g12"))
    expect(page.locator(".editor .cm-content")).to_contain_text("Fit a line")


@pytest.mark.modules
def test_what_is_typed_just_before_back_is_not_written_to_the_place_gone_to(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g01")
    page.wait_for_selector("html[data-ready]")
    open_item(page, "G12")
    expect(page.locator(".editor .cm-content")).to_contain_text("Fit a line")
    page.wait_for_load_state("networkidle")
    with held(page, "**/api/v1/**"):
        type_program(page, "y = x^7")
        page.evaluate("history.back()")
        expect(page).to_have_url(re.compile("example=g01"))
        page.wait_for_timeout(WRITTEN_MS)
        assert "x^7" not in str(page.evaluate("history.state"))
    expect(page.locator(".editor .cm-content")).to_contain_text("exp(sin(x))")
