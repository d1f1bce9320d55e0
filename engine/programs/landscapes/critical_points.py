"""Minima, maxima and saddle points of a surface: candidates from the grid, Newton's method, the Hessian.

Coordinates are scaled to the window for the search, so that axes of different lengths count alike.
Source: Nocedal & Wright, Numerical Optimization, 2nd ed., ch. 3 (Newton's method), ch. 2 (second-order
conditions).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.interchange.values import nested_json, number_json
from engine.ops.base.tensors import Array
from engine.programs.landscapes.point_kinds import Kind, Look, Precision, kind_of, smooth
from engine.programs.landscapes.surface import Surface

MAX_CANDIDATES = 512
TURNS = 80  # of Newton's method; a degenerate point is approached by a half or a third at each
FARTHEST = 0.05  # of the window, in one step
ARRIVED = 1e-7  # of the window: the last step of a search that has found something
SAME = 1e-4  # of the window: points closer than this are one
LINE, SHOWN_OF_LINE = 4, 8  # so many level points of one value are a line; so many of them are listed


@dataclass(frozen=True, slots=True)
class CriticalPoint:
    """A point where every slope is zero.

    at:          the coordinates.
    eigenvalues: of the Hessian along the axes, ascending.
    of_many:     whether it is one of a line of such points, as on the floor of a valley.
    """

    kind: Kind
    at: Array
    value: float
    eigenvalues: Array
    of_many: bool = False

    @property
    def isolated(self) -> bool:
        """Whether there is no other critical point of this value nearby."""
        return self.kind.isolated and not self.of_many

    @property
    def condition(self) -> float:
        """The condition number: the largest absolute eigenvalue over the smallest."""
        sizes = np.abs(self.eigenvalues)
        return float(sizes.max() / sizes.min()) if sizes.min() > 0 and not self.kind.degenerate else np.inf

    def as_json(self, names: list[str]) -> dict[str, Any]:
        """As in the answer of `POST /landscapes`."""
        return {
            "kind": self.kind.name,
            "at": {name: number_json(float(a)) for name, a in zip(names, self.at, strict=True)},
            "value": number_json(self.value),
            "eigenvalues": nested_json(self.eigenvalues),
            "condition": number_json(self.condition),
            "degenerate": self.kind.degenerate,
            "isolated": self.isolated,
        }


def critical_points(surface: Surface, places: Array, spread: float) -> list[CriticalPoint]:
    """The critical points in the window, searched for from places on the grid (n, axes).

    spread:  of the values on the grid.
    Returns: minima first, then saddles and maxima, the lowest first.
    """
    lengths = np.array([axis.length for axis in surface.axes])
    start = np.array([axis.values[0] for axis in surface.axes])
    if not len(places):
        return []
    points = np.stack(
        [axis.values[place] for axis, place in zip(surface.axes, places.T, strict=True)], axis=1
    )
    look = _scaled(surface.look(len(points)), start, lengths)
    found = search(look, (points - start) / lengths)
    inside = found[np.all((found >= -SAME) & (found <= 1 + SAME), axis=1)]
    classified = classify(surface, _distinct(inside)[:MAX_CANDIDATES], start, lengths, spread)
    order = {"minimum": 0, "saddle": 1, "maximum": 2}
    return sorted(_thinned(classified), key=lambda p: (order[p.kind.name], p.value, tuple(p.at)))


def candidates(slopes: list[Array], rows: slice) -> tuple[Array, Array]:
    """Grid places to search from: where the gradient is shortest among neighbours, or turns.

    slopes:  scaled, (rows, columns) each; those outside `rows` are there as neighbours only.
    Returns: the places (n, axes), and how long the gradient is there (n), the shortest first.
    """
    if slopes[0].shape[1] == 1:
        size, turns = np.abs(slopes[0]), _turns(slopes[0])
    else:
        size = np.hypot(*slopes)
        turns = _turns(slopes[0]) & _turns(slopes[1])
    known = np.isfinite(size)
    size[~known] = np.inf
    chosen = ((size <= _least_around(size)) | turns) & known
    chosen[: rows.start] = chosen[rows.stop :] = False
    places = np.argwhere(chosen)
    sizes = size[tuple(places.T)]
    best = np.argsort(sizes, kind="stable")[:MAX_CANDIDATES]
    return places[best][:, : len(slopes)], sizes[best]


def _least_around(size: Array) -> Array:
    """The minimum over each number and its eight neighbours."""
    least = size
    for axis in range(size.ndim):
        before, after = _without(size, axis, -1), _without(size, axis, 0)  # all but the last, but the first
        around = least.copy()
        np.minimum(around[after], least[before], out=around[after])
        np.minimum(around[before], least[after], out=around[before])
        least = around
    return least


def _turns(slope: Array) -> Array:
    """Where a slope changes its sign between a grid point and the next ones."""
    down, up = slope <= 0, slope >= 0
    falls, rises = down.copy(), up.copy()
    for axis in range(slope.ndim):
        here, following = _without(slope, axis, -1), _without(slope, axis, 0)
        falls[here] |= down[following]
        rises[here] |= up[following]
    return np.asarray(falls & rises)


def _without(array: Array, axis: int, end: int) -> tuple[slice, ...]:
    """The slices that leave out an array's first entries along an axis (`end` 0), or its last (-1)."""
    whole = [slice(None)] * array.ndim
    whole[axis] = slice(1, None) if end == 0 else slice(None, -1)
    return tuple(whole)


