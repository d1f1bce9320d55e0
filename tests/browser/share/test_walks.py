"""Wherever somebody has walked to on the page: link, reload, Back and Forward lead to the same."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage

pytestmark = pytest.mark.modules

STATES_OF_A_WALK = 10
WRITTEN_MS = 700  # after which the browser's history holds what was left alone
EXAMPLES = ["g01", "g04", "g05", "g08", "g12", "g19", "g24", "g31"]
TOOLS = ["Optimizer", "Landscape", "Race", "Compare derivatives", "Table", "Outline"]
DOCK_TABS = ".dock-tabs [role=tab]"

# All that is drawn, wherever the window looks, and what is said about it.
LOOK = """async () => {
  const one = (text) => text?.replace(/\\s+/g, " ").trim() ?? null;
  const words = (selector) => one(document.querySelector(selector)?.textContent);
  const picture = await (await document.querySelector("gl-graph").picture("svg", false))?.text();
  return {
    picture: picture ?? null,
    text: document.querySelector(".cm-content")?.innerText ?? null,
    values: [...document.querySelectorAll(".variable .value")].map((field) => field.value),
    sentence: words("gl-step .sentence"),
    result: words("gl-step .result"),
    count: words(".transport .count"),
    update: words(".of-update"),
    dock: document.querySelector(".dock-tabs [aria-selected=true]")?.id ?? null,
    isDockOpen: document.querySelector(".dock-body") !== null,
    level: words(".levels [aria-pressed=true]"),
    language: document.documentElement.lang,
    card: words(".course-card h2"),
  };
}"""
THEME = "document.documentElement.dataset.theme ?? 'light'"
# Nothing is under way: no question, no run, no drawing.
AT_REST = """async () => {
  const { state } = await import(new URL("store.js", document.querySelector("script[src*='app.js']").src));
  const { busy, goal, program, run, stale } = state.value;
  const isRunning = run?.status === "running"; // rows are computed ahead
  return !busy && goal === null && program !== null && !stale && !isRunning;
}"""


def at_rest(page: Page) -> dict[str, Any]:
    """What the page shows once nothing moves any more: the same three times."""
    last: dict[str, Any] = {}
    same = 0
    for _ in range(400):
        page.wait_for_timeout(70)
        now = {} if not page.evaluate(AT_REST) else page.evaluate(LOOK)
        same = same + 1 if now and now == last else 0
        last = now
        if same == 3:
            return now
    pytest.fail("the page does not come to rest")


def press(page: Page, selector: str, chance: random.Random) -> None:
    """One of the buttons of a kind, where there is one in sight."""
    buttons = [each for each in page.locator(selector).all() if each.is_visible()]
    if buttons:
        chance.choice(buttons).click()


def open_named(page: Page, name: str) -> None:
    """Another example, by the gallery."""
    page.locator(".opener.examples").click()
    page.locator(".items button").filter(
        has=page.locator(".marks").get_by_text(name.upper(), exact=True)
    ).click()
    page.wait_for_url(f"**example={name}*")
    page.mouse.move(0, 0)


def open_example(page: Page, chance: random.Random) -> None:
    open_named(page, chance.choice(EXAMPLES))


def link_of(page: Page) -> str:
    """The link that the page offers, in whichever language."""
    page.locator(".bar .share").click()
    page.mouse.move(0, 0)
    expect(page.locator("#share-link")).not_to_have_value("")
    link = page.locator("#share-link").input_value()
    page.keyboard.press("Escape")
    return link


def step(page: Page, chance: random.Random) -> None:
    """Some steps on, or some back."""
    key = chance.choice(["ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home"])
    page.locator("body").evaluate("() => document.activeElement?.blur()")
    for _ in range(chance.randint(1, 3)):
        page.keyboard.press(key)


def choose_level(page: Page, chance: random.Random) -> None:
    press(page, ".levels button", chance)


def choose_lanes(page: Page, chance: random.Random) -> None:
    press(page, ".graph-bar .segments:not(.levels) button", chance)


def choose_tool(page: Page, chance: random.Random) -> None:
    press(page, DOCK_TABS, chance)


def open_scope(page: Page, chance: random.Random) -> None:
    press(page, ".graph-view .toggle", chance)


def update(page: Page, chance: random.Random) -> None:
    """Updates of the optimizer, by its own buttons."""
    page.locator("#dock-optimizer").click()
    press(page, "gl-optimizer .step-1, gl-optimizer .step-10", chance)


def speak(page: Page, chance: random.Random) -> None:
    press(page, ".bar .segments button", chance)


def choose_theme(page: Page, _: random.Random) -> None:
    page.evaluate("document.querySelector('.bar .square:not(.help)').click()")


def type_value(page: Page, chance: random.Random) -> None:
    """Another value of a variable."""
    fields = page.locator(".variable .value").all()
    if fields:
        field = chance.choice(fields)
        field.fill(str(chance.randint(-3, 4)))
        field.press("Enter")


ACTIONS: list[Callable[[Page, random.Random], None]] = [
    *(open_example, step, step, choose_level, choose_lanes, choose_tool),
    *(open_scope, update, speak, choose_theme, type_value),
]


def differences(now: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    return {key: apart(now.get(key), then[key]) for key in then if now.get(key) != then[key]}


def apart(now: object, then: object) -> tuple[object, object]:
    """Two values; of long texts what stands where they begin to differ."""
    a, b = str(now), str(then)
    if max(len(a), len(b)) < 200:
        return now, then
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a[max(0, at - 60) : at + 60], b[max(0, at - 60) : at + 60]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10 if os.environ.get("GRADLENS_WALKS") == "all" else 2))
def test_ten_states_of_a_walk_are_the_same_by_link_loaded_again_back_and_forward(
    open_page: OpenPage, seed: int
) -> None:
    chance = random.Random(seed)
    page = open_page(path=f"/?example={chance.choice(EXAMPLES)}")
    page.wait_for_selector("html[data-ready]")
    other = open_page()
    trail: list[str] = []

    def expect_same(seen: Page, wanted: dict[str, Any], way: str) -> None:
        found = differences(at_rest(seen), wanted)
        assert found == {}, f"{way} after {trail}"

    for _ in range(STATES_OF_A_WALK):
        for action in chance.choices(ACTIONS, k=3):
            trail.append(action.__name__)
            action(page, chance)
            page.mouse.move(0, 0)  # nothing lies under the pointer
            here = at_rest(page)
        page.wait_for_timeout(WRITTEN_MS)
        other.evaluate("(theme) => localStorage.setItem('gradlens.theme', theme)", page.evaluate(THEME))
        head, _, held = link_of(page).partition("#")
        other.goto(f"{head}{'&' if '?' in head else '?'}walk={len(trail)}#{held}")  # a page loaded anew
        other.wait_for_selector("html[data-ready]")
        expect_same(other, here, "by its link")
        page.reload()
        page.wait_for_selector("html[data-ready]")
        expect_same(page, here, "loaded again")
        item = page.evaluate("new URLSearchParams(location.search).get('example')")
        next_item = "g02" if item != "g02" else "g01"
        open_named(page, next_item)
        there = at_rest(page)
        page.wait_for_timeout(WRITTEN_MS)
        page.go_back()
        page.wait_for_url(f"**example={item}*")
        expect_same(page, here, "back")
        page.go_forward()
        page.wait_for_url(f"**example={next_item}*")
        expect_same(page, there, "forward")
        trail.append(f"open {next_item}")
