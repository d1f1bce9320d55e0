"""Pictures as PNG: pixels of the same picture, and a word where a letter is missing."""

from __future__ import annotations

import struct

import pytest

from engine.errors import GradlensError
from engine.interchange.picture import to_png
from tests.engine.interchange.picture.scenes import drawn, full, item, scene_of


def size_of(png: bytes) -> tuple[int, ...]:
    """Its width and height, which stand in its first chunk."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_two_pixels_stand_for_one_of_the_page() -> None:
    assert size_of(to_png(drawn(scene_of(item("Sin", 0))))) == (680, 280)


def test_a_long_picture_has_at_most_eight_thousand_pixels_on_a_side() -> None:
    scene = scene_of(item("Sin", 0))
    scene["page"]["width"] = 9960
    assert size_of(to_png(drawn(scene))) == (8000, 112)  # 140 px at 0.8


def test_the_same_picture_is_the_same_bytes_and_other_words_are_others() -> None:
    assert to_png(drawn(full("∂y/∂x"))) == to_png(drawn(full("∂y/∂x")))
    assert to_png(drawn(full("∂y/∂x"))) != to_png(drawn(full("∂y/∂w")))


def test_letters_that_it_has_not_are_named_rather_than_left_out() -> None:
    with pytest.raises(GradlensError) as refused:
        to_png(drawn(scene_of(item("损失", 0))))
    assert refused.value.message == "A PNG made here has no letters for '损失'."
    assert refused.value.hint == "Ask for format=svg or format=pdf, or make the PNG in the page."
    assert refused.value.message_zh == "这里生成的 PNG 没有 '损失' 的字形。"