def search(look: Look, points: Array) -> Array:
    """The points at which Newton's method arrives from these, in scaled coordinates."""
    steps = np.full_like(points, np.inf)
    going = np.ones(len(points), dtype=bool)
    for _ in range(TURNS):
        _, slopes, hessians = look(points)
        going &= np.isfinite(slopes).all(axis=1) & np.isfinite(hessians).all(axis=(1, 2))
        steps = np.where(going[:, None], _newton_step(slopes, hessians, going), np.nan)
        points = np.where(going[:, None], points + steps, points)
        if not (np.abs(steps[going]) > 1e-15).any():
            break
    _, slopes, _ = look(points)
    arrived = going & (np.abs(steps).max(axis=1) <= ARRIVED) & np.isfinite(slopes).all(axis=1)
    return np.asarray(points[arrived])


def _newton_step(slopes: Array, hessians: Array, going: Array) -> Array:
    """-H⁻¹ g, no longer than FARTHEST; without slope and curvature along a direction no step along it."""
    safe = np.where(going[:, None, None], hessians, np.eye(slopes.shape[1]))
    values, vectors = np.linalg.eigh(safe)
    along = np.einsum("nij,ni->nj", vectors, np.where(going[:, None], slopes, 0.0))
    with np.errstate(all="ignore"):
        amounts = np.where(along == 0, 0.0, -along / values)
    amounts = np.clip(
        np.where(np.isfinite(amounts), amounts, np.sign(-along) * FARTHEST), -FARTHEST, FARTHEST
    )
    return np.asarray(np.einsum("nij,nj->ni", vectors, amounts))


def classify(
    surface: Surface, points: list[Array], start: Array, lengths: Array, spread: float
) -> list[CriticalPoint]:
    """Each point that is no kink, with its kind, value and eigenvalues."""
    if not points:
        return []
    look = _looked_at(surface, start, lengths)
    precision = Precision.of(surface.target.dtype, by_differences=surface.curvatures is None)
    classified: list[CriticalPoint] = []
    for point in np.array(points)[smooth(look, np.array(points))]:
        value, _, hessian = (part[0] for part in look(point[None]))
        kind = kind_of(look, point, spread, precision)
        eigenvalues = np.linalg.eigvalsh(hessian / np.outer(lengths, lengths))
        at = start + point * lengths
        found = CriticalPoint(kind, at, float(value), eigenvalues)
        if not any(_one_bottom(found, other, lengths) for other in classified):
            classified.append(found)
    return classified


def _one_bottom(point: CriticalPoint, other: CriticalPoint, lengths: Array) -> bool:
    """Whether two points of one kind are closer than the distance at which values decided their kind."""
    reach = min(point.kind.reach, other.kind.reach)
    if not reach or point.kind.name != other.kind.name:
        return False
    return bool((np.abs(point.at - other.at) < reach * lengths).all())


def _looked_at(surface: Surface, start: Array, lengths: Array) -> Look:
    """The surface at any number of points in scaled coordinates."""
    looks: dict[int, Look] = {}

    def look(points: Array) -> tuple[Array, Array, Array]:
        if len(points) not in looks:
            looks[len(points)] = _scaled(surface.look(len(points)), start, lengths)
        return looks[len(points)](points)

    return look


def _thinned(points: list[CriticalPoint]) -> list[CriticalPoint]:
    """Many level points of one value lie on a line: a few of them stand for all."""
    kept: list[CriticalPoint] = []
    for point in points:
        alike = [other for other in points if other.kind.level and np.isclose(other.value, point.value)]
        if not point.kind.level or len(alike) < LINE:
            kept.append(point)
        elif (
            next(i for i, other in enumerate(alike) if other is point) % (-(-len(alike) // SHOWN_OF_LINE))
            == 0
        ):
            kept.append(replace(point, of_many=True))
    return kept


def _distinct(points: Array) -> list[Array]:
    """One of each group of points that are the same up to the accuracy of the search."""
    found: list[Array] = []
    for point in points:
        if all(np.abs(point - other).max() > SAME for other in found):
            found.append(point)
    return found


def _scaled(look: Look, start: Array, lengths: Array) -> Look:
    def scaled(points: Array) -> tuple[Array, Array, Array]:
        value, slopes, hessians = look(start + points * lengths)
        symmetric = (hessians + hessians.swapaxes(1, 2)).astype(np.float64) / 2
        return value, slopes * lengths, symmetric * np.outer(lengths, lengths)

    return scaled
