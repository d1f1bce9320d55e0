"""The optimizer: y = x² from 3 with rate 0.01, whose k-th x is 3 · 0.98^k."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import type_program


@pytest.fixture
def square(page: Page) -> Page:
    type_program(page, "y = x^2")
    expect(page.locator("gl-step .sentence")).to_contain_text("What does pow send back?")
    page.get_by_role("button", name="Last step").click()
    expect(page.locator("table.pairs tbody td").first).to_have_text("6")
    return page


def expect_row(page: Page, row: int, cells: list[str]) -> None:
    """The row shown, and the pair's four cells: gradient, processed, old, new."""
    expect(page.locator("gl-optimizer .count")).to_have_text(f"step {row}")
    expect(page.locator("table.pairs tbody td")).to_have_text(cells)


def test_one_step_moves_x_to_2_94(square: Page) -> None:
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 1, ["6", "6", "3", "2.94"])
    expect(square.locator("gl-optimizer .update-sentence")).to_have_text("x ← 3 − 0.01 × 6 = 2.94")


def test_a_hundred_steps_reach_0_3979_and_back_is_a_view(square: Page) -> None:
    square.get_by_role("button", name="×100").click()
    expect_row(square, 100, ["0.812", "0.812", "0.406", "0.3979"])
    square.get_by_role("button", name="×10", exact=True).click()
    expect(square.locator("gl-optimizer .count")).to_have_text("step 110")
    for _ in range(10):
        square.locator("gl-optimizer").get_by_role("button", name="Back").click()
    expect_row(square, 100, ["0.812", "0.812", "0.406", "0.3979"])
    expect(square.locator(".curve .plot")).to_have_attribute(
        "aria-label", "Loss from 9 to 0.1057 over 110 steps; at step 100 it is 0.1583."
    )


def test_clipping_shows_the_gradient_before_and_after(square: Page) -> None:
    square.get_by_role("combobox", name="Process").select_option("clip_by_norm")
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 1, ["6", "5", "3", "2.95"])  # 3 − 0.01 · 5


def test_a_gradient_within_the_limit_is_called_unchanged(square: Page) -> None:
    square.get_by_role("combobox", name="Process").select_option("clip_by_norm")
    square.get_by_role("textbox", name="Largest norm").fill("7")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="Step", exact=True).click()
    expect(square.locator("table.pairs tbody td").nth(1)).to_have_text("6 unchanged")


def test_a_new_rate_acts_on_the_next_step(square: Page) -> None:
    square.get_by_role("button", name="Step", exact=True).click()
    square.get_by_role("textbox", name="Learning rate").fill("0.5")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="Step", exact=True).click()
    expect_row(square, 2, ["5.88", "5.88", "2.94", "0"])  # 2.94 − 0.5 · 5.88


def test_a_rate_that_is_too_large_says_where_it_ended(square: Page) -> None:
    square.get_by_role("textbox", name="Learning rate").fill("1.1")
    square.keyboard.press("Tab")
    square.get_by_role("button", name="×100").click()
    expect(square.locator("gl-optimizer .message")).to_contain_text("learning rate")


def test_reset_returns_to_the_lesson(square: Page) -> None:
    square.get_by_role("button", name="×10", exact=True).click()
    square.get_by_role("button", name="Reset").click()
    expect_row(square, 0, ["6", "?", "3", "?"])
    expect(square.get_by_role("button", name="Reset")).to_be_disabled()
