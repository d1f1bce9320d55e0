"""One time line: after whatever a learner presses, every number on the screen belongs to one update.

Sequences are drawn at random and pressed in a real browser; each number that is shown is computed again
from the x before the update that the page says it shows.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.actions import type_program, wait_until

pytestmark = pytest.mark.modules

SOURCE = "y = x^2 + sin(x)"
LIMIT = 0.5  # of the process
PRESSES = 40
NEAR = 2e-3  # of numbers with four digits, some of them in float32

COUNT_QUESTIONS = """
window.asked = 0;
const ask = window.fetch;
window.fetch = (...question) => {
  window.asked += 1;
  return ask(...question).finally(() => (window.asked -= 1));
};"""
STATE = """async () => {
  const store = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/store.js")).name;
  window.state = (await import(store)).state;
}"""
AT_REST = """() => {
  const { busy, goal, level, asked, typing } = window.state.value;
  return window.asked === 0 && !busy && !goal && level === asked && !typing;
}"""
SEEN = """() => {
  const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const titles = (selector, within) => all(selector, within).map(({ title }) => title);
  const items = all(".graph-view .items .item");
  return {
    boxes: items.map((item) => ["title", ".label", ".value"].map((part) => {
      return item.querySelector(`:scope > ${part}`)?.textContent.split("\\n")[0] ?? "";
    })),
    field: document.querySelector("#value-of-x").value,
    row: text("gl-optimizer .count"),
    update: text(".of-update"),
    pair: titles("table.pairs tbody tr:not(.slot) td span"),
    slots: all("table.pairs tr.slot").map((row) => [
      row.querySelector("code").textContent, ...titles("td span", row),
    ]),
    phase: text("gl-step .phase"),
    result: document.querySelector("gl-step .result strong")?.title ?? "",
    from: text("gl-step .result .from"),
    sentence: text("gl-optimizer .update-sentence"),
    levels: all(".levels [aria-pressed=true]").map(({ textContent }) => textContent),
  };
}"""


def f(x: float) -> float:
    return x**2 + math.sin(x)


def slope(x: float) -> float:
    return 2 * x + math.cos(x)


MATHEMATICS: dict[str, Callable[[float], float]] = {
    "x": lambda x: x,
    "x²": lambda x: x**2,
    "sin x": math.sin,
    "x² + sin x = y": f,
    "∂y/∂y": lambda x: 1,
    "∂y/∂(x²)": lambda x: 1,
    "∂y/∂(sin x)": lambda x: 1,
    "∂y/∂x": slope,
    "× 2x": lambda x: 2 * x,
    "× cos x": math.cos,
}
TENSORFLOW: dict[str, Callable[[float], float]] = {
    "x": lambda x: x,
    "pow": lambda x: x**2,
    "Sin": math.sin,
    "add": f,
    "gradients/pow_grad": lambda x: 2 * x,
    "gradients/Sin_grad": math.cos,
    "gradients/AddN": slope,
}
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def number(text: str) -> float:
    """A number as the page writes it."""
    plain = text.replace("\u202f", "").replace("−", "-").strip("() ")
    mantissa, _, exponent = plain.partition("×10")
    return float(mantissa) * 10.0 ** int(exponent.translate(RAISED) or 0)


def is_near(shown: float, known: float) -> bool:
    return math.isclose(shown, known, rel_tol=NEAR, abs_tol=NEAR / 10)


@dataclass
class Learner:
    """Who presses, and what they have seen of the run so far."""

    page: Page
    chance: random.Random
    rows: dict[int, tuple[float, float]] = field(default_factory=dict)  # x before and after each update
    log: list[str] = field(default_factory=list)
    has_changed: bool = False  # a setting, since the last update was made

    def press(self) -> None:
        """One press, drawn at random."""
        actions = [self.step, self.step, self.ten, self.back, self.reset, self.next, self.next, self.previous]
        actions += [self.scrub, self.rate, self.optimizer, self.process, self.value, self.level, self.level]
        action = self.chance.choice(actions)
        self.log.append(action.__name__)
        action()
        wait_until(self.page, AT_REST)
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wait_until(self.page, AT_REST)

    # -- presses

    def click(self, selector: str) -> None:
        button = self.page.locator(selector)
        if button.get_attribute("aria-disabled") != "true":
            button.click()

    def step(self) -> None:
        self.forget_ahead()
        self.click("gl-optimizer .step-1")

    def ten(self) -> None:
        self.forget_ahead()
        self.click("gl-optimizer .step-10")

    def forget_ahead(self) -> None:
        """With other settings, what lay ahead is computed anew."""
        if self.has_changed:
            row = self.row()
            self.rows = {k: pair for k, pair in self.rows.items() if k <= row}
        self.has_changed = False

    def back(self) -> None:
        self.click("gl-optimizer .buttons button:first-child")

    def reset(self) -> None:
        self.click("gl-optimizer .buttons button:nth-last-of-type(1)")
        self.rows.clear()

    def next(self) -> None:
        self.click(".transport .next")

    def previous(self) -> None:
        self.click(".transport .back")

    def scrub(self) -> None:
        slider = self.page.locator(".transport .scrub")
        slider.fill(str(self.chance.randint(0, int(slider.get_attribute("max") or 0))))

    def rate(self) -> None:
        self.has_changed = True
        field = self.page.get_by_role("textbox", name="Learning rate η")
        field.fill(self.chance.choice(["0.1", "0.01", "0.2"]))
        field.blur()

    def optimizer(self) -> None:
        self.has_changed = True
        names = ["GradientDescent", "Momentum", "Adam"]
        self.page.locator("select").and_(self.page.get_by_label("Optimizer", exact=True)).select_option(
            self.chance.choice(names)
        )

    def process(self) -> None:
        self.has_changed = True
        name = self.chance.choice(["none", "clip_by_norm", "clip_by_value"])
        self.page.locator("select").and_(self.page.get_by_label("Process", exact=True)).select_option(name)
        if name != "none":
            limit = self.page.get_by_role("textbox", name=re.compile("Largest"))
            limit.fill(str(LIMIT))
            limit.blur()

    def value(self) -> None:
        field = self.page.locator("#value-of-x")
        field.fill(str(self.chance.choice([3, -2, 1.5, 0.25])))
        field.blur()
        self.rows.clear()

    def level(self) -> None:
        level = self.chance.choice(["Mathematics", "TensorFlow"])
        self.page.locator(".levels").get_by_role("button", name=level).click()

    # -- looks

    def row(self) -> int:
        return int(self.page.locator("gl-optimizer .count").inner_text().split()[-1])

    def look(self) -> list[str]:
        """What on the screen does not belong to the update that it says it shows."""
        seen = self.page.evaluate(SEEN)
        return [f"{trouble} in {seen} after {self.log}" for trouble in self.troubles(seen)]

    def troubles(self, seen: dict[str, Any]) -> list[str]:
        row = int(seen["row"].split()[-1])
        if row == 0:
            return wrong_boxes(seen, number(seen["field"]), None)
        gradient, processed, before, after = map(number, seen["pair"])
        is_whole = "update" in seen["phase"]
        found = [] if seen["update"] == f"Update {row}" else ["another update at the transport"]
        found += wrong_boxes(seen, before, after)
        if not is_near(number(seen["field"]), after if is_whole else before):
            found.append("field")
        if not is_near(gradient, slope(before)):
            found.append("gradient")
        if not any(is_near(processed, known) for known in (gradient, math.copysign(LIMIT, gradient))):
            found.append("processed gradient")
        if is_whole and not is_near(number(seen["result"]), f(after)):
            found.append("loss")
        if is_whole and not is_near(number(seen["from"].rstrip("→")), f(before)):
            found.append("loss before")
        found += wrong_slots(seen, processed) + wrong_sentence(seen, before, processed, after)
        return found + self.wrong_history(row, before, after)

    def wrong_history(self, row: int, before: float, after: float) -> list[str]:
        """An update has the same numbers whenever one looks, and begins where the one before it ended."""
        known = self.rows.setdefault(row, (before, after))
        found = [] if is_near(known[0], before) and is_near(known[1], after) else [f"not {known} as before"]
        if row - 1 in self.rows and not is_near(self.rows[row - 1][1], before):
            found.append(f"not from {self.rows[row - 1]} on")
        return found


def wrong_boxes(seen: dict[str, Any], x: float, after: float | None) -> list[str]:
    """Boxes of the picture with another number than x leads to; what is not told yet is a question mark."""
    is_mathematics = seen["levels"] == ["Mathematics"]
    found = []
    for title, label, text in seen["boxes"]:
        expected = (MATHEMATICS if is_mathematics else TENSORFLOW).get(title)
        if label.startswith("x ←") and after is not None and text not in ("", "?"):
            found += [] if is_near(number(text), after) else [f"{label}: {text}"]
        if label == "dy/dx":
            expected = slope
        if expected is None or text in ("", "?"):
            continue
        terms, _, total = text.rpartition(" = ") if " = " in text else ("", "", text)
        known = [term for term in (terms or text).split(" + ") if term != "?"] if " + " in text else []
        sums = all(any(is_near(number(term), part) for part in (2 * x, math.cos(x))) for term in known)
        if not sums or (
            "?" not in text and not (known and not terms) and not is_near(number(total), expected(x))
        ):
            found.append(f"{title}: {text} at {x}")
    return found


def wrong_slots(seen: dict[str, Any], g: float) -> list[str]:
    """The optimizer's state follows from what it was and the gradient that was used."""
    rules: dict[str, Callable[[float], float]] = {
        "m": lambda m: 0.9 * m + 0.1 * g,
        "v": lambda v: 0.999 * v + 0.001 * g * g,
        "Momentum": lambda a: 0.9 * a + g,
    }
    return [
        f"slot {name}"
        for name, before, after in seen["slots"]
        if name in rules
        and not math.isclose(rules[name](number(before)), number(after), rel_tol=1e-3, abs_tol=1e-6)
    ]


