"""A picture that somebody has before them, as its marks: numbers, colours and plain texts.

Nothing in it is markup, runs or is fetched. Lengths are px, y grows downwards.
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from engine.interchange.picture.drawing import LONGEST_SIDE, drawing_of_marks
from engine.interchange.picture.marks import Drawing, Ellipse, Paint, Rect, Text, path_of
from engine.interchange.picture.marks import Path as DrawnPath
from server.schemas.request_parts import at_most
from server.schemas.requests import Request

FARTHEST = 1_000_000  # px from the origin
MAX_SENT = 20_000  # marks; the engine draws fewer, and says so in a better way
MAX_PATH = 20_000  # characters
MAX_TEXT = 1_000
NUMBER = r"-?\d{1,7}(?:\.\d{1,3})?"
PLACE = f"{NUMBER},{NUMBER}"
PATH = re.compile(f"M{PLACE}(?:[ML]{PLACE}|Q{PLACE} {PLACE}|C{PLACE} {PLACE} {PLACE}|Z)*")
COLOUR = re.compile("#[0-9a-f]{6}")


def check_path(text: str) -> str:
    """A path whose every letter has as many places as it takes."""
    if not PATH.fullmatch(text):
        raise PydanticCustomError("path_type", "not a path")
    return text


def check_colour(text: str) -> str:
    """Six hexadecimal digits."""
    if not COLOUR.fullmatch(text):
        raise PydanticCustomError("colour_type", "not a colour")
    return text


Place = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]
Length = Annotated[float, Field(ge=0, le=FARTHEST, allow_inf_nan=False)]
Side = Annotated[float, Field(gt=0, le=LONGEST_SIDE, allow_inf_nan=False)]
Part = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Dash = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Colour = Annotated[str, Field(max_length=7), AfterValidator(check_colour)]


class Painted(Request):
    """How a shape is filled and stroked; without a colour, not at all."""

    fill: Colour | None = None
    fill_opacity: Part = 1
    stroke: Colour | None = None
    stroke_opacity: Part = 1
    line_width: Length = 1
    dash: list[Dash] = Field(default=[], max_length=2, description="Lengths of a dash and of a gap.")
    round: bool = False

    def paint(self) -> Paint:
        """The engine's own form of it."""
        return Paint(
            self.fill,
            self.stroke,
            self.line_width,
            tuple(self.dash * 2)[:2],
            self.round,
            self.fill_opacity,
            self.stroke_opacity,
        )


class EllipseMark(Painted):
    """An ellipse about its centre."""

    mark: Literal["ellipse"]
    x: Place
    y: Place
    rx: Length
    ry: Length

    def to_engine(self) -> Ellipse:
        """The engine's own form of the mark."""
        return Ellipse(self.x, self.y, self.rx, self.ry, self.paint())


class RectMark(Painted):
    """A rectangle from its top-left corner."""

    mark: Literal["rect"]
    x: Place
    y: Place
    width: Length
    height: Length
    radius: Length = 0

    def to_engine(self) -> Rect:
        """The engine's own form of the mark."""
        radius = min(self.radius, self.width / 2, self.height / 2)
        return Rect(self.x, self.y, self.width, self.height, radius, self.paint())


class PathMark(Painted):
    """A line or an area."""

    mark: Literal["path"]
    d: Annotated[str, Field(max_length=MAX_PATH), AfterValidator(check_path)] = Field(
        description="As in SVG, of absolute M, L, Q, C and Z.", examples=["M0,0L10,5Q12,6 12,8"]
    )

    def to_engine(self) -> DrawnPath:
        """The engine's own form of the mark."""
        return path_of(self.d, self.paint())


class TextMark(Request):
    """A line of text on its baseline; it is set closer where it would be wider than `room`."""

    mark: Literal["text"]
    x: Place
    y: Place
    text: str = Field(max_length=MAX_TEXT)
    size: float = Field(gt=0, le=1000, allow_inf_nan=False)
    colour: Colour
    opacity: Part = 1
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"
    room: Side | None = None
    halo: Colour | None = Field(default=None, description="What keeps lines off it.")

    def to_engine(self) -> Text:
        """The engine's own form of the mark."""
        room = math.inf if self.room is None else self.room
        place = self.x, self.y, self.text, self.size, self.colour, self.bold, self.anchor, room, self.halo
        return Text(*place, opacity=self.opacity)


Mark = Annotated[EllipseMark | RectMark | PathMark | TextMark, Field(discriminator="mark")]


class PageOfPicture(Request):
    """The part of the plane that the picture shows."""

    x: Place
    y: Place
    width: Side
    height: Side


class Picture(Request):
    """What is in sight: the marks within a page, those beneath first."""

    page: PageOfPicture
    background: Colour = "#ffffff"
    marks: Annotated[list[Mark], at_most(MAX_SENT)] = Field(min_length=1, fail_fast=True)

    def to_engine(self) -> Drawing:
        """The engine's own form of it. Raises: LimitError where there are too many marks."""
        page = self.page
        corners = page.x, page.y, page.width, page.height
        return drawing_of_marks(corners, self.background, [mark.to_engine() for mark in self.marks])
