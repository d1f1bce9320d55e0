"""In a run the factors on the dashed lines belong to the update that is shown, and come where one rests."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import type_program, wait_until

FACTORS = """() => Object.fromEntries(
  [...document.querySelectorAll(".graph-view .items .item")].map((item) => [
    item.querySelector(":scope > title")?.textContent.split("\\n")[0],
    item.querySelector(":scope > .value")?.textContent,
  ]).filter(([title]) => title?.startsWith("×")),
)"""


def wait_for_factor(page: Page, factor: str, value: str) -> None:
    """Wait until a line has this number."""
    wait_until(page, f"([factor, value]) => ({FACTORS})()[factor] === value", [factor, value])


def shown(value: float) -> str:
    """A number as the page writes it."""
    return f"{value:.4g}".replace("-", "\u2212")


@pytest.mark.parametrize("way", ["forward", "back"])
def test_the_factors_of_each_update_come_where_the_learner_rests(page: Page, way: str) -> None:
    type_program(page, "y = x^2 + sin(x)")
    page.locator(".graph-view .item", has_text="× 2x").first.wait_for()
    x = float(page.locator("#value-of-x").input_value())
    states = [x]
    for _ in range(10):
        states.append(states[-1] - 0.1 * (2 * states[-1] + math.cos(states[-1])))
    page.get_by_role("textbox", name="Learning rate η").fill("0.1")
    page.get_by_role("textbox", name="Learning rate η").blur()
    page.locator("gl-optimizer .step-10").click()
    expect(page.locator("gl-optimizer .count")).to_contain_text("10")
    row = 10
    if way == "back":
        page.locator("gl-optimizer .buttons button:first-child").click()
        row = 9
    wait_for_factor(page, "× 2x", shown(2 * states[row - 1]))
    wait_for_factor(page, "× cos x", shown(math.cos(states[row - 1])))


def test_an_update_that_takes_the_other_branch_is_drawn_with_it(page: Page) -> None:
    type_program(
        page,
        "import tensorflow as tf\nx = tf.Variable(3.)\n"
        "y = tf.cond(x > 1, lambda: x ** 2, lambda: tf.sin(x))\n"
        "train = tf.train.GradientDescentOptimizer(0.4).minimize(y)\n",
    )
    page.locator(".graph-view .item", has_text="x²").first.wait_for()
    page.locator("gl-optimizer .step-10").click()  # 3, 0.6, and from there with the sine
    expect(page.locator("gl-optimizer .count")).to_contain_text("10")
    expect(page.locator(".graph-view .item", has_text="× cos x").first).to_be_visible()
    expect(page.locator(".graph-view .item", has_text="x²")).to_have_count(0)
