"""The picture first: nothing that has room is cut or covered, and most of the window is the graph's.

As a rule a part of the programs is measured, each at one size of the window; `make sight` measures every
program at every size and level. One page serves all programs of a size.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import IN_FULL, OpenPage, next_frame
from tests.browser.graph.test_gallery_drawings import LOOK, MODULE, PROGRAMS, STEP
from tests.browser.page.larger_programs import LARGER_PROGRAMS

pytestmark = pytest.mark.modules

MEASURE = (Path(__file__).parent / "measure_sight.js").read_text()
WINDOWS = [(1280, 720), (1440, 900), (1920, 1080), (1024, 768), (390, 844)]
LEVELS = ["mathematics", "tensorflow"]
LEAST_SHARE = 0.45  # of a window of 1440x900

RUN = f"""async (source) => {{
  const session = await ({MODULE})('requests/session.js');
  session.replaceText({{ source, dialect: 'auto', at: {{}} }});
  await session.untilAnswered();
}}"""
OPEN_ITEM = f"async (id) => (await ({MODULE})('requests/course.js')).openItem(id)"
BE_AT_REST = f"""async () => {{
  const {{ state }} = await ({MODULE})('store.js');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const look = () => document.querySelector(".graph-view .picture").style.transform
    + document.querySelector(".graph-minimap svg").getAttribute("viewBox");
  for (let same = 0, last = ""; same < 6; same = look() === last && !state.value.busy ? same + 1 : 0) {{
    last = look();
    await frame();
  }}
}}"""
IS_TRAINED = f"async () => (await ({MODULE})('store.js')).state.value.run !== null"
HAS_TOOL_OPEN = (
    f"async () => (await ({MODULE})('store.js')).state.value.dockOpen"  # some examples begin in one
)
OPEN_SCOPE = """() => {
  const scope = document.querySelector(".graph-view .item.scope:not(.open)");
  scope?.querySelector(":scope > .toggle").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return scope?.dataset.key ?? null;
}"""


def rounds(window: tuple[int, int]) -> list[tuple[str, str]]:
    """Programs with a level to show at a size: all of them, or those whose turn it is."""
    names = [*PROGRAMS, *LARGER_PROGRAMS]
    if IN_FULL:
        return [(name, level) for name in names for level in LEVELS]
    turns = zip(names[::2], cycle(LEVELS), cycle(WINDOWS), strict=False)
    return [(name, level) for name, level, size in turns if size == window]


def show(page: Page, name: str, level: str) -> None:
    """Open a program as its card does, or one of the larger ones."""
    folded = {"dockOpen": False, "open": {}, "item": None, "levelBefore": None, "level": level}
    page.evaluate(f"(look) => ({LOOK})({{ ...look, open: new Set() }})", folded)
    if name in LARGER_PROGRAMS:
        page.evaluate(RUN, LARGER_PROGRAMS[name])
    else:
        page.evaluate(OPEN_ITEM, name)
    page.evaluate(LOOK, {"tab": "graph"})
    page.evaluate(BE_AT_REST)


def faults(page: Page, opened: list[str] | None = None) -> list[str]:
    """What is wrong with the way that the graph is seen."""
    found: list[str] = page.evaluate(f"(opened) => ({MEASURE})().faults(opened)", opened or [])
    return found


def troubles(page: Page) -> dict[str, list[str]]:
    """What is wrong with the program on screen at first, with two of its scopes open, and after an update."""
    found = {"first": faults(page)}
    if page.viewport_size == {"width": 1440, "height": 900} and not page.evaluate(HAS_TOOL_OPEN):
        share = page.evaluate(f"({MEASURE})().facts().share")
        found["share"] = [f"{share} of the window"] if share < LEAST_SHARE else []
    opened = []
    for _ in range(2):
        if key := page.evaluate(OPEN_SCOPE):
            opened.append(key)
            page.evaluate(BE_AT_REST)
    found["opened"] = faults(page, opened)
    page.evaluate(STEP)
    page.evaluate(LOOK, {"tab": "graph"})
    page.evaluate(BE_AT_REST)
    found["updated"] = faults(page, [] if page.evaluate(IS_TRAINED) else opened)
    return {moment: wrong for moment, wrong in found.items() if wrong}


@pytest.mark.slow
@pytest.mark.folded
@pytest.mark.timeout(3600 if IN_FULL else 300)
@pytest.mark.parametrize("window", WINDOWS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_has_room_is_whole_in_sight_at_first_with_scopes_open_and_after_an_update(
    open_page: OpenPage, window: tuple[int, int]
) -> None:
    page = open_page()
    page.set_viewport_size({"width": window[0], "height": window[1]})
    found = {}
    for name, level in rounds(window):
        show(page, name, level)
        if wrong := troubles(page):
            found[name, level] = wrong
    assert found == {}


@pytest.mark.folded
@pytest.mark.parametrize("name", ["g01", "g24"])  # a formula; a program that prints
def test_most_of_the_window_is_the_graph_before_anything_is_opened(open_page: OpenPage, name: str) -> None:
    page = open_page(path=f"/?example={name}")
    page.wait_for_selector("html[data-ready]")
    page.evaluate(BE_AT_REST)
    assert page.evaluate(f"({MEASURE})().facts().share") >= LEAST_SHARE


def test_a_border_is_moved_with_keys_and_the_mouse_and_found_again(page: Page) -> None:
    border = page.get_by_role("separator", name="Width of the text")
    before = int(border.get_attribute("aria-valuenow") or 0)
    border.focus()
    page.keyboard.press("ArrowRight")
    expect(border).to_have_attribute("aria-valuenow", str(before + 2))
    box = border.bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(600, box["y"] + 200)
    page.mouse.up()
    expect(border).to_have_attribute("aria-valuenow", "41")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_role("separator", name="Width of the text")).to_have_attribute("aria-valuenow", "41")
    page.get_by_role("separator", name="Width of the text").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("separator", name="Width of the text")).to_have_attribute(
        "aria-valuenow", str(before)
    )


def test_a_key_lists_the_keys_and_another_shows_the_graph_alone(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_have_count(0)
    page.keyboard.press("f")
    expect(page.locator("gl-input")).to_be_hidden()
    next_frame(page)
    assert page.evaluate(f"({MEASURE})().facts().share") > 0.85
    page.keyboard.press("f")
    expect(page.locator("gl-input")).to_be_visible()


def test_the_skip_link_leads_to_a_node_and_letters_lead_through_a_menu(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".graph-stage .item:focus")).to_have_count(1)
    page.get_by_role("button", name="View", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#graph-menu button").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#graph-menu button").nth(1)).to_be_focused()
    page.keyboard.type("bot")
    expect(page.locator("#graph-menu").get_by_role("button", name="Bottom to top")).to_be_focused()
