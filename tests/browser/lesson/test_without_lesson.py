"""Drawing does not depend on the lesson: where it cannot be had, all else is complete."""

from __future__ import annotations

from playwright.sync_api import Browser, Route, expect

from benchmarks.browsers import link
from tests.browser.actions import AT_TENSORFLOW, expect_value, open_tool
from tests.browser.slowness import slowed

pytestmark = AT_TENSORFLOW

PROGRAM = """import tensorflow as tf
x = tf.constant(3.0)
y = tf.exp(tf.sin(x))
g = tf.gradients(y, [x])
with tf.Session() as s:
    print(s.run(y))
"""


def fail(route: Route) -> None:
    """Answer as a server does that broke."""
    route.fulfill(status=500, content_type="application/problem+json", body='{"detail": "It broke."}')


def test_without_its_lesson_a_program_has_its_graph_its_table_and_its_output(
    browser: Browser, server: str
) -> None:
    with slowed(browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})) as context:
        page = context.new_page()
        page.route("**/lesson?*", fail)
        page.goto(f"{server}/{link(PROGRAM)}")
        page.wait_for_selector("html[data-ready]")
        drawn = page.locator('.graph-view [data-key="gradients/Exp_grad/"] .value')
        expect(drawn).to_have_text("1.152")
        open_tool(page, "Output")
        expect(page.locator(".printed")).to_have_text("1.1515628")
        open_tool(page, "Table")
        expect_value(page, "Exp", "1.152")
        expect_value(page, "gradients/Sin_grad/mul", "−1.14")
        told = page.locator("gl-step .sentence")
        expect(told).to_contain_text("The steps could not be fetched; the graph, its values and the table")
        expect(told).to_contain_text("It broke.")
        expect(page.get_by_role("alert")).to_have_count(0)
        page.unroute("**/lesson?*")
        page.get_by_role("combobox", name="Read as").select_option("tf2")
        page.get_by_role("combobox", name="Read as").select_option("tf1")
        expect(page.get_by_role("button", name="Next step")).to_be_visible()
