"""What a newcomer sees within five seconds, and what the page does not do behind their back."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from benchmarks.browsers import link
from tests.browser.actions import (
    EVERY_LOOK,
    ROOT,
    SCREENSHOTS,
    OpenPage,
    expect_value,
    held,
    next_frame,
    open_tool,
)
from tests.browser.conftest import ALL_PARTS_LOADED, SIZES
from tests.browser.graph.test_gallery_drawings import OPEN
from tests.browser.slowness import slowed

pytestmark = pytest.mark.modules


def expect_first_look(page: Page) -> None:
    """The five items of the first screen."""
    expect(page.locator(".editor")).to_contain_text("y = exp(sin(x))")
    expect(page.get_by_role("textbox", name="Value of x")).to_have_value("3")
    expect(page.get_by_role("slider", name="Slide x")).to_be_visible()
    expect(page.get_by_role("button", name="Next step")).to_be_visible()
    expect(page.locator("gl-step .sentence")).to_have_text(
        "The gradient starts as 1 at y. What does exp send back? Guess, or press Next."
    )
    expect(page.locator(".graph-host svg").first).to_be_visible()


def test_the_first_screen_shows_the_five_items(page: Page) -> None:
    expect_first_look(page)
    assert int(page.locator("html").get_attribute("data-graph-drawn") or 0) > 6
    open_tool(page, "Table")
    expect_value(page, "sin x", "0.1411")
    expect_value(page, "exp(sin x) = y", "1.152")
    gradients = page.locator("table.nodes td.number:last-child")
    expect(gradients).to_have_text(["?", "?", "1"])


def test_the_first_screen_needs_no_api(browser: Browser, server: str) -> None:
    def refuse(route: Route) -> None:
        route.abort()

    with slowed(browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})) as context:
        page = context.new_page()
        page.route("**/api/**", refuse)
        page.goto(server)
        page.wait_for_selector("html[data-graph-drawn]")
        expect_first_look(page)
        page.get_by_role("button", name="Next step").click()
        expect(page.locator("gl-step .result strong")).to_have_text("1.152")


def test_the_page_fits_the_window(open_page: OpenPage) -> None:
    for size in ("wide", "middle", "small"):
        page = open_page(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_program_stays_in_sight_beside_open_tools_and_a_card(open_page: OpenPage) -> None:
    page = open_page("middle")
    page.evaluate(OPEN, "g35")
    page.get_by_role("tab", name="Optimizer").click()
    page.locator('.graph-view [data-key="value of Square"]').click()
    text, panel = page.locator(".editor").bounding_box(), page.locator("gl-input").bounding_box()
    assert text
    assert panel
    assert panel["y"] + panel["height"] - text["y"] > 80  # four lines and more


@EVERY_LOOK
@pytest.mark.parametrize("size", ["wide", "middle", "small"])
def test_screens_in_both_languages_and_themes(
    open_page: OpenPage, size: str, dark: bool, locale: str
) -> None:
    page = open_page(size, locale, dark)
    expect(page.locator(".caption" if size == "small" else "gl-formula .katex").first).to_be_visible()


SHIFTS = """addEventListener("DOMContentLoaded", () => {
  let sum = 0;
  const add = (entries) => entries.forEach(({ value }) => (sum += value));
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.shifted = () => {
    add(observer.takeRecords());
    return sum;
  };
})"""


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.parametrize("size", ["wide", "middle", "small"])
def test_nothing_jumps_while_the_page_arrives(browser: Browser, server: str, size: str, late: bool) -> None:
    width, height = SIZES[size]
    with slowed(browser.new_context(locale="en-US", viewport={"width": width, "height": height})) as context:
        page = context.new_page()
        page.add_init_script(SHIFTS)
        with held(page, "**/data/default_example.json") if late else nullcontext():
            page.goto(server, wait_until="commit")
            page.wait_for_selector(ALL_PARTS_LOADED if late else "html")
        page.wait_for_selector("html[data-ready]")
        page.wait_for_selector(".caption" if size == "small" else ".editor.ready")
        next_frame(page)
        assert page.evaluate("window.shifted()") < 0.005


def test_a_linked_program_has_its_columns_before_its_answer_comes(browser: Browser, server: str) -> None:
    program = (ROOT / "examples" / "g03.py").read_text(encoding="utf-8")
    width, height = SIZES["middle"]
    with slowed(browser.new_context(locale="en-US", viewport={"width": width, "height": height})) as context:
        page = context.new_page()
        page.add_init_script(SHIFTS)
        panel = page.locator("gl-input")
        with held(page, "**/api/v1/programs*"):
            page.goto(f"{server}/{link(program)}")
            expect(panel.locator(".editor")).to_be_visible()
            assert page.locator("html[data-graph-drawn]").count() == 0
            before = panel.bounding_box()
        page.wait_for_selector("html[data-ready]")
        expect(page.locator(".transport .next")).to_be_visible()
        after = panel.bounding_box()
        assert before
        assert after
        assert (after["x"], after["width"]) == (before["x"], before["width"])


def test_the_result_stands_still_while_its_formula_is_typeset(browser: Browser, server: str) -> None:
    tops = []
    for typeset in (False, True):
        with slowed(browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})) as context:
            page = context.new_page()
            if not typeset:
                page.route("**/katex.js", lambda route: route.abort())
            page.goto(server)
            formula = page.locator("gl-formula .katex" if typeset else "gl-formula")
            expect(formula.first).to_be_visible()
            tops.append(page.locator("gl-step .result").evaluate("(e) => e.getBoundingClientRect().top"))
    assert abs(tops[1] - tops[0]) < 1


def test_a_link_opens_on_its_program_alone(browser: Browser, server: str) -> None:
    with slowed(browser.new_context(locale="en-US")) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url))
        page.goto(f"{server}/{link('y = x^2')}")
        page.wait_for_selector("html[data-graph-drawn]")
        assert page.locator('.graph-host [data-key="value of pow"]').count() == 1
        assert not [url for url in asked if url.endswith("default_example.json")]


def test_a_link_that_gets_no_answer_shows_the_example_and_says_so(browser: Browser, server: str) -> None:
    with slowed(browser.new_context(locale="en-US")) as context:
        page = context.new_page()
        page.route("**/api/**", lambda route: route.abort())
        page.goto(f"{server}/{link('y = x^2')}")
        page.wait_for_selector("html[data-graph-drawn]")
        expect(page.locator('.graph-host [data-key="value of Exp"]')).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
        expect(page.locator(".editor")).to_contain_text("y = x^2")


SENT = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
  .filter(({ name }) => !name.endsWith(".woff2"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


def test_the_page_is_sent_in_400_kb(browser: Browser, bundled: str) -> None:
    with slowed(browser.new_context(locale="en-US")) as context:
        page = context.new_page()
        page.goto(bundled)
        page.wait_for_selector(".editor.ready")
        expect(page.locator("gl-formula .katex").first).to_be_visible()
        assert 100 * 1024 < page.evaluate(SENT) <= 400 * 1024  # compressed, without fonts


def test_the_time_to_the_first_graph_is_recorded(open_page: OpenPage) -> None:
    page = open_page()  # a first visit warms the server, as a class does
    script = "performance.getEntriesByName('graph-drawn')[0]?.startTime ?? -1"
    drawn_ms = page.evaluate(script)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    (SCREENSHOTS / "first_graph.json").write_text(json.dumps({"navigation_to_graph_ms": round(drawn_ms)}))
    assert drawn_ms > 0
