"""A scene in the colours of a theme: the marks of all that is drawn, those beneath first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.interchange.letters import clean
from engine.interchange.picture.items import item_group
from engine.interchange.picture.lines import band_group, edge_group, ribbon_group
from engine.interchange.picture.marks import Drawing, Group, Mark, Text
from engine.interchange.picture.refusals import too_much_in_sight
from engine.interchange.picture.scene import Scene
from engine.interchange.picture.themes import THEMES

MARGIN = 20  # px around the graph
LONGEST_SIDE = 19_200  # px: a page of a PDF is at most 14,400 points long
MOST_MARKS = 10_000  # of a picture that somebody has before them
TITLE = "Computation graph · 计算图"
LONGEST_SIDE = 19_200  # px: a page of a PDF is at most 14,400 points long
MOST_MARKS = 10_000  # of a picture that somebody has before them
TITLE = "Computation graph · 计算图"


def drawing_of(scene: Scene, theme_name: str, title: str) -> Drawing:
    """The picture of a scene. theme_name: one of THEMES; title: what the picture is of."""
    theme = THEMES[theme_name]
    page = scene["page"]
    boxes = sorted(scene["items"], key=lambda item: not item["open"])  # what is open lies behind
    return Drawing(
        x=page["x"] - MARGIN,
        y=page["y"] - MARGIN,
        width=page["width"] + 2 * MARGIN,
        height=page["height"] + 2 * MARGIN,
        background=theme.background,
        title=clean(title),
        groups=(
            *(ribbon_group(ribbon, theme) for ribbon in scene["ribbons"]),
            *(_written(band_group(band, theme)) for band in scene["bands"]),
            *(_written(item_group(item, theme)) for item in boxes),
            *(_written(edge_group(edge, theme)) for edge in scene["edges"]),
        ),
    )


def drawing_of_marks(
    page: tuple[float, float, float, float], background: str, marks: Sequence[Mark]
) -> Drawing:
    """The picture of marks that are laid out and coloured already. page: x, y, width and height in px.

    Raises: LimitError where there are more than MOST_MARKS.
    """
    if len(marks) > MOST_MARKS:
        raise too_much_in_sight(len(marks), MOST_MARKS)
    return Drawing(*page, background, TITLE, (_written(Group("", tuple(marks))),))


def _written(group: Group) -> Group:
    """The group with texts that can be written to any file."""
    marks = (replace(mark, text=clean(mark.text)) if isinstance(mark, Text) else mark for mark in group.marks)
    return Group(clean(group.title), tuple(marks))
