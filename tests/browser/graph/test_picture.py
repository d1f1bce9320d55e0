"""The drawing as a file, and the small map of a graph larger than its window."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from lxml import etree
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.actions import AT_TENSORFLOW, ROOT, another_drawing, type_program
from tests.browser.graph.test_drawing import part
from tests.browser.graph.test_gallery_drawings import OPEN

pytestmark = AT_TENSORFLOW

UNROLLED = (ROOT / "examples" / "g33.py").read_text()  # a closed series has no value
A4: ViewportSize = {"width": 718, "height": 1047}  # CSS px within the margins
MARGIN = "0.4in"
CHAIN = "y = " + "sin(" * 30 + "x" + ")" * 30


def saved(page: Page, form: str) -> Path:
    """What the menu of downloads saves of the whole graph."""
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.locator("#download-menu").get_by_role("button", name=f"Whole graph as {form}").click()
    page.keyboard.press("Escape")
    return download.value.path()


def test_the_svg_needs_no_style_sheet_and_has_all_labels(page: Page) -> None:
    root = ElementTree.parse(saved(page, "SVG")).getroot()
    labels = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"x", "Sin", "Exp", "y", "Sin_grad", "dy/dx", "0.1411"} <= labels
    bodies = [each for each in root.iter() if each.tag.endswith("ellipse")]
    assert {each.get("fill", "")[:3] for each in bodies} == {"rgb", "non"}  # a ring is not filled
    assert "var(" not in ElementTree.tostring(root, "unicode")


def test_the_svg_is_valid_and_nothing_in_it_runs(page: Page) -> None:
    tree = etree.parse(saved(page, "SVG"), etree.XMLParser(resolve_entities=False, no_network=True))
    rules = etree.DTD(str(ROOT / "tests" / "data" / "svg" / "svg11.dtd"))
    assert rules.validate(tree), rules.error_log
    attributes = [pair for element in tree.iter() for pair in element.attrib.items()]
    assert not any(name.startswith("on") or "href" in name for name, _ in attributes)


def test_a_label_without_a_value_stands_in_the_middle_in_the_saved_picture_too(page: Page) -> None:
    type_program(page, UNROLLED)
    label = page.locator(".graph-view .bare:not(.open) > .label").first
    expect(label).to_have_css("transform", "matrix(1, 0, 0, 1, 0, 7)")
    root = ElementTree.parse(saved(page, "SVG")).getroot()
    moved = {t.text: t.get("transform") for t in root.iter("{http://www.w3.org/2000/svg}text")}
    assert moved[label.text_content()] == "matrix(1, 0, 0, 1, 0, 7)"


def test_the_png_is_one(page: Page) -> None:
    assert saved(page, "PNG").read_bytes().startswith(b"\x89PNG")


def test_a_saved_picture_holds_what_is_out_of_sight(page: Page) -> None:
    type_program(page, CHAIN)
    expect(part(page, "Sin_5")).to_be_attached()
    drawn = page.locator(".graph-view .item").count()
    labels = [t.text for t in ElementTree.parse(saved(page, "SVG")).iter("{http://www.w3.org/2000/svg}text")]
    assert {f"Sin_{i}" for i in range(1, 30)} <= set(labels)
    assert page.locator(".graph-view .item").count() == drawn


def test_a_graph_larger_than_the_window_has_a_map_to_move_by(page: Page) -> None:
    small = page.locator(".graph-minimap")
    expect(small).to_be_hidden()  # the default graph fits
    type_program(page, CHAIN)
    expect(small).to_be_visible()
    box = small.bounding_box()
    assert box is not None
    frame = small.locator(".frame").bounding_box()
    assert frame is not None
    assert frame["x"] >= box["x"]  # no farther than the map: all its sides can be seen
    assert frame["y"] + frame["height"] <= box["y"] + box["height"]
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + 10)
    expect(part(page, "y:Sin_29:0")).to_be_in_viewport()
    page.get_by_role("button", name="Fit the whole graph").click()
    expect(small).to_be_hidden()


def on_paper(page: Page) -> None:
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


def test_on_paper_the_whole_graph_stands_across_the_sheet_without_what_is_pressed(page: Page) -> None:
    page.get_by_role("button", name="Zoom in").click()
    on_paper(page)
    start, end = part(page, "x/").bounding_box(), part(page, "y:Exp:0").bounding_box()
    assert start
    assert end
    assert start["x"] >= 0
    assert 0.9 * A4["width"] <= end["x"] + end["width"] <= A4["width"]
    expect(page.get_by_role("button", name="Next step")).to_be_hidden()


def test_on_paper_a_long_graph_stands_in_pieces_that_can_be_read_one_beneath_another(page: Page) -> None:
    type_program(page, CHAIN)
    first, last = part(page, "x/"), part(page, "y:Sin_29:0")
    expect(last).to_be_in_viewport()  # the step of the lesson is there
    on_paper(page)
    pieces = page.locator(".graph-stage > .picture")
    boxes = [box for box in map(Locator.bounding_box, pieces.all()) if box]
    assert len(boxes) == 5
    assert all(above["y"] + above["height"] <= beneath["y"] for above, beneath in pairwise(boxes))
    assert all(box["width"] == A4["width"] for box in boxes)
    end = last.nth(4).bounding_box()
    assert end is not None
    assert boxes[4]["y"] < end["y"] < end["y"] + end["height"] < boxes[4]["y"] + boxes[4]["height"]
    assert end["x"] + end["width"] <= A4["width"]
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(pieces).to_have_count(1)
    expect(first).not_to_be_in_viewport()


@pytest.mark.modules
@pytest.mark.parametrize("example", ["g33", "g36"])
def test_a_large_example_is_printed_on_two_sheets(page: Page, example: str) -> None:
    with another_drawing(page):
        page.evaluate(OPEN, example)
    expect(page.locator("gl-step .count")).to_be_visible()
    sheets = page.pdf(format="A4", margin={"top": MARGIN, "bottom": MARGIN, "left": MARGIN, "right": MARGIN})
    assert len(re.findall(rb"/Type /Page\b", sheets)) == 2
