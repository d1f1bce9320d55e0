"""Forward and back through the lesson, one node at a time."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, expect_value, open_tool, type_program
from tests.browser.graph.test_gallery_drawings import OPEN

pytestmark = AT_TENSORFLOW


def test_next_tells_what_exp_sends_back(page: Page) -> None:
    page.get_by_role("button", name="Next step").click()
    expect(page.locator("gl-step .result strong")).to_have_text("1.152")
    open_tool(page, "Table")
    expect_value(page, "gradients/Exp_grad/mul", "1.152")
    expect_value(page, "gradients/Sin_grad/mul", "?")


def test_the_end_shows_the_derivative_and_the_way_back_leads_to_the_same_page(page: Page) -> None:
    open_tool(page, "Table")
    before = page.locator("gl-graph").inner_html(), page.locator("table.nodes").inner_text()
    page.get_by_role("button", name="Last step").click()
    expect_value(page, "gradients/Sin_grad/mul", "−1.14")
    while page.locator("gl-transport .count").inner_text() != "4 / 7":
        page.get_by_role("button", name="Back", exact=True).first.click()
    assert (page.locator("gl-graph").inner_html(), page.locator("table.nodes").inner_text()) == before


def test_scrubbing_equals_pressing_next(page: Page) -> None:
    open_tool(page, "Table")
    page.get_by_role("button", name="First step").click()
    for _ in range(4):
        page.get_by_role("button", name="Next step").click()
    stepped = page.locator("table.nodes").inner_text(), page.locator("gl-step").inner_text()
    scrubber = page.get_by_role("slider", name="Go to a step")
    scrubber.fill("1")
    scrubber.fill("4")
    assert (page.locator("table.nodes").inner_text(), page.locator("gl-step").inner_text()) == stepped


def test_the_keyboard_alone_goes_through_the_lesson(page: Page) -> None:
    count = page.locator("gl-transport .count")
    page.keyboard.press("Home")
    expect(count).to_have_text("1 / 7")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("2 / 7")
    page.keyboard.press("Shift+ArrowRight")
    expect(count).to_have_text("4 / 7")
    page.keyboard.press("End")
    expect(count).to_have_text("7 / 7")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("6 / 7")


def test_a_phase_is_one_press_away(page: Page) -> None:
    page.get_by_role("group", name="Phases").get_by_role("button", name="Forward").click()
    expect(page.locator("gl-step .phase")).to_have_text("Forward")


@pytest.mark.modules
@pytest.mark.parametrize("example", ["g29", "g35"])  # a sum of ten gradients; an update of Adam
def test_a_long_formula_is_broken_at_its_operators_rather_than_cut(page: Page, example: str) -> None:
    page.set_viewport_size({"width": 1600, "height": 900})  # the step has a narrow column of its own
    page.evaluate(OPEN, example)
    page.get_by_role("button", name="Last step").click()
    formula = page.locator("gl-step gl-formula").first
    expect(formula.locator(".katex")).to_be_visible()
    expect(formula.locator(".katex-display")).to_have_count(0)
    assert formula.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") <= 0


def test_a_graph_too_large_for_a_lesson_says_so(page: Page) -> None:
    loop = "for i in range(300):\n    h = tf.sin(h)\n"
    type_program(page, f"import tensorflow as tf\nx = tf.Variable(1.0)\nh = x\n{loop}tf.gradients(h, x)\n")
    expect(page.locator("gl-step .sentence")).to_contain_text("too large to be stepped through")


def test_the_opening_question_names_the_node_that_is_drawn(page: Page) -> None:
    type_program(page, "y = 1/x")
    expect(page.locator("gl-step .sentence")).to_contain_text("What does truediv send back?")


def test_a_program_of_complex_numbers_says_why_it_has_no_lesson(page: Page) -> None:
    lines = "z = torch.tensor([1 + 2j], requires_grad=True)\n(z * z).abs().sum().backward()\nprint(z.grad)\n"
    type_program(page, f"import torch\n{lines}")
    expect(page.locator("gl-step .sentence")).to_contain_text("computes with complex numbers")
