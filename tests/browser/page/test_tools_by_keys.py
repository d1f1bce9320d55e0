"""The tools below the picture: complete with keys alone, sound to axe, loaded when first looked at."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, Response, ViewportSize, expect

from tests.browser.actions import AT_TENSORFLOW, EVERY_LOOK, OpenPage, type_program
from tests.browser.page.test_accessibility import serious_issues

pytestmark = pytest.mark.modules

SIX = ["GradientDescent", "Momentum", "Adagrad", "RMSProp", "Adam", "keras.SGD"]
PROGRAM = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable(tf.random_normal([2, 1]))
y = tf.reduce_sum(tf.matmul(x, w))
"""
ZOOMED: ViewportSize = {"width": 720, "height": 450}  # 1440x900 at 200 %


def go_to_tool(page: Page, name: str) -> None:
    """Walk along the names of the tools with arrow keys."""
    tabs = page.locator(".dock-tabs")
    tabs.locator("[aria-selected=true]").focus()
    page.keyboard.press("Home")
    for _ in range(tabs.get_by_role("tab").count()):
        if name in (tabs.locator("[aria-selected=true]").text_content() or ""):
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"no tool is called {name}")


def choose(field: Locator, name: str) -> None:
    """Choose from a list by typing its name."""
    field.focus()
    field.page.keyboard.type(name)
    expect(field).to_have_value(name)


@pytest.mark.own_tab
def test_six_optimizers_race_a_thousand_steps_by_keys_and_end_as_the_rest_answer_says(
    page: Page, server: str
) -> None:
    page.set_default_timeout(60_000)
    asked: list[Any] = []
    page.on("request", lambda sent: asked.append(sent.post_data_json) if "races" in sent.url else None)
    type_program(page, "y = (x - 1)^2 + 0.5")
    go_to_tool(page, "Race")
    race = page.locator("gl-race")
    expect(race.locator(".contenders li")).to_have_count(4)
    add = race.get_by_role("button", name="Add one")
    for _ in range(2):
        add.focus()
        page.keyboard.press("Enter")
    for place, name in enumerate(SIX, 1):
        field = race.get_by_role("combobox", name=f"Optimizer of contender {place}")
        expect(field.locator("option")).not_to_have_count(1)
        choose(field, name)
    race.get_by_role("textbox", name="Steps").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("1000")
    page.keyboard.press("Enter")
    rows = race.locator(".endings tbody tr")
    expect(rows).to_have_count(6)
    expect(race.locator(".endings tbody td").first).to_contain_text("step")
    expect(rows.last.locator("th")).to_contain_text("keras.SGD")
    body = next(each for each in reversed(asked) if each["steps"] == 1000 and len(each["runs"]) == 6)
    answer = httpx.post(f"{server}/api/v1/races", json=body, timeout=60).json()
    for row, run in zip(rows.all(), answer["runs"], strict=True):
        last = run["columns"]["loss"][-1]
        expect(row.locator("td").nth(1)).to_have_attribute("title", str(last))


def test_a_landscape_is_worked_by_keys_and_its_points_are_those_of_the_rest_answer(
    page: Page, server: str
) -> None:
    type_program(page, "y = (1 - x)^2 + 100*(z - x^2)^2")
    go_to_tool(page, "Landscape")
    tool = page.locator("gl-landscape")
    tool.get_by_role("textbox", name="x from").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("-2.5")
    with page.expect_response(lambda answer: starts_at(answer, -2.5)) as answered:
        page.keyboard.press("Enter")
    point = tool.get_by_role("row", name="minimum").get_by_role("cell")
    expect(point).to_have_count(3)
    body = answered.value.request.post_data_json
    [found] = httpx.post(f"{server}/api/v1/landscapes", json=body, timeout=60).json()["points"]
    for cell, number in zip(point.all(), [found["at"]["x"], found["at"]["z"], found["value"]], strict=True):
        expect(cell).to_have_attribute("title", str(page.evaluate("String", number)).replace("-", "−", 1))
    tool.get_by_role("button", name="minimum").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#value-of-z")).to_have_value("1")
    tool.get_by_label("3-D surface").focus()
    page.keyboard.press("Space")
    expect(tool.get_by_label("3-D surface")).to_be_checked()


def starts_at(answer: Response, number: float) -> bool:
    asked = answer.request.post_data_json if "landscapes" in answer.url else None
    return asked is not None and bool(asked["axes"][0]["from"] == number)


