"""A scene in the colours of a theme: the marks of all that is drawn, those beneath first."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.interchange.picture.items import item_group
from engine.interchange.picture.lines import band_group, edge_group, ribbon_group
from engine.interchange.picture.marks import Drawing, Group, Text
from engine.interchange.picture.scene import Scene
from engine.interchange.picture.themes import THEMES

MARGIN = 20  # px around the graph
NO_LETTERS = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACEMENT = "\ufffd"  # of what a file of text cannot hold


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
        title=_clean(title),
        groups=(
            *(ribbon_group(ribbon, theme) for ribbon in scene["ribbons"]),
            *(_written(band_group(band, theme)) for band in scene["bands"]),
            *(_written(item_group(item, theme)) for item in boxes),
            *(_written(edge_group(edge, theme)) for edge in scene["edges"]),
        ),
    )


def _written(group: Group) -> Group:
    """The group with texts that can be written to any file."""
    marks = (
        replace(mark, text=_clean(mark.text)) if isinstance(mark, Text) else mark for mark in group.marks
    )
    return Group(_clean(group.title), tuple(marks))


def _clean(text: str) -> str:
    return NO_LETTERS.sub(REPLACEMENT, text)
