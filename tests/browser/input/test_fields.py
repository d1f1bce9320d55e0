"""What a program is given: y = Σ x w is 1 · 1 + 2 · 2 = 5 for x = [[1, 2]] and w = [[1], [2]]."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, OpenPage, expect_value, open_tool, type_program
from tests.browser.page.test_sharing import shared

pytestmark = AT_TENSORFLOW

PROGRAM = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable([[1.0], [2.0]])
b = tf.Variable(0.0)
y = tf.reduce_sum(tf.matmul(x, w)) + b
"""
DRAWING = "import numpy as np\nprint(np.random.rand())\nprint(points.sum())\n"


def feed(page: Page, text: str) -> None:
    """Type the placeholder's value."""
    field = page.get_by_role("textbox", name="Value of the placeholder x")
    field.fill(text)
    field.press("Enter")


def test_a_placeholder_is_fed_and_a_wrong_shape_is_said_at_its_field(page: Page) -> None:
    type_program(page, PROGRAM)
    fields = page.get_by_role("region", name="What the program is given")
    expect(fields).to_contain_text("float32 (?, 2)")
    feed(page, "1, 2, 3")
    expect(fields.get_by_role("alert")).to_contain_text("The shape has to be (?, 2), but this is (3,).")
    feed(page, "[[1, 2]]")
    page.get_by_role("button", name="Last step").click()
    open_tool(page, "Table")
    expect_value(page, "Sum", "5")


def test_what_is_given_is_part_of_the_link(open_page: OpenPage) -> None:
    page = open_page()
    type_program(page, PROGRAM)
    feed(page, "[[1, 2]]")
    page.get_by_role("checkbox", name="b", exact=True).click()
    expect(page.get_by_role("checkbox", name="b", exact=True)).not_to_be_checked()
    link = shared(page)
    other = open_page(path=link[link.index("/", len("http://")) :])
    expect(other.get_by_role("textbox", name="Value of the placeholder x")).to_have_value("[[1, 2]]")
    expect(other.get_by_role("checkbox", name="b", exact=True)).not_to_be_checked()
    expect(other.get_by_role("checkbox", name="w", exact=True)).to_be_checked()


def test_numbers_are_drawn_again_with_another_seed_and_pasted_data_has_its_name(page: Page) -> None:
    type_program(page, DRAWING)
    page.get_by_role("button", name="Add data…").click()
    page.get_by_role("textbox", name="Name in the program").fill("points")
    page.get_by_role("textbox", name="Numbers").fill("a,b\n1,2\n3,4")
    page.get_by_role("button", name="Add", exact=True).click()
    open_tool(page, "Output")
    expect(page.locator(".printed")).to_have_text("0.5488135039273248\n10.0")  # numpy's own for seed 0
    page.get_by_role("button", name="Draw again").click()
    expect(page.locator(".printed")).to_have_text("0.417022004702574\n10.0")
    expect(page.get_by_role("textbox", name="Seed")).to_have_value("1")
