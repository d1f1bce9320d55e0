"""What answers on landscapes look like, whole and in bands."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from server.schemas.answers.common import Answer, Diagnostic, Value


class LandscapeAxisView(Answer):
    """An axis and its coordinates."""

    variable: str
    values: list[Value]


class CriticalPointView(Answer):
    """A point where every slope along the axes is zero."""

    kind: Literal["minimum", "maximum", "saddle"]
    at: dict[str, Value]
    value: Value
    eigenvalues: list[Value] = Field(description="Of the Hessian along the axes, ascending.")
    condition: Value = Field(description="The largest size of an eigenvalue over the smallest.")
    degenerate: bool = Field(description="An eigenvalue is zero, so that the values around decided.")
    isolated: bool = Field(description="False on a line of such points, of which only some are listed.")


class ExtentView(Answer):
    """The range of the values, and how many there are outside of all numbers."""

    min: Value
    max: Value
    not_finite: int


class PackedGrid(Answer):
    """A grid as the bytes of its numbers, row by row, the lowest byte of each first."""

    dtype: str
    shape: list[int]
    base64: str


class LandscapeAnswer(Answer):
    """A target over one or two axes; with two, `values[i][j]` stands at the i-th and j-th coordinate."""

    id: str
    program: str
    target: str
    axes: list[LandscapeAxisView]
    values: list[Any] | PackedGrid
    gradient: list[Any] | None = Field(description="For each axis the slope along it, as `values`.")
    extent: ExtentView
    points: list[CriticalPointView]
    path: dict[str, list[Value]] | None = Field(description="Where the run went, by axis.")
    diagnostics: list[Diagnostic]


class LandscapeHeader(Answer):
    """The first line of a streamed landscape."""

    type: Literal["header"]
    sequence: Literal[0]
    id: str
    program: str
    target: str
    axes: list[LandscapeAxisView]
    bands: int = Field(description="How many there will be.")


class LandscapeBand(Answer):
    """Rows of a streamed landscape's grids, along the first axis: from `first` up to, and without, `end`."""

    type: Literal["band"]
    sequence: int
    first: int
    end: int
    values: list[Any] | PackedGrid
    gradient: list[Any] | None = Field(description="For each axis the slope along it, as `values`.")


class LandscapeFooter(Answer):
    """The last line of a streamed landscape: what was found of the whole."""

    type: Literal["footer"]
    sequence: int
    extent: ExtentView
    points: list[CriticalPointView]
    path: dict[str, list[Value]] | None
    diagnostics: list[Diagnostic]
