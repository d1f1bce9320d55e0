"""Comparing a derivative three ways: fetched on first use, worked by keys, with the server's own figures."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import open_tool, type_program
from tests.browser.page.test_accessibility import violations


@pytest.mark.own_tab
def test_nothing_of_it_is_there_before_it_is_used(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector("html[data-graph-drawn]")
    assert not [url for url in asked if "/compar" in url]
    with page.expect_response("**/api/v1/comparisons") as answered:
        open_tool(page, "Compare derivatives")
    double = answered.value.json()["numeric"]["float64"]
    row = page.locator("tr.central").filter(has_text="float64")
    shown = row.locator("td.number").first
    expect(shown).to_have_attribute("title", str(double["central"][2]).replace("-", "−"))


def test_the_slider_and_ones_own_derivative_are_worked_by_keys(page: Page) -> None:
    open_tool(page, "Compare derivatives")
    slider = page.get_by_role("slider", name="δ, as a power of ten")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("gl-compare .delta")).to_contain_text("δ = 0.0001")
    own = page.get_by_role("textbox", name=re.compile("Your own"))
    own.fill("exp(sin(x))")
    own.press("Enter")
    expect(page.locator("gl-compare .message")).to_contain_text("The factor cos x is missing.")
    own.fill("y cos(x)")
    own.press("Enter")
    expect(page.locator("gl-compare .message")).to_contain_text("Right")


def test_of_several_variables_one_is_chosen(page: Page) -> None:
    open_tool(page, "Compare derivatives")
    type_program(page, "y = a^2 * b")
    by = page.get_by_role("combobox", name="Derivative by")
    by.select_option("b")
    expect(page.locator("gl-compare .formula")).to_contain_text("∂b")


def test_axe_finds_nothing_in_it(page: Page) -> None:
    open_tool(page, "Compare derivatives")
    expect(page.locator("gl-error-figure canvas")).to_be_visible()
    assert [one["id"] for one in violations(page, "gl-compare")] == []
