"""What changed: the program beside an earlier text, another one or a file; by keys, and marked by shapes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import open_tool, type_program
from tests.browser.page.test_accessibility import violations

TOOL = "What changed"
WAVE = "y = exp(sin(x))"
OTHER = "y = exp(cos(x)) + w"


def changed(page: Page, before: str = WAVE, after: str = OTHER) -> Locator:
    """Type two texts one after the other, and look at what differs. (The page opens with the first.)"""
    for source in (before, after):
        if source != WAVE:
            with page.expect_response("**/lesson?*"):
                type_program(page, source)
    open_tool(page, TOOL)
    tool = page.locator("gl-changes")
    expect(tool.locator(".says")).to_be_visible()
    expect(tool.locator("gl-changes-picture[data-drawn]")).to_be_visible()
    return tool


@pytest.mark.own_tab
def test_nothing_of_it_is_there_before_it_is_used(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector("html[data-graph-drawn]")
    assert not [url for url in asked if "panels/changes" in url or "/differences" in url]
    open_tool(page, TOOL)
    expect(page.locator("gl-changes .note").first).to_contain_text("There is no earlier text yet.")


def test_the_last_change_is_named_listed_and_drawn(page: Page) -> None:
    tool = changed(page)
    expect(tool.locator(".says")).to_have_text(re.compile(r"^Forward: "))
    rows = tool.locator(".differing").first.locator(":scope > li")
    expect(rows.filter(has_text="AddV2")).to_have_class("added")
    expect(rows.filter(has_text="Cos")).to_contain_text("op: Sin → Cos")
    drawn = tool.locator(".item.is-added", has_text="add")
    expect(drawn.locator("circle.plate")).to_have_count(1)  # a disc and a second outline, besides the colour
    expect(drawn.locator(".second")).to_have_count(1)
    expect(drawn).to_have_attribute("aria-label", re.compile(r", added$"))
    expect(tool.locator(".item.is-changed rect.plate")).to_have_count(1)


def test_each_gradient_is_equal_or_not_in_words(page: Page) -> None:
    tool = changed(page, "y = 2*x + 3*w", "y = 2*x + 4*w")
    rows = tool.locator("table.gradients tbody tr")
    expect(rows.filter(has=page.locator("code", has_text="x")).locator(".verdict")).to_contain_text("= equal")
    expect(rows.filter(has=page.locator("code", has_text="w")).locator(".verdict")).to_contain_text(
        "≠ not equal"
    )


def test_a_row_leads_to_its_node_by_keys(page: Page) -> None:
    tool = changed(page)
    tool.locator(".differing button", has_text="AddV2").first.focus()
    page.keyboard.press("Enter")
    expect(tool.locator(".item.op.selected")).to_have_attribute("data-key", "add")
    expect(tool.locator('[data-key="add"]')).to_be_focused()


def test_a_pasted_text_an_example_and_a_file_can_be_compared_with(page: Page, tmp_path: Path) -> None:
    tool = changed(page)
    choice = tool.get_by_role("combobox", name="Compare with")
    choice.select_option("text")
    tool.get_by_role("textbox", name="The other program or formula").fill(OTHER)
    tool.get_by_role("button", name="Compare", exact=True).click()
    expect(tool.locator(".says")).to_contain_text("The graphs are the same.")
    with page.expect_response("**/api/v1/differences") as answered:
        choice.select_option("example g12")
    assert answered.value.ok
    file = tmp_path / "mine.py"
    file.write_text("import tensorflow as tf\nx = tf.Variable(1.0)\ny = tf.exp(-tf.cos(x))\n")
    tool.locator("input[type=file]").set_input_files(file)
    expect(tool.get_by_role("textbox", name="The other program or formula")).to_have_value(
        re.compile("tf.Variable")
    )


def test_a_mistake_in_the_other_text_is_said_with_its_place(page: Page) -> None:
    tool = changed(page)
    tool.get_by_role("combobox", name="Compare with").select_option("text")
    tool.get_by_role("textbox", name="The other program or formula").fill("y = sni(x)")
    tool.get_by_role("button", name="Compare", exact=True).click()
    expect(tool.get_by_role("alert")).to_contain_text("The program before the change does not run")


def test_a_kept_text_is_what_later_ones_are_compared_with(page: Page) -> None:
    tool = changed(page)
    tool.get_by_role("button", name="Keep this text").click()
    expect(tool.locator(".says")).to_contain_text("The graphs are the same.")
    type_program(page, "y = exp(-cos(x)) + w")
    expect(tool.locator(".says")).to_contain_text("added")
    expect(tool.get_by_role("combobox", name="Compare with")).to_have_value("kept")


def test_axe_finds_nothing_in_it(page: Page) -> None:
    changed(page)
    assert [one["id"] for one in violations(page, "gl-changes")] == []
