"""Sheets on paper: a question sheet and its key, an A4 page each, for every example."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import AT_TENSORFLOW, ROOT, OpenPage, another_drawing
from tests.browser.page.test_whole_picture import OPEN_ITEM

EXAMPLES = [each["id"] for each in json.loads((ROOT / "examples" / "index.json").read_text())]
PARTS = 4  # of them, each opened in a page of its own
PRINTED = "dispatchEvent(new Event('afterprint'))"
NO_WINDOW = "window.print = () => {}; 0"  # the browser's own would wait for a hand
LEAST_SCALE = 0.35  # of the size on screen; larger graphs are printed in part
SHEETS = """() => [...document.querySelectorAll(".sheet")].map((sheet) => {
  const { bottom } = sheet.getBoundingClientRect();
  const isIn = (element) => element.getBoundingClientRect().bottom <= bottom + 1;
  const pictures = [...sheet.querySelectorAll("figure > svg")];
  const one = (text) => text.replace(/\\s+/g, " ").trim();
  const texts = (selector) => [...sheet.querySelectorAll(selector)].map((each) => one(each.textContent));
  const drawn = [...sheet.querySelectorAll("figure .body, figure .line, figure text")];
  return {
    isWhole: sheet.scrollHeight <= sheet.clientHeight + 1 && [...sheet.children].every(isIn),
    scales: pictures.map((picture) => Number(picture.getAttribute("width")) / picture.viewBox.baseVal.width),
    questions: texts("li:not([hidden]) > p:first-child"),
    values: texts("figure svg .item .value"),
    colours: [...new Set(drawn.map((each) => getComputedStyle(each)).flatMap((at) => [at.fill, at.stroke]))],
    dashed: sheet.querySelectorAll("figure .edge.gradient .line").length,
    text: texts("pre")[0],
    more: texts(".more")[0],
  };
})"""


def sheets(page: Page, key: str = "Control+p") -> list[dict[str, Any]]:
    """What stands on the sheets."""
    page.wait_for_selector("html[data-ready]")
    page.evaluate(NO_WINDOW)
    page.keyboard.press(key)
    page.wait_for_selector("html[data-sheets]")
    return list(page.evaluate(SHEETS))


def pages_of(page: Page) -> int:
    """How many pages the browser makes of it."""
    return len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True)))


def is_grey(colour: str) -> bool:
    numbers = re.findall(r"[\d.]+", colour)
    return colour == "none" or len(set(numbers[:3])) == 1


def faults(page: Page) -> list[str]:
    """What is wrong with the sheets of the example that is open."""
    question, key = sheets(page)
    colours = [colour for sheet in (question, key) for colour in sheet["colours"]]
    holds = {
        "the question sheet is whole": question["isWhole"],
        "the key is whole": key["isWhole"],
        "the program is on both": question["text"] and question["text"] == key["text"],
        "the questions are on both": len(question["questions"]) == len(key["questions"]),
        "the pictures can be read": min(question["scales"]) > LEAST_SCALE,
        "all is black and white": all(map(is_grey, colours)),
        "two pages": pages_of(page) == 2,
    }
    return [claim for claim, is_so in holds.items() if not is_so]


@pytest.mark.slow
@pytest.mark.modules
@pytest.mark.parametrize("part", range(PARTS))
def test_every_example_is_printed_on_two_sheets_in_black_and_white(page: Page, part: int) -> None:
    """One page opens every example of a part, as its card in the gallery does."""
    found = {}
    for example in EXAMPLES[part::PARTS]:
        with another_drawing(page):
            page.evaluate(OPEN_ITEM, example)
        expect(page.locator(".course-card")).to_be_visible()
        page.wait_for_url(f"**example={example}*")
        found[example] = faults(page)
        page.evaluate(PRINTED)
        expect(page.locator(".sheets")).to_have_count(0)
    assert {example: wrong for example, wrong in found.items() if wrong} == {}


def test_what_is_given_stands_on_the_question_sheet_and_the_rest_is_blank(page: Page) -> None:
    question, key = sheets(page)
    blank = "_____"
    assert question["values"] == ["3", *[blank] * 7]
    assert sorted(key["values"]) == sorted(["3", "0.1411", "1.152", "1", "1.152", "1.152", "−1.14", "−0.99"])
    assert question["questions"] == [
        "What does exp(sin x) send back to sin x?",
        "What does sin x send back to x?",
    ]
    assert question["dashed"] == 4  # to a factor and on from it, twice


@AT_TENSORFLOW
def test_at_level_tensorflow_each_gradient_node_is_asked_for(page: Page) -> None:
    question, key = sheets(page)
    assert question["questions"][0] == "What is gradients/Fill?"
    assert len(question["questions"]) == 4
    assert "0.1411" in key["values"]
    assert "0.1411" not in question["values"]


def test_the_sheets_wait_for_the_lesson_at_the_level_that_was_just_chosen(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    waiting: list[Route] = []
    page.route("**/lesson?*", lambda route: waiting.append(route))
    with page.expect_request("**/lesson?*"):
        page.get_by_role("button", name="TensorFlow", exact=True).click()
    page.evaluate(NO_WINDOW)
    page.keyboard.press("Control+p")
    expect(page.locator(".sheets")).to_have_count(0)
    waiting[0].continue_()
    page.wait_for_selector("html[data-sheets]")
    assert page.evaluate(SHEETS)[0]["questions"][0] == "What is gradients/Fill?"


def test_the_sheets_are_gone_when_they_are_printed(page: Page) -> None:
    sheets(page)
    page.evaluate(PRINTED)
    expect(page.locator(".sheets")).to_have_count(0)
    expect(page.get_by_role("button", name="Next step")).to_be_visible()


def test_the_drawing_on_the_page_stays_as_it_was(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    drawing = "document.querySelector('main .graph-view svg.picture').outerHTML"
    before = page.evaluate(drawing)
    sheets(page)
    assert page.evaluate(drawing) == before


def test_sheets_are_in_the_language_of_the_page(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN", path="/?example=g19")
    page.wait_for_selector("html[data-ready]")
    page.evaluate(NO_WINDOW)
    page.get_by_role("button", name="打印").click()
    page.wait_for_selector("html[data-sheets]")
    expect(page.locator(".question-sheet header")).to_contain_text("姓名")
    expect(page.locator(".key-sheet header")).to_contain_text("答案")
