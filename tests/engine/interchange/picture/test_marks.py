"""Paths are read as SVG writes them."""

from __future__ import annotations

from engine.interchange.picture.marks import Paint, path_of


def test_a_corner_becomes_the_same_cubic_curve() -> None:
    path = path_of("M0,0L10,0Q16,0 16,6", Paint())
    assert path.pieces[:2] == (("M", ((0, 0),)), ("L", ((10, 0),)))
    assert path.pieces[2] == ("C", ((14, 0), (16, 2), (16, 6)))  # 10 + 2/3 (16 - 10), 6 + 2/3 (0 - 6)


def test_level_and_upright_lines_keep_the_other_coordinate() -> None:
    assert path_of("M6,2H20V8Z", Paint()).pieces == (
        ("M", ((6, 2),)),
        ("L", ((20, 2),)),
        ("L", ((20, 8),)),
        ("Z", ()),
    )


def test_negative_and_broken_numbers_are_read() -> None:
    assert path_of("M-1.5,2C1,2 3,-4 5,6e-1", Paint()).pieces == (
        ("M", ((-1.5, 2),)),
        ("C", ((1, 2), (3, -4), (5, 0.6))),
    )
