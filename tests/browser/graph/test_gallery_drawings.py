"""The gallery as the page shows it: nothing overlaps or is covered, all can be read, nothing jumps.

Where everything is put is judged in tests/test_gallery_layouts.py; here it is measured on screen.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import AT_TENSORFLOW, ROOT, OpenPage, another_drawing, next_frame
from tests.browser.graph.test_graph_files import DROP

pytestmark = [AT_TENSORFLOW, pytest.mark.modules]

PROGRAMS = [  # but the loop of PyTorch: at level TensorFlow the lines of its updates run behind their scopes
    entry["id"]
    for entry in json.loads((ROOT / "examples" / "index.json").read_text())
    if entry["id"] != "g37"
]
PARTS = 6  # each on a page of its own, which serves all graphs of the part
SMALL_GRAPHS = sorted((ROOT / "tests" / "data" / "graphs").glob("*.json"))
MEASURE = (Path(__file__).parent / "measure_drawing.js").read_text()

# The page's own modules, wherever they are served.
MODULE = (
    """(name) => import(document.querySelector('link[href$="/store.js"]').href.replace("store.js", name))"""
)
LOOK = f"async (look) => (await ({MODULE})('store.js')).update(look)"
OPEN = f"async (id) => (await ({MODULE})('requests/session.js')).openExample(id)"
STEP = f"async () => (await ({MODULE})('requests/run.js')).optimise(1)"


def draw(page: Page, graph: str | Path, **look: object) -> None:
    """Show a program of the gallery, or a file, and wait until it is drawn."""
    page.evaluate(LOOK, {"tab": "graph", **look})
    next_frame(page)  # what was there is drawn so, and is not taken for the graph
    with another_drawing(page):
        if isinstance(graph, Path):
            page.evaluate(DROP, graph.read_text())
        else:
            page.evaluate(OPEN, graph)
    expect(page.locator(".graph-view .item").first).to_be_attached()


def faults(page: Page) -> list[str]:
    """What is wrong with the picture on screen."""
    found: list[str] = page.evaluate(f"({MEASURE})().faults()")
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_a_drawing_can_be_read_at_first_and_opens_calmly(page: Page, part: int) -> None:
    found = {}
    for graph in [*PROGRAMS, *SMALL_GRAPHS][part::PARTS]:
        for merged in (False, True):
            draw(page, graph, merged=merged)
            if troubles := faults(page) + page.evaluate(f"({MEASURE})().jumps()"):
                found[str(graph), merged] = troubles
    assert found == {}


@pytest.mark.parametrize("size", ["middle", "small"])
@pytest.mark.parametrize("direction", ["down", "up"])
def test_upright_drawings_can_be_read_on_smaller_screens(
    open_page: OpenPage, size: str, direction: str
) -> None:
    page = open_page(size, dark=True)
    found = {}
    for graph in PROGRAMS[::3]:
        draw(page, graph, direction=direction)
        if troubles := faults(page):
            found[graph] = troubles
    assert found == {}


def test_a_small_screen_shows_all_phases_in_a_row_and_all_of_a_small_training_program(
    open_page: OpenPage,
) -> None:
    page = open_page("middle")
    for graph in ("g25", "g07"):
        draw(page, graph)
        tops = {box["y"] for box in map(Locator.bounding_box, page.locator(".ribbon .phase").all()) if box}
        assert len(tops) == 1, graph
        expect(page.locator('.graph-view [data-key="init"]')).to_be_in_viewport(ratio=0.999)  # rounding
        expect(page.locator(".graph-minimap")).to_be_hidden()


def test_a_map_is_there_as_soon_as_something_is_out_of_sight(open_page: OpenPage) -> None:
    page = open_page("middle")
    draw(page, "g24")
    expect(page.locator(".graph-minimap")).to_be_visible()


def test_a_step_of_the_optimizer_and_another_window_move_no_node_against_the_others(page: Page) -> None:
    for graph in ["g03", "g25", "g35"]:
        draw(page, graph)
        before = page.evaluate(f"({MEASURE})().places()")
        page.evaluate(STEP)
        assert page.evaluate(f"({MEASURE})().places()") == before, graph
        page.set_viewport_size({"width": 1100, "height": 800})
        assert page.evaluate(f"({MEASURE})().places()") == before, graph
        assert faults(page) == [], graph
        page.set_viewport_size({"width": 1440, "height": 900})
