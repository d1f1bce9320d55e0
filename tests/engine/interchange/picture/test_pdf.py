"""Pictures as PDF: their texts are found, their letters are inside, and the bytes are the same each time."""

from __future__ import annotations

import io
from typing import Any

import pytest
from pypdf import PdfReader

from engine.interchange.picture import THEMES, to_pdf
from tests.engine.interchange.picture.scenes import HOSTILE, drawn, full, item, scene_of, texts_of


def read(data: bytes) -> PdfReader:
    """A PDF, read by another library."""
    return PdfReader(io.BytesIO(data), strict=True)


def fonts_of(page: Any) -> dict[str, bool]:
    """The typefaces of a page, and whether their letters are in the file."""
    fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]
    return {font["/BaseFont"]: "/FontFile2" in font.get("/FontDescriptor", {}) for font in fonts}


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_of_a_picture_is_found_in_it(theme: str) -> None:
    picture = drawn(full("∂loss/∂w × √Σ"), theme)
    (page,) = read(to_pdf(picture)).pages
    assert page.extract_text().count("∂loss/∂w × √Σ") == texts_of(picture).count("∂loss/∂w × √Σ")


def test_a_page_is_as_large_as_the_picture_in_points() -> None:
    (page,) = read(to_pdf(drawn(scene_of(item("Sin", 0))))).pages
    assert (page.mediabox.width, page.mediabox.height) == (255, 105)  # 340 and 140 px of 0.75 pt


def test_the_letters_are_in_the_file() -> None:
    (page,) = read(to_pdf(drawn(full()))).pages
    fonts = fonts_of(page)
    assert {name.partition("+")[2] for name in fonts} == {"DejaVuSansCondensed", "DejaVuSansCondensed-Bold"}
    assert all(fonts.values())


def test_chinese_is_text_in_a_typeface_that_readers_have() -> None:
    (page,) = read(to_pdf(drawn(scene_of(item("损失", 0))))).pages
    assert fonts_of(page)["/STSong-Light"] is False
    assert "损失" in page.extract_text()


def test_a_text_without_room_is_set_closer() -> None:
    wide = to_pdf(drawn(scene_of(item("W" * 30, 0)))), to_pdf(drawn(scene_of(item("W", 0))))
    closest = [min(numbers[0] for numbers in matrices_of(data)) for data in wide]
    assert closest[1] == 1
    assert 0.2 < closest[0] < 0.3  # 76 px for thirty letters of 11.6 px


def matrices_of(data: bytes) -> list[list[float]]:
    """Where each text stands, and how closely it is set: the numbers before every Tm."""
    (page,) = read(data).pages
    operations = page.get_contents().operations  # type: ignore[union-attr]  # a page has contents
    return [[float(number) for number in operands] for operands, operator in operations if operator == b"Tm"]


def test_names_of_any_kind_are_written() -> None:
    (page,) = read(to_pdf(drawn(scene_of(item(HOSTILE, 0)), title=HOSTILE))).pages
    assert "<script>" in page.extract_text()


def test_nothing_in_a_picture_runs() -> None:
    data = to_pdf(drawn(full(HOSTILE)))
    assert not any(word in data for word in (b"/JavaScript", b"/JS", b"/OpenAction", b"/Launch", b"/URI"))


def test_the_same_picture_is_the_same_bytes() -> None:
    assert to_pdf(drawn(full())) == to_pdf(drawn(full()))
    assert read(to_pdf(drawn(full()))).metadata.title == "y = sin(x)"  # type: ignore[union-attr]  # it has one
