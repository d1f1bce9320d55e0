"""A message's button mends the text; undoing takes it back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.actions import type_program


def test_a_misspelt_function_is_mended_and_can_be_undone(page: Page) -> None:
    type_program(page, "y = sni(x)")
    page.get_by_role("button", name="Write sin").click()
    editor = page.locator(".cm-content")
    expect(editor).to_have_text("y = sin(x)")
    expect(page.locator(".messages .error")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(editor).to_have_text("y = sni(x)")
