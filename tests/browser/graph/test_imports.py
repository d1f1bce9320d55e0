"""Graphs that other programs wrote, dropped on the page or chosen: read by the server, drawn like any."""

from __future__ import annotations

import base64
import re

from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW, another_drawing, menu, wait_until
from tests.browser.graph.test_drawing import part
from tests.engine.interchange.reading.graphs import layers, small
from tests.engine.programs.imported.test_growing import file_of

pytestmark = AT_TENSORFLOW

DROP = """([text, name]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}"""


def drop(page: Page, data: bytes, name: str = "graph.pb") -> None:
    page.evaluate(DROP, [base64.b64encode(data).decode(), name])


def test_x_times_x_from_a_file_has_two_edges_and_its_gradient_beneath(page: Page) -> None:
    drop(page, small("mul_x_x").SerializeToString())
    expect(part(page, "mul")).to_be_visible()
    expect(part(page, "gradients/mul_grad/")).to_be_visible()
    expect(page.locator('.edge[data-key*=" Variable/ mul "]')).to_have_count(2)


def test_a_file_stays_open_when_the_page_is_loaded_again(page: Page) -> None:
    drop(page, small("exp_sin_grad").SerializeToString())
    expect(part(page, "Exp")).to_be_visible()
    page.wait_for_url(re.compile(r"\?import=i_"))
    page.reload()
    expect(part(page, "Exp")).to_be_visible()
    expect(part(page, "gradients/Exp_grad/")).to_be_visible()


def test_a_file_is_chosen_too_and_its_essentials_are_shown(page: Page) -> None:
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open file…").click()
    data = small("exp_sin_grad").SerializeToString()
    choosing.value.set_files({"name": "graph.pb", "mimeType": "", "buffer": data})
    expect(part(page, "Variable/")).to_be_visible()
    with another_drawing(page):
        menu(page, "Essentials")
    expect(part(page, "Variable")).to_be_visible()  # alone: its read and its initial value are plumbing


def test_ten_thousand_nodes_are_read_by_the_server_and_opened(page: Page) -> None:
    with another_drawing(page):
        drop(page, layers(10_000).SerializeToString())
    assert len(page.workers) == 1
    expect(page.locator('.graph-view [data-key^="block_"]').first).to_be_visible()


def test_a_damaged_file_is_refused_in_words_and_what_was_drawn_stays(page: Page) -> None:
    drop(page, small("exp_sin_grad").SerializeToString()[:-3])
    expect(page.locator("gl-input")).to_contain_text("This file is damaged")
    expect(part(page, "Sin")).to_be_visible()


def test_a_gradient_is_added_to_a_graph_from_a_file(page: Page) -> None:
    drop(page, file_of("x = tf.Variable(3.0, name='x')\ny = tf.sin(x)"))
    card = page.locator("gl-file")
    expect(card).to_contain_text("A graph from a file (GraphDef)")
    part(page, "Sin").click()
    card.get_by_role("button", name="Add the gradient of Sin by x").click()
    expect(part(page, "gradients/Sin_grad/")).to_be_visible()
    expect(card.locator("dd").first).to_have_text("10")  # nodes


FED = """
x = tf.placeholder(tf.float32, [2], name="x")
w = tf.Variable(3.0, name="w")
y = tf.reduce_sum(w * x, name="y")
"""


def test_a_graph_from_a_file_is_run_with_what_its_fields_are_given(page: Page) -> None:
    drop(page, file_of(FED))
    card = page.locator("gl-file")
    card.get_by_role("button", name="Compute the values").click()
    expect(card).to_contain_text("Nothing is given to x")
    field = card.get_by_role("textbox", name="Value of x")
    field.fill("1, 2, 3")
    field.press("Enter")
    expect(card).to_contain_text("The shape has to be (2,), but this is (3,).")
    field.fill("1, 2")
    field.press("Enter")
    expect(part(page, "y").locator(".value")).to_have_text("9")  # 3 · (1 + 2)
    part(page, "w/").click()
    variable = card.get_by_role("textbox", name="Value of w")
    variable.fill("-1")
    variable.press("Enter")
    expect(part(page, "y").locator(".value")).to_have_text("−3")
    wait_until(page, "() => history.state?.held?.feeds?.w === -1")
    page.reload()
    expect(part(page, "y").locator(".value")).to_have_text("−3")
    part(page, "y").click()
    card.get_by_role("button", name="Add the gradient of y by w").click()
    expect(part(page, "gradients/")).to_be_visible()
    expect(part(page, "y").locator(".value")).to_have_text("−3")
