"""The page around the lesson: gallery, languages, themes, history, phones, large graphs."""

from __future__ import annotations

import json

import pytest

from tests.browsers.visitor import Visitor, button, css, tool
from tests.engine.interchange.reading.graphs import layers

BACKGROUND = "() => getComputedStyle(document.body).backgroundColor"


def test_an_example_is_found_and_opened(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(button("Examples"))
    visitor.see(css(".gallery li"))
    visitor.type("learning rate bound")
    visitor.reads(css(".items .title"), "How large may the learning rate be?")
    visitor.press(css(".items button"))
    visitor.reads(css(".course-card .goal"), "how large a learning rate may be")
    visitor.press(button("η = 1.1, ×20"))
    visitor.reads(css("gl-optimizer output.count"), "step 20")
    visitor.on(css(".course-card summary"), "(at) => at.click()")  # it may lie beneath the card's own head
    visitor.see(css(".course-card details p"))


def test_the_language_is_switched_and_kept(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(button("中文"))
    visitor.see(button("下一步"))
    visitor.go("/")
    visitor.see(button("下一步"))


def test_the_theme_is_switched_and_kept(visitor: Visitor) -> None:
    visitor.open()
    light = visitor.evaluate(BACKGROUND)
    visitor.press(button("Use the dark theme"))
    dark = visitor.evaluate(BACKGROUND)
    assert dark != light
    visitor.go("/")
    assert visitor.evaluate(BACKGROUND) == dark


def test_back_and_forward_move_between_what_was_opened(visitor: Visitor) -> None:
    visitor.open("/?example=g01")
    visitor.press(button("Examples"))
    visitor.press(button("Fit a line", within=".items", exact=False))
    visitor.reads(css(".cm-content"), "Fit a line")
    visitor.evaluate("() => history.back()")
    visitor.reads(css(".cm-content"), "exp(sin(x))")
    visitor.reads(css(".course-card h2"), "The chain rule")
    visitor.evaluate("() => history.forward()")
    visitor.reads(css(".cm-content"), "Fit a line")


def test_a_phone_has_a_part_at_a_time(visitor: Visitor) -> None:
    visitor.open(size="small")
    for place, part in enumerate(
        ("gl-input .editor", "gl-graph .item", "gl-step .sentence", "gl-dock .dock-body"), 1
    ):
        visitor.press(css(f".tabs button:nth-child({place})"))
        visitor.see(css(part))
        assert visitor.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("nodes", [10_000])
def test_a_large_graph_is_laid_out_in_the_background(visitor: Visitor, nodes: int) -> None:
    visitor.open(level="tensorflow")
    visitor.drop(layers(nodes).SerializeToString(), "graph.pb")
    visitor.see(css('.graph-view [data-key^="block_"]'))


def test_a_graph_of_another_program_is_said_to_have_no_values(visitor: Visitor) -> None:
    visitor.open(level="tensorflow")
    graph = json.dumps(
        {"nodes": [{"id": f"op{k}", "op": "Relu", "inputs": [f"op{k - 1}"] * (k > 0)} for k in range(9)]}
    )
    visitor.drop(graph.encode(), "graph.json")
    visitor.press(tool("Optimizer"))
    visitor.reads(css("gl-optimizer .note"), "A graph from a file has no values")
