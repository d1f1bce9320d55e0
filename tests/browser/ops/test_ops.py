"""What an op is: found by search with the keyboard, from a node's card, and by a link."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, OpenPage, open_tool
from tests.browser.page.test_sharing import shared

pytestmark = AT_TENSORFLOW


def test_an_op_is_opened_from_the_card_of_its_node_and_leads_to_others(page: Page) -> None:
    open_tool(page, "Table")
    page.locator("table.nodes th").get_by_role("button", name="Exp", exact=True).click()
    page.get_by_role("button", name="What is Exp?").click()
    article = page.locator("gl-ops article")
    expect(article.get_by_role("heading", name="Exp")).to_be_visible()
    expect(article.get_by_text("jnp.exp")).to_be_visible()
    article.get_by_role("button", name="What is Log?").click()
    expect(article.get_by_role("heading", name="Log", exact=True)).to_be_visible()


def test_an_op_is_searched_with_the_keyboard_and_is_part_of_the_link(open_page: OpenPage) -> None:
    page = open_page()
    open_tool(page, "Ops")
    page.get_by_role("searchbox", name="Search the ops").fill("torch.relu")
    article = page.locator("gl-ops article")
    expect(article.get_by_role("heading", name="Relu", exact=True)).to_be_visible()
    expect(article).to_contain_text("corner at 0")
    options = page.get_by_role("listbox", name="Ops")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    options.focus()
    page.keyboard.press("End")
    page.keyboard.press("s")
    expect(page.locator("gl-ops [aria-selected=true]")).to_have_text("SaveV2")
    link = shared(page)
    other = open_page(locale="zh-CN", path=link[link.index("/", len("http://")) :])
    expect(other.locator("gl-ops article h3")).to_have_text("SaveV2")
