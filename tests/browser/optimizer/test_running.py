"""A run is drawn while its rows arrive, and ends at once when nobody wants more of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, another_drawing, expect_value, open_tool, type_program
from tests.browser.graph.test_gallery_drawings import MODULE

pytestmark = [AT_TENSORFLOW, pytest.mark.modules]

SLOW = """import tensorflow as tf
x = tf.Variable(tf.fill([5000], 0.5))
y = x
for i in range(20):
    y = tf.tanh(y)
loss = tf.reduce_sum(y)
"""


# Start a run and end it at its first rows: a hand on a slow machine may come when a limit has ended it.
STOP_SOON = """(way) => new Promise((done) => {
  const press = (selector) => document.querySelector(`gl-optimizer ${selector}`).click();
  const ways = {
    Stop: () => press(".stop"),
    Back: () => press(".buttons button"),
    Next: () => document.querySelector("gl-transport .next").click(),
    Escape: () => document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true})),
  };
  const count = document.querySelector("gl-optimizer .count");
  const look = () => {
    if (!/step [1-9]/.test(count.textContent)) return requestAnimationFrame(look);
    ways[way]();
    done();
  };
  press(".step-10000");
  look();
})"""
ALL_STEPS = f"async () => (await ({MODULE})('requests/run.js')).optimise(100_000)"
LISTEN = """() => {
  const voice = document.querySelector("gl-narration p");
  const heard = [];
  const listener = new MutationObserver(() => heard.push(voice.textContent));
  listener.observe(voice, {subtree: true, childList: true, characterData: true});
  return heard;
}"""


@pytest.fixture
def slow(page: Page) -> Page:
    """A program of which ten thousand steps take long."""
    type_program(page, SLOW)
    expect(page.locator("table.pairs tbody td").nth(2)).to_have_text("float32 (5000)")
    return page


def count(page: Page) -> int:
    """The step that is shown."""
    return int(re.sub(r"\D", "", page.locator("gl-optimizer .count").inner_text()))


def start(page: Page) -> None:
    """Ask for ten thousand updates and wait until some are drawn."""
    page.locator("button.step-10000").click()
    expect(page.locator("gl-optimizer .count")).to_have_text(re.compile(r"step [1-9]"))


@pytest.mark.parametrize("way", ["Stop", "Escape", "Back", "Next"])
def test_a_run_under_way_is_stopped_where_it_is(slow: Page, way: str) -> None:
    stop = slow.locator("gl-optimizer").get_by_role("button", name="Stop")
    expect(stop).to_be_disabled()
    slow.evaluate(STOP_SOON, way)
    expect(stop).to_be_disabled()
    reached = count(slow)
    assert 0 < reached < 10_000
    slow.locator("gl-optimizer").get_by_role(
        "button", name="Step", exact=True
    ).click()  # and goes on from there
    expect(slow.locator("gl-optimizer .count")).to_have_text(f"step {reached + 1:,}".replace(",", "\u202f"))


def test_another_text_ends_the_run_of_the_old_one(slow: Page) -> None:
    start(slow)
    type_program(slow, "y = x^2")
    expect(slow.locator("gl-optimizer .count")).to_have_text("step 0")
    expect(slow.locator("gl-optimizer").get_by_role("button", name="Stop")).to_be_disabled()


def test_the_curve_and_the_nodes_follow_the_rows_and_nothing_moves(slow: Page) -> None:
    with another_drawing(slow):  # the optimizer's nodes take their places
        slow.get_by_role("button", name="Step", exact=True).click()
    expect(slow.locator("gl-optimizer .count")).to_have_text("step 1")
    places = "nodes => nodes.map(node => node.getAttribute('transform'))"
    before = slow.locator("svg .node").evaluate_all(places)
    start(slow)
    expect(slow.locator(".curve .plot")).to_have_attribute("aria-label", re.compile(r"over \d{2,}"))
    slow.keyboard.press("Escape")
    assert slow.locator("svg .node").evaluate_all(places) == before


def test_ten_thousand_updates_are_announced_in_quarters_and_then_told(page: Page) -> None:
    type_program(page, "y = x^2")
    expect(page.locator("gl-step .sentence")).to_contain_text("What does pow send back?")
    page.get_by_role("textbox", name="Learning rate").fill("0.0001")
    page.keyboard.press("Tab")
    said = page.evaluate_handle(LISTEN)
    page.locator("button.step-10000").click()
    expect(page.locator("gl-optimizer .count")).to_have_text("step 10\u202f000")
    expect(page.locator("table.pairs tbody strong")).to_have_text("0.4059")  # 3 · 0.9998^10000
    heard = [text for text in said.json_value() if "updates made" in text]
    assert set(heard) <= {
        f"{k} of 10\u202f000 updates made." for k in ("0", "2\u202f500", "5\u202f000", "7\u202f500")
    }


def test_the_last_step_that_there_can_be_is_told(page: Page) -> None:
    page.get_by_role("combobox", name="Optimizer").select_option("Adagrad")  # which is still on its way then
    page.evaluate(ALL_STEPS)
    expect(page.locator("gl-optimizer .message")).to_have_text("A run has at most 100\u202f000 steps here.")


def test_tensors_of_the_row_that_is_shown_are_brought_in(slow: Page) -> None:
    type_program(
        slow, "import tensorflow as tf\nx = tf.Variable([10., 20.])\nh = x * 3.\ny = tf.reduce_sum(h * h)"
    )
    expect(slow.locator("table.pairs tbody td").nth(2)).to_have_text("[10, 20]")
    slow.get_by_role("textbox", name="Learning rate").fill("0.05")
    slow.keyboard.press("Tab")
    for step in (1, 2):
        slow.get_by_role("button", name="Step", exact=True).click()
        expect(slow.locator("gl-optimizer .count")).to_have_text(f"step {step}")
    open_tool(slow, "Table")
    expect_value(slow, "mul", "[3, 6]")  # 3 · 10 · (1 − 0.05 · 18), 3 · 20 · (1 − 0.05 · 18)
