"""What is handed on: texts copied, files saved, pictures, a frame, a presentation, sheets of paper."""

from __future__ import annotations

import pytest

from tests.browsers.visitor import Visitor, button, css

CATCH_FILES = """() => {
  window.saved = [];
  const address = URL.createObjectURL;
  URL.createObjectURL = (blob) => ((window.made = blob), address(blob));
  HTMLAnchorElement.prototype.click = function () { window.saved.push([this.download, window.made]); };
}"""
SHEETS = """() => [...document.querySelectorAll(".sheet")].map((sheet) => [
  sheet.scrollHeight <= sheet.clientHeight + 1,
  sheet.querySelectorAll("figure svg .item").length,
])"""
SAVED = """async () => {
  const [name, blob] = window.saved.at(-1) ?? [];
  if (!name) return null;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return [name, [...bytes.slice(0, 60)].map((byte) => String.fromCharCode(byte)).join(""), bytes.length];
}"""


@pytest.mark.parametrize("name", ["mathematics", "PyTorch"])
def test_a_text_is_copied_in_another_language(visitor: Visitor, name: str) -> None:
    visitor.open()
    visitor.press(css("[popovertarget=writing]"))
    visitor.press(button(f"Copy: {name}"))
    visitor.reads(css("#writing [role=status]"), "Copied.", exact=True)


def test_a_link_is_copied(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(button("Share"))
    visitor.wait("() => document.querySelector('#share-link')?.value")
    visitor.press(css("gl-share .copy"))
    visitor.reads(css("gl-share [role=status]"), "The link is copied.", exact=True)
    visitor.see(css(".qr-code"))


@pytest.mark.parametrize(
    ("choice", "begins"),
    [
        ("Whole graph as SVG", "<svg"),
        ("What is in sight as PNG", "\x89PNG"),
        ("Table as CSV", "\xef\xbb\xbf"),
        ("Jupyter notebook", "{"),
    ],
)
def test_a_file_is_saved(visitor: Visitor, choice: str, begins: str) -> None:
    visitor.open()
    visitor.evaluate(CATCH_FILES)
    visitor.press(button("Download"))
    visitor.press(button(choice, within="#download-menu", exact=False))
    _, first, length = visitor.wait(SAVED)
    assert first.startswith(begins)
    assert length > 100


def test_a_frame_shows_graph_and_step_and_keeps_nothing(visitor: Visitor) -> None:
    visitor.open("/embed?example=g01")
    visitor.evaluate("() => localStorage.clear()")
    visitor.press(button("Next step"))
    visitor.reads(css("gl-step .count"), "5 / 7")
    assert visitor.count(css("gl-header, gl-input, gl-dock")) == 0
    assert visitor.evaluate("() => [localStorage.length, document.cookie]") == [0, ""]


def test_the_page_is_presented_and_left_again(visitor: Visitor) -> None:
    visitor.open()
    visitor.press(button("Present"))
    visitor.wait("() => document.documentElement.matches('[data-present]')")
    visitor.gone(css(".editor"))
    before = visitor.read(css("gl-step .sentence"))
    visitor.keys("Right")
    visitor.wait("(before) => document.querySelector('gl-step .sentence').innerText !== before", before)
    visitor.keys("l")
    visitor.wait("() => document.querySelector('.spotlight') !== null")
    visitor.keys("l", "Escape")
    visitor.see(css(".editor"))


def test_the_graph_fills_the_screen_or_at_least_the_window(visitor: Visitor) -> None:
    visitor.open()
    visitor.evaluate("() => { delete Element.prototype.requestFullscreen; }")  # as on an iPhone
    visitor.keys("f")
    visitor.wait("() => document.documentElement.matches('[data-full]')")


def test_question_sheet_and_key_are_made_for_paper(visitor: Visitor) -> None:
    visitor.open()
    visitor.evaluate("() => { window.print = () => {}; }")
    visitor.press(button("Print"))
    visitor.wait("() => document.documentElement.matches('[data-sheets]')")
    sheets = visitor.evaluate(SHEETS)
    assert len(sheets) == 2
    assert all(is_whole and drawn > 3 for is_whole, drawn in sheets)
