"""Graphs made elsewhere, dropped on the page."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.browser.actions import AT_TENSORFLOW
from tests.browser.graph.test_drawing import part

pytestmark = AT_TENSORFLOW

DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "graph.json"));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}"""


def chain(length: int) -> str:
    """A graph of so many ops, a hundred in each scope."""
    nodes = [{"id": "layer0/op0", "op": "Relu", "inputs": [], "shape": [2]}]
    for i in range(1, length):
        before, name = (f"layer{k // 100}/op{k}" for k in (i - 1, i))
        nodes.append({"id": name, "op": "Relu", "inputs": [before], "shape": [2]})
    return json.dumps({"nodes": nodes})


def test_a_dropped_graph_is_said_to_have_no_values_to_optimise(page: Page) -> None:
    page.evaluate(DROP, chain(10))
    expect(page.locator("gl-optimizer .note")).to_contain_text("A graph from a file has no values")


def test_a_dropped_graph_of_ten_thousand_nodes_is_drawn_and_opens(page: Page) -> None:
    page.evaluate(DROP, chain(10_000))
    expect(part(page, "layer0…layer99/")).to_contain_text("layer ×100")
    part(page, "layer0…layer99/").focus()
    page.keyboard.press("Enter")
    part(page, "layer0/").focus()
    page.keyboard.press("Enter")
    expect(page.locator('.graph-view [data-key^="layer0/op"]').first).to_be_visible()


def test_a_file_without_a_graph_is_refused_with_what_it_should_be(page: Page) -> None:
    page.evaluate(DROP, "[]")
    expect(page.locator(".message.error")).to_contain_text("This file holds no graph.")
    expect(page.locator(".message.error")).to_contain_text('{"nodes": [')
    expect(part(page, "Sin")).to_be_visible()  # what was drawn stays
