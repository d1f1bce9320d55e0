"""Tables: sorted by a column, filtered, copied and saved; y = exp(sin(x)) at x = 3."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, OpenPage, open_tool
from tests.browser.page.test_sharing import shared

pytestmark = AT_TENSORFLOW


def saved(page: Page, name: str) -> tuple[str, str]:
    """The file that a button saves, and its text."""
    with page.expect_download() as download:
        page.locator("gl-table").get_by_role("button", name=name).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes().decode("utf-8-sig")


def test_a_table_is_sorted_with_the_keyboard_filtered_by_a_condition_and_saved(page: Page) -> None:
    page.get_by_role("button", name="Last step").click()
    open_tool(page, "Table")
    heading = page.get_by_role("columnheader", name="value")
    expect(heading).to_have_attribute("aria-sort", "none")
    heading.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    rows = page.locator("table.nodes tbody tr")
    expect(rows.first.locator("td.number").first).to_have_text("−1.14")
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(rows.first.locator("td.number").first).to_have_text("3")
    page.get_by_role("searchbox", name="Filter the rows").fill(">2")
    expect(page.locator("gl-table output")).to_contain_text("of")
    name, text = saved(page, "CSV")
    lines = text.split("\r\n")
    assert name == "nodes.csv"
    assert lines[0] == "node,op,inputs,value,gradient of y"
    assert [line.split(",")[3] for line in lines[1:-1]] == ["3"] * (len(lines) - 2)


def test_a_filter_and_an_order_are_part_of_the_link(open_page: OpenPage) -> None:
    page = open_page()
    open_tool(page, "Table")
    page.get_by_role("searchbox", name="Filter the rows").fill("sin")
    page.get_by_role("columnheader", name="op").get_by_role("button").click()
    link = shared(page)
    other = open_page(path=link[link.index("/", len("http://")) :])
    expect(other.get_by_role("searchbox", name="Filter the rows")).to_have_value("sin")
    expect(other.get_by_role("columnheader", name="op")).to_have_attribute("aria-sort", "ascending")
