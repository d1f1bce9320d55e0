"""The page as it is delivered: in a few files, with all that its modules do."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.page.test_first_look import SENT, expect_first_look
from tests.browser.slowness import slowed
from tests.browser.tabs import watch

BEFORE_THE_GRAPH = """(() => {
  const drawn = performance.getEntriesByName("graph-drawn")[0].startTime;
  return 1 + performance.getEntriesByType("resource").filter(({ startTime }) => startTime < drawn).length;
})()"""


def test_the_first_graph_takes_at_most_20_requests_and_the_page_400_kb(
    browser: Browser, bundled: str
) -> None:
    troubles: list[str] = []
    with slowed(browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})) as context:
        page = context.new_page()
        watch(page, bundled, troubles)
        page.goto(bundled)
        page.wait_for_selector("html[data-ready]")
        assert page.evaluate(BEFORE_THE_GRAPH) <= 20
        page.wait_for_selector(".editor.ready")
        expect(page.locator("gl-formula .katex").first).to_be_visible()
        assert 100 * 1024 < page.evaluate(SENT) <= 400 * 1024
        expect_first_look(page)
        page.get_by_role("button", name="Next step").click()
        expect(page.locator("gl-step .result strong")).to_have_text("1.152")
        page.get_by_role("tab", name="Table").click()  # a part that is fetched now
        expect(page.locator("table.nodes")).to_be_visible()
    assert troubles == []
