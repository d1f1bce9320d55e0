"""What comes into sight: rows in a narrow window, found nodes with their neighbours, all scopes closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage, menu
from tests.browser.graph.test_drawing import cut, part
from tests.browser.graph.test_gallery_drawings import LOOK, MEASURE, MODULE, STEP
from tests.browser.page.larger_programs import LARGER_PROGRAMS
from tests.browser.page.test_whole_picture import BE_AT_REST, RUN

pytestmark = pytest.mark.modules

SCALE = "(plane) => plane.getScreenCTM().a"
LEAST = 9 / 12  # the smallest text is set at 12 px, and 9 px high on screen at least
TENSORFLOW = {"level": "tensorflow", "tab": "graph"}
FIND = f"""async (name) => {{
  const {{ update, state }} = await ({MODULE})('store.js');
  const {{ revealed }} = await ({MODULE})('state/look.js');
  const {{ shownNodes }} = await ({MODULE})('state/selectors.js');
  update(revealed(state.value, name, shownNodes.value));
}}"""
NEIGHBOURS = f"""async (name) => {{
  const {{ state }} = await ({MODULE})('store.js');
  const node = state.value.program.graph.nodes.find((each) => each.name === name);
  return node.inputs.map((input) => input.replace(/:\\d+$/, ""));
}}"""


def run(page: Page, name: str, **look: object) -> None:
    """Show one of the larger programs at level TensorFlow."""
    page.evaluate(RUN, LARGER_PROGRAMS[name])
    page.evaluate(LOOK, {**TENSORFLOW, **look})
    page.evaluate(BE_AT_REST)


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(BE_AT_REST)


def places(page: Page) -> dict[str, str]:
    """Where each item stands on the plane."""
    found: dict[str, str] = page.evaluate(f"({MEASURE})().places()")
    return found


def test_the_first_picture_breaks_into_rows_on_a_phone_and_nothing_of_it_is_cut(open_page: OpenPage) -> None:
    page = open_page("small")
    page.evaluate(BE_AT_REST)
    assert page.locator(".graph-view .plane").evaluate(SCALE) >= LEAST
    assert cut(page) == []
    assert page.locator(".graph-view .item").count() == 8
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate(BE_AT_REST)
    assert cut(page) == []


def test_a_wider_window_has_fewer_rows_and_the_same_window_the_same_ones(page: Page) -> None:
    page.evaluate(RUN, LARGER_PROGRAMS["chain of 16"])
    page.evaluate(BE_AT_REST)
    wide = places(page)
    resize(page, 800, 900)
    narrow = places(page)
    assert narrow != wide
    resize(page, 1440, 900)
    assert places(page) == wide
    resize(page, 800, 900)
    assert places(page) == narrow


def test_a_found_node_comes_into_sight_with_what_it_reads(open_page: OpenPage) -> None:
    page = open_page("middle")
    run(page, "eight scopes, Adam")
    for name in ("layer6/MatMul", "layer1/add", "gradients/layer3/MatMul_grad/MatMul_1"):
        page.evaluate(FIND, name)
        page.evaluate(BE_AT_REST)
        expect(part(page, name)).to_be_in_viewport(ratio=0.99)
        drawn = [each for each in page.evaluate(NEIGHBOURS, name) if part(page, each).count() > 0]
        for neighbour in drawn:
            expect(part(page, neighbour)).to_be_in_viewport(ratio=0.99)


def test_a_trace_that_has_room_comes_into_sight_as_a_whole(open_page: OpenPage) -> None:
    page = open_page("middle")
    run(page, "chain of 40")
    page.evaluate(FIND, "Sin_2")
    page.get_by_role("button", name="upstream").click()
    page.evaluate(BE_AT_REST)
    for name in ("x/", "Sin", "Sin_1", "Sin_2"):
        expect(part(page, name)).to_be_in_viewport(ratio=0.99)


def test_with_all_scopes_closed_no_box_is_loose_and_one_line_runs_from_the_gradients_to_adam(
    page: Page,
) -> None:
    run(page, "three scopes, Adam")
    menu(page, "Close all scopes")
    page.evaluate(BE_AT_REST)
    keys = {item.get_attribute("data-key") for item in page.locator(".graph-view .item").all()}
    own = {"layer0/", "layer1/", "layer2/", "sub", "Square", "Mean", "y:Mean:0", "gradients/", "Adam/"}
    assert keys == own
    expect(page.locator('.graph-view .edge[data-key^="edge  gradients/ Adam/"]')).to_have_count(1)
    assert cut(page) == []


def test_a_closed_layer_shows_its_activation_under_adam_before_and_after_an_update(page: Page) -> None:
    run(page, "three scopes, Adam")
    for _ in range(2):
        expect(part(page, "layer1/").locator(".value")).to_have_text("4×8")  # not its bias of 8 numbers
        expect(part(page, "layer2/").locator(".value")).to_have_text("4×1")
        page.evaluate(STEP)
        page.evaluate(BE_AT_REST)


@pytest.mark.parametrize("direction", ["right", "down", "up"])
def test_in_each_direction_scopes_open_in_their_place_and_an_update_moves_no_node(
    page: Page, direction: str
) -> None:
    for name in ("two layers, AdamOptimizer", "two towers"):
        run(page, name, direction=direction)
        assert page.evaluate(f"({MEASURE})().jumps()") == [], name
        before = places(page)
        page.keyboard.press("Home")
        page.evaluate(BE_AT_REST)
        page.evaluate(STEP)
        page.evaluate(BE_AT_REST)
        assert places(page) == before, name
