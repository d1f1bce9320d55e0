"""What a learner does before an answer, a module or a file has come is still there when it comes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.browsers import link
from tests.browser.actions import AT_TENSORFLOW, answers_held, held, type_program
from tests.browser.slowness import slowed

pytestmark = [AT_TENSORFLOW, pytest.mark.modules]

COPIES = """() => {
  window.copied = [];
  navigator.clipboard.write = async ([item]) => {
    const text = await (await item.getType("text/plain")).text();
    document.documentElement.dataset.copies = window.copied.push(text);
  };
}"""
EXP = '.graph-view [data-key="Exp"]'  # only the graph of the page's own example has it


def test_typing_goes_on_where_it_was_as_the_editor_arrives(page: Page) -> None:
    with held(page, "**/panels/input/editor.js"):
        page.reload()
        plain = page.locator("textarea.plain")
        expect(plain).to_have_value("y = exp(sin(x))")
        plain.click()
        page.keyboard.press("Control+a")
        page.keyboard.type("y = ^2")
        for _ in "^2":
            page.keyboard.press("ArrowLeft")
    expect(page.locator(".editor.ready")).to_be_visible()
    page.keyboard.type("x")
    expect(page.locator(".cm-content")).to_have_text("y = x^2")


def test_what_is_typed_while_a_link_is_being_opened_gets_into_the_address(page: Page, server: str) -> None:
    with answers_held(page):
        page.goto(f"{server}/?opened{link('y = x^2')}")
        expect(page.locator(".editor.ready")).to_be_visible()
        address = page.url
        type_program(page, "y = x^3")
    expect(page).not_to_have_url(address)
    expect(page.locator(".cm-content")).to_have_text("y = x^3")


def test_a_mistake_that_is_being_mended_fades_until_the_new_text_is_read(page: Page) -> None:
    messages = page.locator("gl-input .messages")
    type_program(page, "y = ^2")
    expect(messages).to_have_css("opacity", "1")
    with answers_held(page):
        type_program(page, "y = x^2 + )")
        expect(messages).to_have_css("opacity", "0.5")
    expect(messages).to_have_css("opacity", "1")


def test_a_part_that_does_not_come_is_told_and_asked_for_again(browser: Browser, server: str) -> None:
    with slowed(browser.new_context(locale="en-US")) as context:
        page = context.new_page()
        page.goto(server)
        page.wait_for_selector("html[data-ready]")
        page.route("**/search.js", lambda route: route.abort())
        box = page.get_by_role("combobox", name="Find a node")
        box.fill("cos")
        expect(page.locator(".graph-hits")).to_contain_text("The server does not answer.")
        page.unroute("**/search.js")
        box.press("ArrowDown")
        expect(page.locator(".graph-hits [role=option]")).to_have_count(1)


def test_a_step_asked_for_right_after_a_value_is_made_with_it(page: Page) -> None:
    with answers_held(page):
        page.get_by_role("textbox", name="Value of x").fill("0")
        page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator("gl-optimizer .count")).to_have_text("step 1")
    expect(page.locator("table.pairs tbody td").nth(2)).to_have_text("0")


@pytest.mark.own_tab
def test_a_step_is_made_with_the_rate_of_its_time(page: Page) -> None:
    page.clock.install()
    with held(page, "**/api/v1/runs"), page.expect_request("**/api/v1/runs"):
        page.get_by_role("button", name="Step", exact=True).click()
        page.get_by_role("textbox", name="Learning rate").fill("0.5")
        page.keyboard.press("Tab")
        page.clock.run_for(500)  # a setting is taken when it has been at rest for a while
    expect(page.locator("gl-optimizer .count")).to_have_text("step 1")
    expect(page.locator("table.pairs tbody td").nth(3)).to_have_text(
        "3.011"
    )  # 3 + 0.01 · 1.14, as when it was pressed


def test_a_mark_stays_with_its_text_until_the_answer_comes(page: Page) -> None:
    type_program(page, "y = exp(sinn(x))")
    expect(page.locator(".mark-error")).to_have_text("sinn")
    with answers_held(page):
        page.keyboard.press("Control+Home")
        page.keyboard.press("Enter")
        expect(page.locator(".cm-line")).to_have_count(2)
        assert page.locator(".mark-error").all_inner_texts() == ["sinn"]


def test_enter_leads_to_a_hit_though_a_new_graph_has_fewer(page: Page) -> None:
    with answers_held(page):
        type_program(page, "y = sin(x)")
        page.get_by_role("combobox", name="Find a node").fill("grad")
        page.keyboard.press("ArrowUp")  # the last of many
    expect(page.locator(EXP)).to_have_count(0)
    chosen = page.locator("#graph-hits [aria-selected=true] code").inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=chosen, exact=True)).to_be_visible()


def test_of_two_copies_the_second_stays_though_the_first_comes_later(page: Page) -> None:
    page.evaluate(COPIES)
    page.get_by_role("button", name="Write as").click()
    with held(page, "**/code?as=tf1"):
        page.get_by_role("button", name="Copy: TensorFlow 1").click()
        page.get_by_role("button", name="Copy: LaTeX").click()
        expect(page.locator("#writing [role=status]")).to_have_text("Working…")
    page.wait_for_selector("html[data-copies='2']")
    assert "tf.exp" in page.evaluate("window.copied[0]")
    assert r"\exp" in page.evaluate("window.copied[1]")


def test_what_is_typed_stays_though_another_language_was_asked_for(page: Page) -> None:
    with page.expect_response("**/code?as=*") as answered, held(page, "**/code?as=*"):
        page.get_by_role("button", name="Write as").click()
        page.get_by_role("button", name="TensorFlow 1", exact=True).click()
        type_program(page, "y = x^2")
    answered.value.finished()
    expect(page.locator(EXP)).to_have_count(0)
    expect(page.locator(".cm-content")).to_have_text("y = x^2")
