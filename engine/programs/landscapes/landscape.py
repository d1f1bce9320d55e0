"""The answer of `POST /landscapes`: a program's target over one or two axes, computed band by band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.budget import Limits
from engine.interchange.values import nested_json, number_json, packed_json
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.ops.base.tensors import Array
from engine.programs.landscapes.axes import surface_of
from engine.programs.landscapes.bands import WRITTEN_S, Band, Glimpse, bands_for, glimpse_of
from engine.programs.landscapes.critical_points import MAX_CANDIDATES, CriticalPoint, critical_points
from engine.programs.landscapes.path import coordinates, path_of
from engine.programs.landscapes.request import LandscapeRequest, check_axes
from engine.programs.landscapes.surface import Surface
from engine.programs.program.numpy_warnings import without_warnings
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.runs.optimise import check_ran


def landscape(request: ProgramRequest, asked: LandscapeRequest, limits: Limits) -> dict[str, Any]:
    """The answer of `POST /landscapes` without its id.

    `values[i][j]` is the target at the i-th coordinate of the first axis and the j-th of the second; with
    one axis `values[i]`. `gradient` is None, or for each axis the slope along it, in the same form. With the
    encoding `base64` each grid is `{"dtype", "shape", "base64"}`.
    Raises: GradlensError where the program stops with a mistake, or the request does not fit it or a budget.
    """
    view = View.of(request, asked, limits)
    bands = [view.look(band) for band in view.bands()]
    written = packed_json if asked.encoding == "base64" else nested_json
    values, *slopes = (
        written(np.concatenate(parts)) for parts in zip(*(grids for grids, _ in bands), strict=True)
    )
    others = view.without_grids([glimpse for _, glimpse in bands])
    return {**others, "values": values, "gradient": slopes if asked.gradient else None}


@dataclass(frozen=True, slots=True)
class View:
    """A program's target along the axes that are asked for; any process may look at any of its bands.

    path: where a run went that was asked for, a column for each variable.
    """

    asked: LandscapeRequest
    surface: Surface
    path: Mapping[str, Array] | None

    @classmethod
    @without_warnings()
    def of(cls, request: ProgramRequest, asked: LandscapeRequest, limits: Limits) -> View:
        """Run the program, and lay the axes. Raises: as `landscape`."""
        check_axes(asked.axes)
        outcome = outcome_of(request, limits)
        check_ran(outcome)
        path = None
        if asked.run is not None:
            path = path_of(outcome_of(request, limits), asked.run, limits)
        return cls(asked, surface_of(outcome, asked, limits, path), path)

    @without_warnings()
    def bands(self) -> list[Band]:
        """The bands of the grid; a single one where it is small."""
        slopes = len(self.surface.axes) if self.asked.gradient else 0
        return bands_for(
            self.surface, slopes=self._slopes, written_s=WRITTEN_S[self.asked.encoding] * (1 + slopes)
        )

    @without_warnings()
    def look(self, band: Band) -> tuple[list[Array], Glimpse]:
        """The grids of a band's rows (values, and slopes where asked), and what the rest is computed from."""
        grids, glimpse = glimpse_of(self.surface, band, slopes=self._slopes, points=self.asked.points)
        asked = grids if self.asked.gradient else grids[:1]
        return [grid if len(self.surface.axes) == 2 else grid[:, 0] for grid in asked], glimpse

    def frame(self) -> dict[str, Any]:
        """What is known before any number of the grid: the target's name, and the axes."""
        return {
            "target": self.surface.target.name,
            "axes": [
                {"variable": axis.name, "values": nested_json(axis.values)} for axis in self.surface.axes
            ],
        }

    @without_warnings()
    def without_grids(self, glimpses: Sequence[Glimpse]) -> dict[str, Any]:
        """All but the grids, from every band's glimpse."""
        whole = Glimpse.together(glimpses)
        points = critical_points(self.surface, whole.candidates, whole.spread) if self.asked.points else []
        names = [axis.name for axis in self.surface.axes]
        return {
            **self.frame(),
            "extent": {
                "min": number_json(whole.low),
                "max": number_json(whole.high),
                "not_finite": whole.not_finite,
            },
            "points": [point.as_json(names) for point in points],
            "path": None if self.path is None else coordinates(self.path, self.surface),
            "diagnostics": [note.as_json() for note in _notes(points, len(whole.candidates))],
        }

    @property
    def _slopes(self) -> bool:
        return self.asked.gradient or self.asked.points


def _notes(points: Sequence[CriticalPoint], searched: int) -> list[Diagnostic]:
    if all(point.isolated for point in points):
        return [_many()] if points and searched >= MAX_CANDIDATES else []
    return [
        Diagnostic(
            "note",
            "not_isolated",
            "The slope is zero along whole lines here, so that only some points of them are listed.",
            "这里的斜率沿整条线为零，因此只列出其中一些点。",
        )
    ]


def _many() -> Diagnostic:
    return Diagnostic(
        "note",
        "many_points",
        "The slope may be zero at more places here than are searched, so that some may be missing.",
        "这里斜率可能为零的地方太多，没有全部搜索，因此可能有遗漏。",
        "Make the window smaller to see them all.",
        "请缩小窗口以查看全部。",
    )
