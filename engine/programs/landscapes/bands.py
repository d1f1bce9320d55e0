"""A grid cut into bands of rows, which may be computed side by side, on this machine or on several.

As with races, cuts depend on the request alone, never on the machine or the clock, so that whoever computes
the bands puts the same numbers together, bit for bit. A band is estimated to take PART_S at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.execution.batching import NUMBER_S
from engine.ops.base.tensors import Array
from engine.programs.landscapes.critical_points import MAX_CANDIDATES, candidates
from engine.programs.landscapes.surface import Surface
from engine.programs.races.parts import NODE_S, PART_S

MOST_BANDS = 100
WRITTEN_S = {"lists": 0.3e-6, "base64": 0.01e-6}  # one number as text, lists compressed
ALIGNED = 3  # rows: so many hold whole groups of three bytes, so that bands in base64 make one text

Band = tuple[int, int]  # the first row and the one after the last


def bands_for(surface: Surface, *, slopes: bool, written_s: float) -> list[Band]:
    """Bands of about equal height.

    written_s: how long it takes to write what the answer holds of a point.
    """
    rows, columns = surface.shape
    elements = surface.elements([surface.target, *(surface.slopes if slopes else [])])
    if elements is None:
        computed_s = NODE_S * len(surface.target.graph.nodes) * rows * columns
    else:
        computed_s = NUMBER_S * elements
    whole_s = computed_s + written_s * rows * columns
    groups = -(-rows // ALIGNED)
    count = max(1, min(groups, MOST_BANDS, int(whole_s / PART_S)))
    cuts = [min(rows, groups * part // count * ALIGNED) for part in range(count + 1)]
    return list(pairwise(cuts))


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What is known about a band besides its numbers.

    candidates: where critical points are searched from, grid places (n, axes); shortness: the length of the
                gradient there (n), the shortest first.
    low, high:  the least and the greatest finite value; not_finite: how many others there are.
    """

    candidates: Array
    shortness: Array
    low: float
    high: float
    not_finite: int

    @property
    def spread(self) -> float:
        """The greatest value minus the least; 0 where no value is finite."""
        return self.high - self.low if np.isfinite(self.high) else 0.0

    @classmethod
    def together(cls, parts: Sequence[Glimpse]) -> Glimpse:
        """What is known about all bands, given in order."""
        shortness = np.concatenate([part.shortness for part in parts])
        best = np.argsort(shortness, kind="stable")[:MAX_CANDIDATES]
        return cls(
            np.concatenate([part.candidates for part in parts])[best],
            shortness[best],
            float(np.fmin.reduce([part.low for part in parts])),
            float(np.fmax.reduce([part.high for part in parts])),
            sum(part.not_finite for part in parts),
        )


def glimpse_of(surface: Surface, band: Band, *, slopes: bool, points: bool) -> tuple[list[Array], Glimpse]:
    """The target and, where asked, its slopes in a band, (rows, columns) each, with the band's glimpse.

    Candidates are found by their neighbours, so that a row more is computed on either side.
    """
    first, last = band
    start, stop = (max(0, first - 1), min(surface.shape[0], last + 1)) if points else band
    fetches = [surface.target, *(surface.slopes if slopes else [])]
    wide = surface.over_grid(fetches, slice(start, stop))
    own = slice(first - start, last - start)
    places, shortness = np.empty((0, len(surface.axes)), dtype=int), np.empty(0)
    if points:
        lengths = [axis.length for axis in surface.axes]
        scaled = [slope * length for slope, length in zip(wide[1:], lengths, strict=True)]
        places, shortness = candidates(scaled, own)
        places[:, 0] += start
    grids = [grid[own] for grid in wide]
    values = grids[0]
    known = np.isfinite(values)
    finite = values if known.all() else values[known]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (np.nan, np.nan)
    return grids, Glimpse(places, shortness, low, high, int(values.size - finite.size))
