"""Pictures as SVG: valid, searchable, and nothing in them runs or is fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from engine.interchange.picture import THEMES, to_svg
from tests.engine.interchange.picture.scenes import HOSTILE, drawn, edge, full, item, scene_of

RULES = etree.DTD(str(Path(__file__).parents[3] / "data" / "svg" / "svg11.dtd"))
SVG = "{http://www.w3.org/2000/svg}"
SAFE = {SVG + tag for tag in ("svg", "title", "g", "rect", "ellipse", "path", "text")}
SHOWN = HOSTILE.replace("\x00\ud800", "\ufffd\ufffd")
STYLES = {"paint-order:stroke"}


def read(data: bytes) -> etree._ElementTree:
    """An SVG, read by a parser that loads nothing."""
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True)).getroottree()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["Sin", HOSTILE, "损失 ∂y/∂x", "", "\x00\x1b\ud800 \ufffe"])
def test_a_picture_is_valid_svg_1_1_whatever_things_are_called(theme: str, name: str) -> None:
    tree = read(to_svg(drawn(full(name), theme, name)))
    assert RULES.validate(tree), RULES.error_log


def test_the_rules_notice_what_svg_does_not_allow() -> None:
    for wrong in ("<script/>", "<g onfoo='a()'/>", "<rect/>", "<image/>"):
        assert not RULES.validate(etree.fromstring(f"<svg xmlns='{SVG[1:-1]}'>{wrong}</svg>"))


def test_nothing_in_a_picture_runs_and_nothing_is_fetched() -> None:
    tree = read(to_svg(drawn(full(HOSTILE), title=HOSTILE)))
    assert {element.tag for element in tree.iter()} <= SAFE
    attributes = [pair for element in tree.iter() for pair in element.attrib.items()]
    assert {value for name, value in attributes if name == "style"} <= STYLES
    assert not any(name.startswith("on") or "href" in name or "url(" in value for name, value in attributes)
    assert tree.docinfo.internalDTD is None


def test_texts_are_texts_letter_for_letter() -> None:
    tree = read(to_svg(drawn(scene_of(item(HOSTILE, 0)), title="y = a < b")))
    assert [element.text for element in tree.iter(SVG + "text")] == [SHOWN, "3"]
    assert [element.text for element in tree.iter(SVG + "title")] == ["y = a < b", SHOWN]


def test_what_xml_cannot_hold_is_marked() -> None:
    tree = read(to_svg(drawn(scene_of(item("a\x00b", 0)))))
    assert next(tree.iter(SVG + "text")).text == "a\ufffdb"


def test_the_same_picture_is_the_same_bytes() -> None:
    assert to_svg(drawn(full())) == to_svg(drawn(full()))


def test_numbers_are_short() -> None:
    written = to_svg(drawn(scene_of(edges=[edge("M0.333333,-0.001L10,0", end=False)]))).decode()
    assert 'd="M0.33,0L10,0"' in written
