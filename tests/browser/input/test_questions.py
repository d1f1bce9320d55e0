"""`input()` on the page: a field where the program asks, and the program goes on with what is typed."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage, type_program

pytestmark = pytest.mark.modules

ADDING = 'import tensorflow as tf\na = float(input("a: "))\nb = float(input("b: "))\nprint("sum", a + b)\n'


def test_a_program_asks_for_one_line_after_the_other_and_goes_on(page: Page) -> None:
    type_program(page, ADDING)
    asked = page.get_by_role("region", name="What the program asks")
    asked.get_by_role("textbox", name="Line 1: a:").fill("1.5")
    page.keyboard.press("Enter")
    second = asked.get_by_role("textbox", name="Line 2: b:")
    expect(second).to_be_focused()
    second.press_sequentially("2.0")  # key by key: none of them may take the field away
    asked.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("a: b: sum 3.5")).to_be_visible()
    asked.get_by_role("textbox", name="Line 1: a:").fill("10")
    page.keyboard.press("Enter")
    expect(page.get_by_text("a: b: sum 12.0")).to_be_visible()


def test_while_a_program_waits_nothing_of_the_formula_before_stands_beside_it(page: Page) -> None:
    type_program(page, f"{ADDING}x = tf.Variable(a)\nprint(tf.gradients(x * b, x))\n")
    expect(page.get_by_role("textbox", name="Line 1: a:")).to_be_visible()
    expect(page.get_by_role("textbox", name="Value of x")).to_have_count(0)
    expect(page.get_by_role("button", name="Next step")).to_have_count(0)
    expect(page.locator(".graph-view .item")).to_have_count(0)
    expect(page.locator("gl-step .sentence")).to_contain_text("before the program has its line")
    for line, value in (("Line 1: a:", "2"), ("Line 2: b:", "3")):
        page.get_by_role("textbox", name=line).fill(value)
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next step")).to_be_visible()


UNTIL_IN_ADDRESS = """async (lines) => {
  const app = document.querySelector("script[src*='app.js']").src;
  const { fromFragment } = await import(new URL("browser/url_fragment.js", app).href);
  const held = async () => JSON.stringify((await fromFragment(location.hash))?.inputs);
  while ((await held()) !== JSON.stringify(lines)) await new Promise(requestAnimationFrame);
}"""


def test_a_link_keeps_the_lines(page: Page, open_page: OpenPage) -> None:
    type_program(page, f"import tensorflow as tf\nc = tf.Variable(1.0) ** 2\n{ADDING}")
    asked = page.get_by_role("region", name="What the program asks")
    asked.get_by_role("textbox", name="Line 1: a:").fill("1")
    page.keyboard.press("Enter")
    page.evaluate(UNTIL_IN_ADDRESS, ["1"])
    again = open_page(path=f"/{page.evaluate('location.hash')}")
    expect(again.get_by_role("textbox", name="Line 1: a:")).to_have_value("1")
    expect(again.get_by_role("textbox", name="Line 2: b:")).to_have_value("")


def test_a_program_that_asks_says_so_in_chinese(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN")
    type_program(page, ADDING)
    asked = page.get_by_role("region", name="程序要求的输入")
    expect(asked.get_by_text("程序在等待输入：请填写一行，然后按回车。")).to_be_visible()
    asked.get_by_role("textbox", name="第 1 次输入：a:").fill("1")
    asked.get_by_role("button", name="确定").click()
    expect(asked.get_by_role("textbox", name="第 2 次输入：b:")).to_be_visible()


def test_a_notebook_that_is_dropped_is_read_without_its_output(page: Page) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A title"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import tensorflow as tf"], "outputs": []},
        {
            "cell_type": "code",
            "source": "print('six', 2 * 3)",
            "outputs": [{"data": {"image/png": "x" * 300_000}}],
        },
    ]
    drop = page.evaluate_handle(
        """([name, text]) => {
            const moved = new DataTransfer();
            moved.items.add(new File([text], name));
            return moved;
        }""",
        ["lesson.ipynb", json.dumps({"cells": cells, "nbformat": 4})],
    )
    page.dispatch_event("body", "drop", {"dataTransfer": drop})
    expect(page.locator(".cm-content")).to_contain_text("print('six', 2 * 3)")
    expect(page.get_by_text("six 6")).to_be_visible()
