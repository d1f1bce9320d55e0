"""What stands where in a picture, and what it looks like."""

from __future__ import annotations

from typing import Any

import pytest

from engine.interchange.picture.marks import Ellipse, Path, Rect, Text
from engine.interchange.picture.themes import LIGHT
from tests.engine.interchange.picture.scenes import drawn, edge, full, item, scene_of, texts_of


def marks_of(scene: Any, place: int = 0) -> tuple[Any, ...]:
    """The marks of one group."""
    return drawn(scene).groups[place].marks


def test_there_is_a_margin_of_twenty_around_the_page() -> None:
    picture = drawn(scene_of(item("Sin", 0)))
    assert (picture.x, picture.y, picture.width, picture.height) == (-20, -20, 340, 140)


def test_an_op_is_an_ellipse_with_its_name_above_its_value() -> None:
    body, name, value = marks_of(scene_of(item("Sin", 10)))
    assert isinstance(body, Ellipse)
    assert (body.x, body.y, body.rx, body.ry) == (50, 20, 40, 20)
    assert (name.text, name.y, value.text, value.y) == ("Sin", 17, "3", 32)
    assert (body.paint.stroke, value.colour) == (LIGHT.ink["forward"], LIGHT.ink["forward"])


def test_without_a_value_the_name_stands_in_the_middle() -> None:
    _, name = marks_of(scene_of(item("Sin", 10, value="")))
    assert name.y == 24  # 40 / 2 + 4


def test_what_belongs_to_gradients_is_dashed_so_that_no_colour_is_needed() -> None:
    forward, *_ = marks_of(scene_of(item("Sin", 0)))
    gradient, *_ = marks_of(scene_of(item("mul", 0, phase="gradient")))
    assert (forward.paint.dash, gradient.paint.dash) == ((), (5, 3))


def test_a_value_that_is_not_finite_has_the_colour_of_errors() -> None:
    body, _, value = marks_of(scene_of(item("Log", 0, sound=False, value="⚠ NaN")))
    assert (body.paint.stroke, value.colour) == (LIGHT.error, LIGHT.error)


def test_a_heat_strip_has_a_cell_for_each_number() -> None:
    *_, first, second, third = marks_of(scene_of(item("w", 0, cells=[1.0, -0.5, None])))
    assert [cell.paint.fill for cell in (first, second, third)] == [LIGHT.plus, LIGHT.minus, LIGHT.error]
    assert [cell.x for cell in (first, second, third)] == [28, 36, 44]  # 40 - 3 · 8 / 2
    assert second.paint.fill_opacity == 0.5


def test_the_stalk_of_a_constant_ends_on_the_outline_of_its_op() -> None:
    pill: Any = {"names": ["two"], "label": "2", "x": 32, "y": -26, "width": 16, "height": 17}
    group = drawn(scene_of(item("mul", 0, constants=[pill]))).groups[0]
    stalk: Any = next(mark for mark in group.marks if isinstance(mark, Path))
    assert stalk.pieces == (("M", ((40, -9),)), ("L", ((40, 0),)))
    assert group.title == "mul\ntwo"


def test_an_arrow_head_has_its_tip_where_its_line_ends_and_points_along_it() -> None:
    line, head = marks_of(scene_of(edges=[edge("M0,0L0,30")]))
    assert line.pieces[-1][1] == ((0, 30),)
    points = [point for _, points in head.pieces for point in points]
    assert points[1] == pytest.approx((0, 30))  # the tip of the triangle (0,0) (9,4) (0,8)
    assert {round(point[1]) for point in (points[0], points[2])} == {21}  # its foot is 9 px up the line


def test_a_line_that_is_written_backwards_has_its_head_at_its_start() -> None:
    _, head = marks_of(scene_of(edges=[edge("M30,0L0,0", start=True, end=False)]))
    assert head.pieces[1][1][0] == pytest.approx((30, 0))


def test_open_scopes_lie_beneath_what_they_hold_and_bands_beneath_all_items() -> None:
    picture = drawn(full())
    assert isinstance(picture.groups[0].marks[0], Path)  # the ribbon
    titles = [mark.text for mark in picture.groups[1].marks if isinstance(mark, Text)]
    assert titles == ["Sin"]  # the band
    (opened, *_) = picture.groups[2].marks
    assert isinstance(opened, Rect)
    assert opened.paint.fill_opacity == 0.55


def test_all_that_the_layout_wrote_stands_on_the_picture() -> None:
    assert texts_of(drawn(full("Sin"))).count("Sin") == 1 + 5 + 1 + 7  # band, items, constant, lines
