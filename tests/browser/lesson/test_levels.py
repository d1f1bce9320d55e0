"""Mathematics and TensorFlow: two levels of one graph, of its steps, its table and its search."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage, another_drawing, expect_value, open_tool, type_program


def choose(page: Page, level: str) -> None:
    """Change the level, and wait for what is drawn at it."""
    with another_drawing(page):
        page.get_by_role("group", name="What a box stands for").get_by_role("button", name=level).click()


def test_the_step_and_the_selection_stay_when_the_level_changes(page: Page) -> None:
    page.get_by_role("button", name="Next step").click()
    page.locator('.graph-view [data-key="gradient of x"]').click()
    expect(page.locator(".selection h3")).to_have_text("∂y/∂x")
    choose(page, "TensorFlow")
    expect(page.locator("gl-transport .count")).to_have_text("5 / 7")
    expect(page.locator("gl-step .result code")).to_have_text("gradients/Exp_grad/mul")
    expect(page.locator(".selection h3")).to_have_text("gradients/Sin_grad/mul")
    page.get_by_role("button", name="Undo the last change of the view").click()
    expect(page.locator(".selection h3")).to_have_text("∂y/∂x")
    expect(page.locator("gl-transport .count")).to_have_text("5 / 7")
    expect(page.locator("gl-step .sentence")).to_contain_text("times as fast as sin x")


def test_the_level_is_kept_for_the_next_visit_and_in_the_address(page: Page, open_page: OpenPage) -> None:
    choose(page, "TensorFlow")
    expect(page).to_have_url(re.compile("#v1="))
    linked = open_page(path=f"/{page.evaluate('location.hash')}")
    expect(linked.locator('.graph-view [data-key="Exp"]')).to_be_visible()
    page.goto(page.url.split("#")[0])
    expect(page.locator('.graph-view [data-key="Exp"]')).to_be_visible()


def test_tensorflows_nodes_are_one_click_from_the_step_that_they_make(page: Page) -> None:
    page.get_by_role("button", name="Next step").click()
    page.get_by_role("button", name="Next step").click()
    page.get_by_role("button", name="TensorFlow does this with 2 nodes").click()
    node = page.locator('.graph-view [data-key="gradients/Sin_grad/mul"]')
    expect(node).to_have_attribute("aria-pressed", "true")
    expect(node).not_to_have_class(re.compile("faded"))
    expect(page.locator('.graph-view [data-key="Exp"]')).to_have_class(re.compile("faded"))


def test_table_outline_and_search_are_about_quantities(page: Page) -> None:
    open_tool(page, "Table")
    expect_value(page, "sin x", "0.1411")
    open_tool(page, "Outline")
    expect(page.get_by_role("treeitem").filter(has_text="∂y/∂(sin x)")).to_contain_text("gradient")
    search = page.get_by_role("combobox", name="Find a node")
    search.fill("cos")
    expect(page.locator("#graph-hits li")).to_have_text(re.compile("× cos x.*local derivative", re.DOTALL))
    search.press("Enter")
    expect(page.locator(".selection h3")).to_have_text("× cos x")


def test_a_sum_says_what_it_adds(page: Page) -> None:
    with another_drawing(page):
        type_program(page, "y = x^2 + sin(x)")
    gradient = page.locator('.graph-view [data-key="gradient of x"] .value')
    page.get_by_role("button", name="Last step").click()
    expect(gradient).to_have_text("6 + (−0.99) = 5.01")


def test_what_a_term_means_is_there_for_keyboard_and_pointer(page: Page) -> None:
    page.get_by_role("button", name="Next step").click()
    term = page.get_by_role("button", name="Chain rule")
    term.focus()
    meaning = page.get_by_role("tooltip")
    expect(meaning).to_contain_text("Along a path the rates multiply")
    expect(term).to_have_accessible_description(re.compile("Along a path the rates multiply"))
    page.keyboard.press("Escape")
    expect(meaning).to_have_count(0)
    page.get_by_role("button", name="local derivative").hover()
    expect(meaning).to_contain_text("all other operations left aside")
    meaning.hover()
    expect(meaning).to_be_visible()


def test_the_last_step_leads_on(page: Page) -> None:
    page.get_by_role("button", name="Last step").click()
    expect(page.locator("gl-step .sentence")).to_contain_text("Tried: −0.01135")
    page.get_by_role("button", name="Another x").click()
    expect(page.get_by_role("textbox", name="Value of x")).to_be_focused()
    page.get_by_role("button", name="Let an optimizer use it").click()
    expect(page.locator("gl-optimizer .count")).to_have_text("step 1")


def test_of_a_loop_each_turn_is_drawn(page: Page) -> None:
    loop = "tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, v * x), [0, 1.0])[1]"
    with another_drawing(page):
        type_program(page, f"import tensorflow as tf\nx = tf.Variable(3.0)\ny = {loop}\ntf.gradients(y, x)\n")
    page.get_by_role("button", name="First step").click()
    page.get_by_role("button", name="Next step").click()
    expect(page.locator("gl-step .sentence")).to_contain_text("Turn 1")
    page.get_by_role("button", name="Last step").click()
    labels = page.locator(".graph-view .item.quantity .label")
    for label in ("v · x = v₁", "v₁ · x = y", "∂y/∂v₁", "∂y/∂x"):
        expect(labels.get_by_text(label, exact=True)).to_have_count(1)
    expect(page.locator('.graph-view [data-key="gradient of Variable"] .value')).to_have_text("3 + 3 = 6")


WRITTEN = """import tensorflow as tf
x = tf.Variable(3.)
with tf.GradientTape() as t:
    a = x * x
    x.assign(5.)
    y = a + x * 2.
g = t.gradient(y, x)
"""


def test_a_variable_that_is_written_has_a_box_for_each_value(page: Page) -> None:
    with another_drawing(page):
        type_program(page, WRITTEN)
    page.get_by_role("button", name="Last step").click()
    labels = page.locator(".graph-view .item.quantity .label")
    for label in ("x₀", "x₁", "∂y/∂x₀", "∂y/∂x₁", "∂y/∂x"):
        expect(labels.get_by_text(label, exact=True)).to_have_count(1)
    of_x = page.locator(".label").get_by_text("∂y/∂x", exact=True)
    whole = page.locator(".graph-view .item.quantity").filter(has=of_x)
    expect(whole.locator(".value")).to_have_text("6 + 2 = 8")
    expect(page.locator('.graph-view .item[aria-current="step"]')).to_have_count(1)  # not that of x₀, too


GRADIENT_AND_WRITE = """import tensorflow as tf
x = tf.Variable(0.5)
with tf.GradientTape() as t:
    with tf.GradientTape() as inner:
        y = x ** 3
    d = inner.gradient(y, x)
    x.assign(2.)
    z = d * x
g = t.gradient(z, x)
"""


def test_a_program_that_cannot_be_told_as_mathematics_says_so_and_why(page: Page) -> None:
    with another_drawing(page):
        type_program(page, GRADIENT_AND_WRITE)
    mathematics = page.get_by_role("button", name="Mathematics", exact=True)
    expect(mathematics).to_be_disabled()
    expect(mathematics).to_have_attribute("title", re.compile("node by node"))
    expect(page.get_by_role("button", name="TensorFlow", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator("gl-step .note")).to_contain_text("variables are written on the way")


def test_the_first_screen_is_mathematics_in_chinese_too(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN")
    expect(page.get_by_role("button", name="数学", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="下一步").click()
    expect(page.get_by_role("button", name="链式法则")).to_be_visible()
