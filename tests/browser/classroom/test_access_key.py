"""A service that asks for a key: the page asks for it once, and then works as always."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import serving

KEY = "three-grey-herons"


def test_the_page_asks_for_the_key_until_it_is_right_and_then_never_again(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(str(tmp_path), GRADLENS_MODULES="1", GRADLENS_ACCESS_KEY=KEY) as address:
        context = browser.new_context(locale="en-US")
        page = context.new_page()
        page.goto(f"{address}/?example=g02")
        field = page.get_by_label("This service asks for a key.")
        field.fill("a-wrong-guess")
        field.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("That is not the key. Look at it again.")
        field.fill(KEY)
        field.press("Enter")
        expect(page.locator("gl-transport")).to_contain_text("Next step")
        expect(field).to_be_hidden()
        page.goto(f"{address}/?example=g03")
        expect(page.locator("html")).to_have_attribute("data-ready", "")
        expect(page.locator("dialog.access-key")).to_have_count(0)
        context.close()