@pytest.mark.own_tab
def test_loss_curves_are_worked_by_keys_and_end_as_the_rest_answer_says(page: Page, server: str) -> None:
    asked: list[Any] = []
    page.on("request", lambda sent: asked.append(sent.post_data_json) if "v1/runs" in sent.url else None)
    type_program(page, "y = (x - 1)^2 + 0.5")
    expect(page.locator("#value-of-x")).to_be_visible()
    page.locator("gl-optimizer .step-10").focus()
    page.keyboard.press("Enter")
    expect(page.locator("gl-optimizer .count")).to_contain_text("10")
    go_to_tool(page, "Loss curve")
    curves = page.locator("gl-curves")
    curves.get_by_role("button", name="Keep this run").focus()
    page.keyboard.press("Enter")
    row = curves.locator("tbody tr")
    expect(row.get_by_role("button", name="Remove")).to_have_count(1)
    loss = httpx.post(f"{server}/api/v1/runs", json=asked[0], timeout=60).json()["loss"]
    assert float(str(row.locator("td").nth(1).get_attribute("title"))) == loss[10]
    curves.get_by_role("slider", name="Losses at step").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert float(row.locator(".exact").inner_text()) == loss[1]
    curves.get_by_role("switch", name="Logarithmic scale").focus()
    page.keyboard.press("Space")
    expect(curves.get_by_role("switch", name="Logarithmic scale")).to_be_checked()
    row.get_by_role("button", name="Remove").focus()
    page.keyboard.press("Enter")
    expect(row.get_by_role("button", name="Remove")).to_have_count(0)


@EVERY_LOOK
def test_axe_finds_nothing_serious_in_curves_ops_tables_and_fields(
    open_page: OpenPage, locale: str, dark: bool
) -> None:
    page = open_page(locale=locale, dark=dark)
    page.locator("gl-optimizer .step-10").click()
    page.locator("#dock-curves").click()
    page.locator("gl-curves .uplot").wait_for()
    assert serious_issues(page) == []
    page.locator("#dock-ops").click()
    page.locator("gl-ops article .katex").first.wait_for()
    assert serious_issues(page) == []
    type_program(page, PROGRAM)
    page.locator("gl-fields .feed").wait_for()
    page.locator("#dock-table").click()
    page.locator("gl-table .table-tools").wait_for()
    assert serious_issues(page) == []


def test_nothing_of_curves_ops_and_fields_is_loaded_before_it_is_used(page: Page) -> None:
    loaded: list[str] = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    late = ("panels/curves/curves.js", "uplot", "panels/ops/ops.js", "api/v1/ops", "panels/input/fields.js")
    assert [name for name in loaded if any(part in name for part in late)] == []


@AT_TENSORFLOW
def test_letters_and_arrows_walk_through_the_outline(page: Page) -> None:
    go_to_tool(page, "Outline")
    page.locator("gl-outline [tabindex='0']").focus()
    page.keyboard.press("g")
    focused = page.locator("gl-outline li:focus")
    expect(focused.locator("code")).to_have_text("gradients")
    page.keyboard.press("End")
    expect(focused).not_to_contain_text("gradients")


@pytest.mark.parametrize("tool", ["optimizer", "curves", "table", "ops", "landscape", "race"])
def test_at_twice_the_size_nothing_covers_the_sentence(page: Page, tool: str) -> None:
    page.set_viewport_size(ZOOMED)
    page.locator(f"#dock-{tool}").click()
    sentence = page.locator("gl-step .sentence")
    sentence.scroll_into_view_if_needed()
    box = sentence.bounding_box()
    assert box is not None
    middle = {"x": box["x"] + 8, "y": box["y"] + 8}
    on_top = page.evaluate("({x, y}) => document.elementFromPoint(x, y)?.closest('gl-step') !== null", middle)
    assert on_top


def test_letters_typed_in_a_list_of_choices_choose_there_and_do_nothing_else(page: Page) -> None:
    field = page.get_by_role("combobox", name="Optimizer")
    expect(field.locator("option")).not_to_have_count(1)
    choose(field, "RMSProp")  # S shows the page to a class elsewhere, and P asks a question
    expect(page.locator("gl-input .cm-content")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Ask me before each step")).not_to_be_checked()
