"""A target as a function of one or two numbers: where it is looked at, and its derivatives there.

The point of coordinates a is base + Σ a_i d_i: an axis moves all variables along its direction d_i. Of an
axis that is one variable's number, d_i is 1 there and 0 elsewhere, and base is 0 there, so that the
coordinate is the number itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine import ops
from engine.errors import GradlensError
from engine.execution.batching import Grid, Unbatchable
from engine.graph import Node, Tensor, Variable
from engine.languages.interpreter.budget import Budget
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Array
from engine.programs.landscapes.points import at_points, dense_gradients, one_by_one

Direction = Mapping[Variable, Array]
STEP = 1e-5  # of an axis's length, where second derivatives are taken by differences


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: its name, its direction, its coordinates."""

    name: str
    direction: Direction
    values: Array

    @property
    def length(self) -> float:
        """The distance from the first coordinate to the last; 1 where there is only one."""
        return float(self.values[-1] - self.values[0]) or 1.0


@dataclass(slots=True)
class Surface:
    """The target along axes, with tensors for its slopes and curvatures in the program's graph.

    names: what the variables are called; state: the value of every variable; feeds: of placeholders.
    """

    target: Tensor
    axes: Sequence[Axis]
    base: Mapping[Variable, Array]
    names: Mapping[Variable, str]
    state: Mapping[Node, Array]
    feeds: Mapping[Tensor, Array]
    meter: Budget
    slopes: list[Tensor] = field(default_factory=list)
    curvatures: list[Tensor] | None = None  # row by row; None where the slopes have no gradients

    def __post_init__(self) -> None:
        with self.target.graph.as_default(), self.target.graph.making("gradient"):
            if self.target.shape != ():
                self.target = ops.reduce_sum(self.target)
            self.slopes = self._along(self.target)
            try:
                self.curvatures = [c for slope in self.slopes for c in self._along(slope)]
            except GradlensError:
                self.curvatures = None

    @property
    def shape(self) -> tuple[int, int]:
        """How many points there are along the first axis, and along the second or 1."""
        first, *more = (len(axis.values) for axis in self.axes)
        return first, more[0] if more else 1

    def elements(self, fetches: Sequence[Tensor]) -> int | None:
        """How many numbers the whole grid computes; None where its points cannot be computed together."""
        try:
            return self._grid(fetches, slice(None)).elements
        except Unbatchable:
            return None

    def over_grid(self, fetches: Sequence[Tensor], rows: slice = slice(None)) -> list[Array]:
        """Fetches at every point of some rows of the grid, (rows along the first axis, columns)."""
        try:
            grid = self._grid(fetches, rows)
            self.meter.spend(grid.elements)
            return grid(self.meter)
        except Unbatchable:  # from the start, or where shapes come to differ from point to point
            return self._point_by_point(fetches, rows)

    def _grid(self, fetches: Sequence[Tensor], rows: slice) -> Grid:
        first, *more = self.axes
        coordinates = first.values[rows]
        downs, acrosses = {}, {}
        for variable in self.base:
            down = variable in first.direction
            across = bool(more) and variable in more[0].direction
            if down or not across:
                downs[variable.ref] = self._moved(variable, [coordinates], [first])
            if across:
                start = np.zeros_like(self.base[variable]) if down else self.base[variable]
                acrosses[variable.ref] = start + np.multiply.outer(
                    more[0].values, more[0].direction[variable]
                )
        return Grid(
            fetches,
            (downs, len(coordinates)),
            (acrosses, self.shape[1]),
            feeds=self.feeds,
            variables=self.state,
        )

    def at_points(self, fetches: Sequence[Tensor], count: int) -> Callable[[Array], list[Array]]:
        """Fetches as a function of coordinates (points, axes)."""

        def places(points: Array) -> dict[Tensor, Array]:
            return {v.ref: self._moved(v, list(points.T), self.axes) for v in self.base}

        start = places(np.zeros((count, len(self.axes))))
        found = at_points(fetches, start, self.feeds, self.state, self.meter)
        return lambda points: found(places(points))

    def look(self, count: int) -> Callable[[Array], tuple[Array, Array, Array]]:
        """Value (n), slopes (n, axes), curvatures (n, axes, axes) as a function of coordinates (n, axes)."""
        k = len(self.axes)
        if self.curvatures is None:
            return self._by_differences(count)
        evaluate = self.at_points([self.target, *self.slopes, *self.curvatures], count)

        def look(points: Array) -> tuple[Array, Array, Array]:
            value, *others = evaluate(points)
            slopes = np.stack(others[:k], axis=1)
            return value, slopes, np.stack(others[k:], axis=1).reshape(-1, k, k)

        return look

    def _by_differences(self, count: int) -> Callable[[Array], tuple[Array, Array, Array]]:
        evaluate = self.at_points([self.target, *self.slopes], count)

        def look(points: Array) -> tuple[Array, Array, Array]:
            value, *slopes = evaluate(points)
            rows = []
            for place, axis in enumerate(self.axes):
                step = np.zeros(len(self.axes))
                step[place] = STEP * axis.length
                ahead, behind = evaluate(points + step)[1:], evaluate(points - step)[1:]
                rows.append((np.stack(ahead, axis=1) - np.stack(behind, axis=1)) / (2 * step[place]))
            hessian = np.stack(rows, axis=1)
            return value, np.stack(slopes, axis=1), (hessian + hessian.swapaxes(1, 2)) / 2

        return look

    def _along(self, tensor: Tensor) -> list[Tensor]:
        """The derivative of a number along each axis."""
        variables = [v for v in self.base if any(v in axis.direction for axis in self.axes)]
        found = dict(zip(variables, dense_gradients(tensor, variables), strict=True))
        return [self._projected(found, axis.direction) for axis in self.axes]

    def _projected(self, found: Mapping[Variable, Tensor | None], direction: Direction) -> Tensor:
        parts = []
        for variable, along in direction.items():
            slope = found[variable]
            if slope is None:
                continue
            if along.ndim == 0 and along == 1:
                parts.append(slope)
            else:
                parts.append(ops.reduce_sum(slope * convert_to_tensor(along.astype(slope.dtype))))
        if not parts:
            return convert_to_tensor(0.0, dtype=self.target.dtype)
        total: Tensor = sum(parts[1:], parts[0])
        return total

    def _moved(self, variable: Variable, coordinates: Sequence[Array], axes: Sequence[Axis]) -> Array:
        """A variable at these coordinates, (points, *S)."""
        value = self.base[variable]
        moved = np.broadcast_to(value, (len(coordinates[0]), *value.shape)).astype(np.float64)
        for coordinate, axis in zip(coordinates, axes, strict=True):
            if variable in axis.direction:
                moved = moved + np.multiply.outer(coordinate, axis.direction[variable])
        return moved.astype(variable.dtype)

    def _point_by_point(self, fetches: Sequence[Tensor], rows: slice) -> list[Array]:
        first, *more = (axis.values for axis in self.axes)
        grids = np.meshgrid(first[rows], *more, indexing="ij")
        places = np.stack([grid.ravel() for grid in grids], axis=1)
        points = (
            {v.ref: self._moved(v, list(place[:, None]), self.axes)[0] for v in self.base} for place in places
        )
        found = one_by_one(fetches, points, self.feeds, self.state, self.meter)
        return [values.reshape(-1, self.shape[1]) for values in found]
