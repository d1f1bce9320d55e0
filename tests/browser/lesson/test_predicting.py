"""Predict, then reveal; and what a lesson leads to: other numbers, the derivative as a formula, all paths."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from benchmarks.browsers import link as link_to
from tests.browser.actions import OpenPage
from tests.browser.page.test_accessibility import serious_issues

LAYERS = """\
import torch
from torch import nn
x = torch.linspace(-1, 1, 8).unsqueeze(1)
t = x ** 2
model = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
loss = nn.MSELoss()(model(x), t)
loss.backward()
"""


def say(page: Page, prediction: str) -> None:
    """Type what one expects, and take it."""
    page.get_by_label("Your prediction").fill(prediction)
    page.keyboard.press("Enter")


def test_the_lesson_begins_with_a_question_and_a_wrong_way_is_named(page: Page) -> None:
    expect(page.locator("gl-step .sentence")).to_contain_text("Guess, or press Next.")
    say(page, "1")
    expect(page.locator(".revealed")).to_contain_text("You said 1. It is 1.152.")
    expect(page.locator(".revealed")).to_contain_text("passed on unchanged")
    expect(page.locator("gl-transport .count")).to_have_text("5 / 7")
    expect(page.locator(".predict")).to_have_count(0)


def test_whoever_asks_to_be_asked_is_asked_at_every_step(page: Page) -> None:
    page.locator("body").press("p")
    say(page, "1.15")
    expect(page.locator(".revealed.right")).to_contain_text("that is right")
    say(page, "two")
    expect(page.get_by_role("alert")).to_contain_text("“two” is no number")
    say(page, "-1.14")
    page.get_by_role("button", name="it falls").click()
    expect(page.locator("gl-transport .count")).to_have_text("7 / 7")
    expect(page.locator(".revealed.right")).to_contain_text("it falls")
    page.get_by_role("button", name="Ask me again").click()
    expect(page.locator(".predict .question")).to_contain_text("does y rise, fall, or stay as it is?")


def test_new_numbers_ask_the_same_question_anew(page: Page) -> None:
    say(page, "1")
    before = page.locator("#value-of-x").input_value()
    page.get_by_role("button", name="Try with new numbers").click()
    expect(page.locator("#value-of-x")).not_to_have_value(before)
    expect(page.locator("gl-transport .count")).to_have_text("4 / 7")
    expect(page.locator(".predict .question")).to_be_visible()


def test_what_was_said_is_there_on_the_next_visit(page: Page) -> None:
    say(page, "1")
    expect(page.locator(".revealed")).to_be_visible()
    address = page.url.partition("#")[0]
    page.goto(f"{address}?lang=en")  # the same address would be a reload, which shows the step that was left
    page.wait_for_selector("html[data-graph-drawn]")
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".revealed")).to_contain_text("You said 1. It is 1.152.")


def test_the_end_has_the_derivative_as_a_formula_and_all_paths(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g20")
    page.get_by_role("button", name="Last step").click()
    page.get_by_role("button", name="All paths from b").click()
    paths = page.locator(".paths li")
    expect(paths).to_have_count(4)
    products = [float(text.replace("−", "-")) for text in page.locator(".paths li strong").all_inner_texts()]
    assert sum(products) == 19  # ∂y/∂b of the gallery's twentieth example
    expect(page.locator(".paths .note")).to_contain_text("would come to 22 instead of 19")
    paths.nth(1).get_by_role("button").click()
    expect(page.locator('.graph-view [data-key="value of a"]')).to_have_class(re.compile("faded"))
    expect(page.locator('.graph-view [data-key="gradient of b"]')).not_to_have_class(re.compile("faded"))


def test_the_way_to_all_paths_stays_where_it_is_when_the_formula_comes(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g20")
    waiting: list[Route] = []
    page.route("**/api/v1/comparisons", lambda route: waiting.append(route))
    with page.expect_request("**/api/v1/comparisons"):
        page.get_by_role("button", name="Last step").click()
    way = page.get_by_role("button", name="All paths from b")
    expect(way).to_be_visible()
    before = way.bounding_box()
    expect(page.locator("gl-closing gl-formula")).to_have_count(0)
    waiting[0].continue_()
    expect(page.locator("gl-closing gl-formula .katex").first).to_be_visible()
    assert way.bounding_box() == before


@pytest.mark.parametrize("size", ["wide", "small"])
def test_formulas_to_choose_from_have_names_and_room(open_page: OpenPage, size: str) -> None:
    page = open_page(size, path=f"/{link_to(LAYERS)}")
    if size == "small":
        page.locator(".tabs").get_by_role("button", name="Step").click()
    page.locator(".predict .switch input").check()
    for _ in range(2):
        page.get_by_role("button", name="Next step").click()
    choice = page.get_by_role("button", name="∂loss/∂(tanh u₁ model.2.weightᵀ) model.2.weight", exact=True)
    expect(choice.locator(".katex-mathml")).to_be_attached()
    room = page.locator(".predict").bounding_box()
    assert room is not None
    for box in [one.bounding_box() for one in page.locator(".predict .choices button").all()]:
        assert box is not None
        assert box["x"] + box["width"] <= room["x"] + room["width"]
    assert [one for one in serious_issues(page) if "choices" in one] == []
    choice.click()
    expect(page.locator(".revealed.right")).to_be_visible()
