"""The menu of files: what each holds."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.actions import AT_TENSORFLOW, OpenPage
from tests.browser.page.test_accessibility import serious_issues


def saved(page: Page, choice: str) -> Path:
    """What a choice of the menu downloads."""
    menu = page.locator("#download-menu")
    if not menu.is_visible():
        page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        menu.get_by_role("button", name=choice).click()
    return download.value.path()


def rows(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def test_the_graph_is_there_in_five_forms_for_other_tools(page: Page) -> None:
    assert 'op: "Sin"' in saved(page, "GraphDef as text").read_text()
    assert b"Sin" in saved(page, "GraphDef, binary").read_bytes()
    assert b"brain.Event" in saved(page, "Event file").read_bytes()[:60]
    assert saved(page, "DOT").read_text().startswith("digraph")
    assert ElementTree.parse(saved(page, "GraphML")).getroot().tag.endswith("graphml")


def test_the_whole_graph_is_there_as_pdf_and_for_latex(page: Page) -> None:
    coloured = saved(page, "as PDF graph.pdf").read_bytes()
    assert "∂y/∂(sin x)" in PdfReader(io.BytesIO(coloured)).pages[0].extract_text()
    assert saved(page, "PDF in black and white").read_bytes() != coloured
    assert r"\begin{tikzpicture}" in saved(page, "TikZ").read_text(encoding="utf-8")


@AT_TENSORFLOW
def test_at_level_tensorflow_the_pdf_has_its_nodes(page: Page) -> None:
    data = saved(page, "as PDF graph.pdf").read_bytes()
    assert "Sin_grad" in PdfReader(io.BytesIO(data)).pages[0].extract_text()


def test_a_program_is_saved_as_a_notebook_with_its_values(page: Page) -> None:
    book = json.loads(saved(page, "Jupyter notebook").read_text(encoding="utf-8"))
    assert "y = exp(sin(x))" in "".join(book["cells"][0]["source"])
    assert "| `x` | `3.0` |\n" in book["cells"][1]["source"]


def test_the_table_holds_what_is_known_by_now_with_every_digit(page: Page) -> None:
    table = rows(saved(page, "Table as CSV"))
    assert table[0] == ["quantity", "made of", "value", "gradient"]
    assert table[2] == ["sin x", "x", "0.1411200080598672", ""]
    page.keyboard.press("Escape")
    page.locator(".transport .last").click()
    assert rows(saved(page, "Table as CSV"))[1] == ["x", "", "3", "-1.1400385675133151"]


@AT_TENSORFLOW
def test_at_level_tensorflow_the_table_has_a_row_for_each_node(page: Page) -> None:
    table = {row[0]: row[1:] for row in rows(saved(page, "Table as CSV"))}
    assert table["Sin"] == ["", "Sin", "x/read", "0.1411200080598672", ""]
    assert table["Exp"][0] == "y"


def test_the_losses_are_those_of_the_updates_that_were_shown(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g04")
    page.wait_for_selector("html[data-ready]")
    page.locator("#dock-optimizer").click()
    for _ in range(2):
        page.locator("gl-optimizer .step-1").click()
    expect(page.locator("gl-optimizer output.count")).to_have_text("step 2")
    table = rows(saved(page, "Loss and variables"))
    assert [row[0] for row in table] == ["update", "0", "1", "2"]
    first, second = float(table[1][2]), float(table[2][2])
    assert float(table[1][1]) == pytest.approx(first**2)  # y = x²
    assert float(table[1][3]) == pytest.approx(2 * first)
    assert second != first


def test_code_is_saved_in_a_language_that_the_page_does_not_read(page: Page) -> None:
    assert "import torch" in saved(page, "PyTorch").read_text()
    assert "jax" in saved(page, "JAX").read_text()


def test_a_picture_holds_no_script_and_the_part_in_sight_is_as_large_as_the_window(page: Page) -> None:
    whole = saved(page, "Whole graph as SVG").read_text()
    assert "<script" not in whole
    assert "foreignObject" not in whole
    for _ in range(3):
        page.evaluate("document.querySelector('.graph-controls button').click()")
    part = ElementTree.fromstring(saved(page, "What is in sight as SVG").read_text())
    stage = page.locator(".graph-stage").bounding_box()
    assert stage
    width, height = float(part.get("width", "0")), float(part.get("height", "0"))
    assert width / height == pytest.approx(stage["width"] / stage["height"], rel=0.02)
    assert saved(page, "What is in sight as PNG").read_bytes().startswith(b"\x89PNG")


def test_what_is_in_sight_is_there_as_pdf_at_this_step_alone(page: Page) -> None:
    stage = page.locator(".graph-stage").bounding_box()
    assert stage
    choice = "What is in sight as PDF"
    (first,) = PdfReader(io.BytesIO(saved(page, choice).read_bytes()), strict=True).pages
    ratio = float(first.mediabox.width) / float(first.mediabox.height)
    assert ratio == pytest.approx(stage["width"] / stage["height"], rel=0.02)
    assert "0.1411" in first.extract_text()
    assert "−1.14" not in first.extract_text()  # the gradient is not known yet
    page.keyboard.press("Escape")
    page.locator(".transport .last").click()
    data = saved(page, choice).read_bytes()
    assert "−1.14" in PdfReader(io.BytesIO(data)).pages[0].extract_text()
    assert saved(page, choice).read_bytes() == data


def test_the_pdf_of_what_is_in_sight_has_the_marks_that_are_drawn(page: Page) -> None:
    menu = page.locator("#download-menu")
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_request("**/api/v1/pictures") as sent, page.expect_download():
        menu.get_by_role("button", name="What is in sight as PDF").click()
    marks = json.loads(sent.value.post_data or "")["marks"]
    shown = page.locator(".graph-view .item.op:visible > .body").count()
    assert sum(mark["mark"] == "ellipse" for mark in marks) >= shown
    ring = [mark for mark in marks if mark.get("line_width") == 3]  # around the step
    assert len(ring) == 1
    heads = [
        mark for mark in marks if mark["mark"] == "path" and mark.get("fill") and mark["d"].endswith("Z")
    ]
    assert heads
    assert {mark["colour"] for mark in marks if mark["mark"] == "text"} >= {"#1b2330"}


def test_what_a_language_cannot_say_is_said_in_the_menu(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g15")
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("button", name="Download", exact=True).click()
    menu = page.locator("#download-menu")
    menu.get_by_role("button", name="mathematics").click()
    expect(menu.get_by_role("status")).not_to_have_text("")


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_menus_of_share_and_download_have_no_serious_issue(open_page: OpenPage, locale: str) -> None:
    page = open_page(locale=locale, dark=True)
    page.locator(".bar .download").press("Enter")
    expect(page.locator("#download-menu button").first).to_be_focused()
    assert serious_issues(page) == []
    page.keyboard.press("Escape")
    page.locator(".bar .share").press("Enter")
    expect(page.locator(".qr-code").first).to_be_visible()
    assert serious_issues(page) == []
    page.locator(".qr .large").press("Enter")
    expect(page.locator(".qr-large")).to_be_visible()
    assert serious_issues(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".qr-large")).to_be_hidden()


def test_on_a_phone_the_menu_of_share_leads_to_the_files_the_sheets_and_the_presentation(
    open_page: OpenPage,
) -> None:
    page = open_page("small")
    page.locator(".bar .share").click()
    ways = page.locator("gl-share .ways button")
    expect(ways).to_have_text(["Download", "Print", "Present"])
    ways.first.click()
    expect(page.locator("#download-menu").get_by_role("button", name="Table as CSV")).to_be_visible()
