"""The page shown to a class: large, black on white, moved by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.actions import EVERY_LOOK, OpenPage, next_frame
from tests.browser.page.test_accessibility import serious_issues
from tests.browser.share.test_walks import link_of

LARGE: ViewportSize = {"width": 1920, "height": 1080}
# The size on screen of each text that is in sight, px.
TEXT_SIZES = """() => {
  const isInSight = (element, box) =>
    element.checkVisibility({ visibilityProperty: true }) && box.width > 1 &&
    box.bottom > 0 && box.top < innerHeight;
  const scaleOf = (picture) => (picture ? new DOMMatrix(getComputedStyle(picture).transform).a : 1);
  const sizes = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const element = text.parentElement;
    if (!text.textContent.trim() || !isInSight(element, element.getBoundingClientRect())) continue;
    if (element.closest(".katex, title, .visually-hidden, .skip, script, style")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize) * scaleOf(element.closest("svg.picture"));
    sizes[text.textContent.trim()] = Math.round(size * 10) / 10;
  }
  return sizes;
}"""


def presented(page: Page) -> None:
    """Begin with the key, and wait until all of it is there."""
    page.wait_for_selector("html[data-ready]")
    page.set_viewport_size(LARGE)
    page.keyboard.press("s")
    page.wait_for_selector("html[data-present]")
    next_frame(page)
    next_frame(page)


@pytest.mark.parametrize("example", ["g01", "g12", "g24"])
def test_no_text_is_smaller_than_24_px_on_a_screen_of_1080_lines(open_page: OpenPage, example: str) -> None:
    page = open_page(path=f"/?example={example}")
    presented(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    next_frame(page)
    sizes = page.evaluate(TEXT_SIZES)
    assert len(sizes) > 8
    assert {text: size for text, size in sizes.items() if size < 23.9} == {}


def test_the_step_is_a_caption_and_the_arrow_keys_go_on(page: Page) -> None:
    presented(page)
    expect(page.locator(".editor")).to_be_hidden()
    before = page.locator("gl-step .sentence").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator("gl-step .sentence")).not_to_have_text(before)
    caption, graph = page.locator("gl-step").bounding_box(), page.locator("gl-graph").bounding_box()
    assert caption
    assert graph
    assert caption["y"] >= graph["y"] + graph["height"] - 1
    assert graph["width"] == LARGE["width"]


def test_escape_leaves_and_everything_is_there_again(page: Page) -> None:
    presented(page)
    page.keyboard.press("Escape")
    expect(page.locator(".editor")).to_be_visible()
    expect(page.locator(".present-bar")).to_have_count(0)


def test_the_light_is_on_the_step_until_a_hand_moves_it(page: Page) -> None:
    presented(page)
    page.keyboard.press("l")
    light = page.locator(".spotlight")
    expect(light).to_be_attached()
    next_frame(page)
    step = page.locator('.graph-view .item[aria-current="step"]').bounding_box()
    assert step
    x = float(light.evaluate("(element) => parseFloat(element.style.getPropertyValue('--x'))"))
    assert step["x"] < x < step["x"] + step["width"]
    page.mouse.move(333, 222)
    assert light.evaluate("(element) => element.style.getPropertyValue('--x')") == "333px"
    page.keyboard.press("l")
    expect(light).to_have_count(0)


def test_a_link_opens_what_is_presented(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("button", name="Present", exact=True).click()
    page.wait_for_selector("html[data-present]")
    page.evaluate("document.querySelector('.bar .share').click()")
    expect(page.locator("#share-link")).not_to_have_value("")
    link = page.locator("#share-link").input_value()
    other = open_page(path=link.removeprefix(page.evaluate("location.origin")))
    other.wait_for_selector("html[data-present]")
    expect(other.locator("gl-step .sentence")).to_be_visible()
    other.get_by_role("button", name="Leave").click()
    assert "present" not in link_of(other)
    expect(other.locator(".editor")).to_be_visible()


@EVERY_LOOK
def test_a_presentation_has_no_serious_issue(open_page: OpenPage, locale: str, dark: bool) -> None:
    page = open_page(locale=locale, dark=dark)
    presented(page)
    page.keyboard.press("ArrowRight")
    assert serious_issues(page) == []
