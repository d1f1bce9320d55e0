"""The marks of a picture, which each form writes in its own way. Lengths are px, y grows downwards."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

Point = tuple[float, float]
WORD = re.compile(r"[A-Z]|-?\d+(?:\.\d+)?(?:e-?\d+)?")


@dataclass(frozen=True, slots=True)
class Paint:
    """How a shape is filled and stroked; None for not at all. Colours are written "#rrggbb"."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1
    dash: tuple[float, ...] = ()
    round: bool = False
    fill_opacity: float = 1
    stroke_opacity: float = 1


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An ellipse about its centre."""

    x: float
    y: float
    rx: float
    ry: float
    paint: Paint


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle from its top-left corner, its corners rounded by `radius`."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    paint: Paint


@dataclass(frozen=True, slots=True)
class Path:
    """A line or an area of straight pieces and cubic curves: M (1 point), L (1), C (3), Z (none)."""

    pieces: tuple[tuple[str, tuple[Point, ...]], ...]
    paint: Paint


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text on its baseline; anchor: start, middle or end.

    room: px that it must not be wider than, where it is written in a font that we choose.
    halo: the colour that keeps lines off it.
    """

    x: float
    y: float
    text: str
    size: float
    colour: str
    bold: bool = False
    anchor: str = "middle"
    room: float = math.inf
    halo: str | None = None
    opacity: float = 1


Mark = Ellipse | Rect | Path | Text


@dataclass(frozen=True, slots=True)
class Group:
    """The marks of one thing, and what it is called in full."""

    title: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: its page, what it is called, and its groups, those beneath first."""

    x: float
    y: float
    width: float
    height: float
    background: str
    title: str
    groups: tuple[Group, ...]


def path_of(written: str, paint: Paint) -> Path:
    """A path from SVG's absolute M, L, H, V, Q, C and Z; a quadratic curve becomes the same cubic one."""
    return Path(tuple(_pieces(written)), paint)


def _pieces(written: str) -> Iterator[tuple[str, tuple[Point, ...]]]:
    words = WORD.findall(written)
    at: Point = (0.0, 0.0)
    while words:
        letter = words.pop(0)
        numbers = []
        while words and not words[0].isalpha():
            numbers.append(float(words.pop(0)))
        if letter == "H":
            letter, numbers = "L", [numbers[0], at[1]]
        elif letter == "V":
            letter, numbers = "L", [at[0], numbers[0]]
        points = tuple(zip(numbers[::2], numbers[1::2], strict=True))
        if letter == "Q":
            letter, points = "C", _cubic(at, *points)
        yield letter, points
        at = points[-1] if points else at


def _cubic(start: Point, control: Point, end: Point) -> tuple[Point, Point, Point]:
    """c1 = s + 2/3 (q - s), c2 = e + 2/3 (q - e)."""

    def towards(a: Point, b: Point) -> Point:
        return a[0] + (b[0] - a[0]) * 2 / 3, a[1] + (b[1] - a[1]) * 2 / 3

    return towards(start, control), towards(end, control), end
