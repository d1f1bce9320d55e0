"""The colours of pictures are those of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.interchange.picture.themes import DARK, LIGHT, PRINT, Theme

PAGE = Path(__file__).parents[4] / "frontend"
PHASES = ("forward", "gradient", "process", "update")


def colours_of(theme: Theme) -> dict[str, str]:
    """A theme's colours by the names of the style sheet."""
    return {
        "surface": theme.background,
        "text": theme.text,
        "muted": theme.muted,
        "line": theme.line,
        "error": theme.error,
        "reference": theme.ink["reference"],
        **{phase: theme.ink[phase] for phase in PHASES},
        **{f"{phase}-fill": theme.fill[phase] for phase in PHASES},
    }


def on_screen(place: int) -> Iterator[tuple[str, str]]:
    """The page's colours on a light (0) or a dark (1) screen."""
    sheet = (PAGE / "styles.css").read_text(encoding="utf-8")
    for name, *both in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", sheet):
        yield name, both[place]


@pytest.mark.parametrize(("theme", "place"), [(LIGHT, 0), (DARK, 1)], ids=["light", "dark"])
def test_a_picture_has_the_colours_of_the_page_on_screen(theme: Theme, place: int) -> None:
    assert colours_of(theme).items() <= dict(on_screen(place)).items()


def test_a_picture_in_black_and_white_has_the_colours_of_the_page_on_paper() -> None:
    sheet = (PAGE / "view" / "graph.css").read_text(encoding="utf-8")
    on_paper = dict(re.findall(r"--g-([\w-]+): (#\w+);", sheet.partition("@media print")[2]))
    named = {"bg": PRINT.background, **colours_of(PRINT)}
    assert {name: named[name] for name in on_paper if name in named} == {
        name: colour for name, colour in on_paper.items() if name in named
    }


def test_a_picture_in_black_and_white_has_no_colours() -> None:
    colours = [*colours_of(PRINT).values(), PRINT.plus, PRINT.minus]
    assert all(len({colour[1:3], colour[3:5], colour[5:7]}) == 1 for colour in colours)


def test_the_heat_strip_has_the_colours_of_the_page() -> None:
    sheet = (PAGE / "view" / "graph.css").read_text(encoding="utf-8")
    found = re.findall(r"\.strip \.(?:plus|minus) \{\s+fill: light-dark\((#\w+), (#\w+)\);\s+\}", sheet)
    assert found == [(LIGHT.plus, DARK.plus), (LIGHT.minus, DARK.minus)]