def wrong_sentence(seen: dict[str, Any], before: float, g: float, after: float) -> list[str]:
    """`x ← 3 − 0.01 × 6 = 2.94` of gradient descent."""
    found = re.fullmatch(r"x ← (\S+) − (\S+) × (\S+) = (\S+)", seen["sentence"])
    if found is None:
        return []
    old, rate, slope_used, new = map(number, found.groups())
    known = (
        is_near(old, before),
        is_near(slope_used, g),
        is_near(new, after),
        is_near(old - rate * slope_used, new),
    )
    return [] if all(known) else ["sentence"]


@pytest.mark.slow
@pytest.mark.own_tab
@pytest.mark.parametrize("seed", range(4))
def test_all_numbers_on_the_screen_belong_to_one_update(page: Page, seed: int) -> None:
    page.add_init_script(COUNT_QUESTIONS)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.evaluate(STATE)
    type_program(page, SOURCE)
    page.locator(".graph-view .item", has_text="x² + sin x").first.wait_for()
    page.locator("select option[value=Adam]").wait_for(state="attached")
    learner = Learner(page, random.Random(seed))
    for _ in range(PRESSES):
        learner.press()
        assert learner.look() == []


@pytest.mark.parametrize(
    ("boxes", "is_right"),
    [
        ([["∂y/∂x", "∂y/∂x", "2 + 0.5403 = 2.54"]], True),
        ([["∂y/∂x", "∂y/∂x", "2 + ?"]], True),
        ([["∂y/∂x", "∂y/∂x", "2 + 0.5403 = 2.5"]], False),
        ([["∂y/∂x", "∂y/∂x", "3 + ?"]], False),
        ([["sin x", "sin x", "0.1411"]], False),
        ([["x ← GradientDescent", "x ← GradientDescent", "0.9"]], True),
        ([["x ← GradientDescent", "x ← GradientDescent", "0.8"]], False),
    ],
)
def test_a_number_of_another_update_is_noticed(boxes: list[list[str]], is_right: bool) -> None:
    assert (wrong_boxes({"boxes": boxes, "levels": ["Mathematics"]}, 1.0, 0.9) == []) is is_right
