"""The marks of lines with their arrow heads, of bands, and of the ribbons between an op and its gradient."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from engine.interchange.picture.marks import Group, Mark, Paint, Path, Point, Rect, Text, path_of
from engine.interchange.picture.scene import Band, Edge, Ribbon
from engine.interchange.picture.themes import Theme

SMALL_PX = 12
DASHES: Mapping[str, tuple[float, ...]] = {"gradient": (7, 4), "control": (1.5, 4)}
TRIANGLE = "M0,0L9,4L0,8Z", (9.0, 4.0)
HEADS: Mapping[str, tuple[str, Point]] = {  # their shape, and the point of it that lies at the line's end
    "gradient": ("M0.8,0.8L8.5,4.5L0.8,8.2", (8.5, 4.5)),
    "borrowed": ("M0,0.5L7,4L0,7.5Z", (7.0, 4.0)),
    "control": ("M0.5,0.5L6,3.5L0.5,6.5", (6.0, 3.5)),
}
OPEN_HEADS = {"gradient": 1.75, "control": 1.25}  # px of their stroke


def edge_group(edge: Edge, theme: Theme) -> Group:
    """One line with its heads and its label."""
    style, ink = edge["style"], theme.ink[edge["style"]]
    paint = Paint(
        stroke=ink,
        width=edge["width"],
        dash=DASHES.get(style, ()),
        round=style == "control",
        stroke_opacity=0.55 if style == "borrowed" else 0.75,
    )
    line = path_of(edge["path"], paint)
    marks: list[Mark] = [line, *_heads(edge, line, ink)]
    label = edge["label"]
    if label:
        place = label["x"], label["y"], label["text"]
        marks.append(Text(*place, SMALL_PX, theme.muted, anchor=label["anchor"], halo=theme.background))
    return Group(edge["title"], tuple(marks))


def _heads(edge: Edge, line: Path, ink: str) -> Iterator[Path]:
    points = [point for _, points in line.pieces for point in points]
    if len(points) < 2:
        return
    ends = [(points[1], points[0])] if edge["start"] else []
    ends += [(points[-2], points[-1])] if edge["end"] else []
    shape, tip = HEADS.get(edge["style"], TRIANGLE)
    width = OPEN_HEADS.get(edge["style"])
    paint = Paint(stroke=ink, width=width) if width else Paint(fill=ink)
    for before, end in ends:
        yield _pointing(path_of(shape, paint), tip, before, end)


def _pointing(head: Path, tip: Point, before: Point, end: Point) -> Path:
    """The head with its tip at `end`, pointing as the line does that comes from `before`."""
    angle = math.atan2(end[1] - before[1], end[0] - before[0])
    cos, sin = math.cos(angle), math.sin(angle)

    def placed(point: Point) -> Point:
        x, y = point[0] - tip[0], point[1] - tip[1]
        return end[0] + cos * x - sin * y, end[1] + sin * x + cos * y

    return Path(
        tuple((letter, tuple(map(placed, points))) for letter, points in head.pieces),
        head.paint,
    )


def band_group(band: Band, theme: Theme) -> Group:
    """The lane of a gradient call or an optimizer, with its title in its first piece."""
    ink = theme.ink[band["phase"]]
    paint = Paint(theme.fill[band["phase"]], ink, fill_opacity=0.4, stroke_opacity=0.35)
    marks: list[Mark] = [Rect(band["x"], band["y"], band["width"], band["height"], 12, paint)]
    if not band.get("part"):
        left = band["x"] + band["titleX"] + 8
        marks.append(Text(left, band["y"] + 16, band["name"], SMALL_PX, ink, True, "start"))
    return Group(band["name"], tuple(marks))


def ribbon_group(ribbon: Ribbon, theme: Theme) -> Group:
    """Joins an op to its gradient."""
    path = f"M{ribbon['x1']},{ribbon['y1']}L{ribbon['x2']},{ribbon['y2']}"
    return Group("", (path_of(path, Paint(stroke=theme.line, width=9, stroke_opacity=0.5)),))
