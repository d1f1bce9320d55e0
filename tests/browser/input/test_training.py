"""Trained or constant: the weights of a loss are trained, and one click on a lock chooses otherwise."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import AT_TENSORFLOW, another_drawing, open_tool, type_program, wait_until

pytestmark = AT_TENSORFLOW


def locks(page: Page) -> Locator:
    return page.locator("gl-input .training")


def test_the_weights_of_a_loss_are_trained_until_a_lock_is_pressed(page: Page) -> None:
    type_program(page, "(y - w*x - b)^2")
    expect(locks(page)).to_have_text(["y: constant", "w: trained", "x: constant", "b: trained"])
    expect(page.locator("gl-input .message")).to_contain_text("y and x are taken as data")
    expect(page.locator("table.pairs th[scope=row]")).to_have_text(["w", "b"])
    page.get_by_role("button", name="x: constant").click()
    expect(locks(page)).to_have_text(["y: constant", "w: trained", "x: trained", "b: trained"])
    expect(page.locator("table.pairs th[scope=row]")).to_have_text(["w", "x", "b"])
    expect(page.locator("gl-input .message")).to_have_count(0)
    wait_until(page, "location.hash !== ''")
    with another_drawing(page):
        page.reload()
    expect(page.locator("table.pairs th[scope=row]")).to_have_text(["w", "x", "b"])


def test_a_lock_stands_on_the_node_and_in_the_table(page: Page) -> None:
    type_program(page, "a*x^2")
    expect(locks(page)).to_have_text(["a: trained", "x: trained"])
    page.locator('.graph-view .item[data-key^="a/"]').click()
    page.locator(".selection").get_by_role("button", name="a: trained").click()
    expect(locks(page)).to_have_text(["a: constant", "x: trained"])
    open_tool(page, "Table")
    page.locator("table.nodes").get_by_role("button", name="x: trained").click()
    expect(locks(page)).to_have_text(["a: constant", "x: constant"])
    type_program(page, "a*x^2 + c")  # what was chosen stays; what is new is trained
    expect(locks(page)).to_have_text(["a: constant", "x: constant", "c: trained"])
