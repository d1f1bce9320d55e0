"""What axe finds: nothing serious, in either theme, whatever is open."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    AT_TENSORFLOW,
    EVERY_LOOK,
    ROOT,
    OpenPage,
    another_drawing,
    open_tool,
    type_program,
)

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


OPTIONS = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # axe has it switched off
    "resultTypes": ["violations"],  # what is right is not listed, which takes most of the time
}
TF = "import tensorflow as tf\n"
GRAPHS = {
    "constants": "y = 3*x^2 + 2*x*z - exp(2*x)",
    "tensors": TF
    + "w = tf.Variable([[1., 2.], [-3., 4.]])\ny = tf.reduce_sum(tf.log(w))\ntf.gradients(y, [w])",
}


def violations(page: Page, within: str = "html") -> list[dict[str, Any]]:
    """The rules that a part of the page breaks, as axe describes them."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    asked = "([within, options]) => axe.run(within, options)"
    found: list[dict[str, Any]] = page.evaluate(asked, [within, OPTIONS])["violations"]
    return found


def serious_issues(page: Page) -> list[str]:
    """The rules that the page breaks so that it matters, and where."""
    return [
        f"{issue['id']}: {[node['target'] for node in issue['nodes']]}"
        for issue in violations(page)
        if issue["impact"] in {"serious", "critical"}
    ]


@EVERY_LOOK
def test_the_first_screen_has_no_serious_issue(open_page: OpenPage, locale: str, dark: bool) -> None:
    assert serious_issues(open_page(locale=locale, dark=dark)) == []


@AT_TENSORFLOW
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_a_node_is_called_by_its_name_value_and_constants(
    open_page: OpenPage, graph: str, locale: str
) -> None:
    page = open_page(locale=locale)
    with another_drawing(page):
        type_program(page, GRAPHS[graph])
    assert page.locator(".graph-view .item .constant").count() > 0
    assert serious_issues(page) == []


@AT_TENSORFLOW
def test_a_name_that_lacks_what_is_written_would_be_noticed(page: Page) -> None:
    sine = page.locator('.graph-view [data-key="Sin"]')
    sine.evaluate("(node) => node.setAttribute('aria-label', 'Sin, value 0.1411')")
    assert any(issue.startswith("label-content-name-mismatch") for issue in serious_issues(page))


@AT_TENSORFLOW
def test_a_node_is_called_by_what_is_written_on_it_and_whole_where_that_is_cut(page: Page) -> None:
    name = "the_probability_that_it_will_rain_in_the_afternoon"
    type_program(page, f"import tensorflow as tf\ny = tf.sin(tf.placeholder(tf.float32, name='{name}'))\n")
    cut = page.locator(f'.graph-view [data-key="{name}"]')
    expect(cut.locator(".label")).to_contain_text("…")
    expect(cut).to_have_accessible_name(re.compile(f"^{name}, "))
    for item in page.locator(".graph-view .item").filter(has_not_text="…").all():
        label = item.locator(".label").text_content() or ""
        expect(item).to_have_accessible_name(re.compile("^" + re.escape(label)))


@AT_TENSORFLOW
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_error_the_table_and_a_selection_have_no_serious_issue(open_page: OpenPage, dark: bool) -> None:
    page = open_page(dark=dark)
    open_tool(page, "Table")
    page.locator("table.nodes th").get_by_role("button", name="Sin", exact=True).click()
    expect(page.locator(".selection")).to_be_visible()
    type_program(page, "y = exp(sinn(x))")
    expect(page.locator(".message.error")).to_be_visible()
    assert serious_issues(page) == []


@EVERY_LOOK
def test_the_optimizer_with_all_its_settings_has_no_serious_issue(
    open_page: OpenPage, locale: str, dark: bool
) -> None:
    page = open_page(locale=locale, dark=dark)
    choices = page.locator("gl-optimizer .settings select")
    for place, name in enumerate(["keras.Adam", "clip_by_value", "exponential_decay"]):
        choices.nth(place).select_option(name)
    page.locator("gl-optimizer .step-1").click()
    expect(page.locator("table.pairs tr.slot")).to_have_count(3)
    assert serious_issues(page) == []


def test_everything_is_reached_with_the_tab_key(page: Page) -> None:
    expect(page.locator(".cm-content")).to_be_visible()
    parts = ["gl-header", "gl-input", "gl-graph", "gl-transport", "gl-dock"]
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached |= {part for part in parts if page.locator(f"{part} :focus").count() > 0}
    assert reached == set(parts)


@AT_TENSORFLOW
def test_the_tab_key_stops_once_in_the_graph_wherever_the_arrow_keys_have_been(page: Page) -> None:
    stops = page.locator('.graph-view [tabindex="0"]')
    keys = []
    page.locator('.graph-view [data-key="Sin"]').focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        expect(stops).to_have_count(1)
        keys.append(stops.get_attribute("data-key"))
    assert len(set(keys)) > 1
    expect(stops).to_be_focused()


@EVERY_LOOK
def test_a_lesson_as_mathematics_has_no_serious_issue(open_page: OpenPage, locale: str, dark: bool) -> None:
    page = open_page(locale=locale, dark=dark)
    with another_drawing(page):
        type_program(page, "y = (a*b)*(a + b)")
    page.locator(".transport .next").click()
    page.locator('.graph-view [data-key="gradient of mul"]').click()
    expect(page.locator(".selection")).to_be_visible()
    page.locator("gl-step .lines button.term").first.focus()
    expect(page.locator(".meaning:popover-open")).to_be_visible()
    assert serious_issues(page) == []
    page.keyboard.press("Escape")
    page.locator(".transport .last").click()
    expect(page.locator(".next-things button")).to_have_count(2)
    page.locator("#dock-table").click()
    expect(page.locator("table.quantities")).to_be_visible()
    assert serious_issues(page) == []


@pytest.mark.parametrize(
    ("size", "locale", "dark"),
    [("small", "zh-CN", True), ("wide", "en-US", True), ("middle", "zh-CN", False)],
)
def test_questions_paths_and_a_course_card_have_no_serious_issue(
    open_page: OpenPage, size: str, locale: str, dark: bool
) -> None:
    page = open_page(size, locale, dark, "/?example=g19")
    if size == "small":
        page.locator(".tabs button").nth(2).click()
    expect(page.locator(".course-card")).to_be_visible()
    page.locator(".predict input[type=checkbox]").check()
    page.locator(".predict .prediction").fill("7")
    page.locator(".predict .prediction").press("Enter")
    expect(page.locator(".revealed")).to_be_visible()
    assert serious_issues(page) == []
    page.locator(".transport .last").click()
    page.locator("gl-closing button.link").first.click()
    expect(page.locator(".paths li").first).to_be_visible()
    assert serious_issues(page) == []
