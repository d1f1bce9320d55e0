"""English and Chinese, light and dark: chosen once, kept."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage


def background(page: Page) -> str:
    """The colour behind everything."""
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def test_the_language_switches_without_a_reload(page: Page) -> None:
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("button", name="下一步")).to_be_visible()
    expect(page.locator("gl-step .sentence")).to_have_text(
        "梯度从 y 处的 1 开始。exp 会传回多少？先猜一猜，或点“下一步”。"
    )
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    page.reload()
    expect(page.get_by_role("button", name="下一步")).to_be_visible()


def test_a_chinese_browser_gets_chinese(open_page: OpenPage) -> None:
    expect(open_page(locale="zh-CN").get_by_role("button", name="下一步")).to_be_visible()


def test_the_theme_follows_the_system_until_it_is_chosen(open_page: OpenPage) -> None:
    page = open_page(dark=True)
    dark = background(page)
    page.get_by_role("button", name="Use the light theme").click()
    light = background(page)
    assert light != dark
    page.reload()
    page.wait_for_selector("html[data-graph-drawn]")
    assert background(page) == light
