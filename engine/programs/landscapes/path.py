"""A run's path in the coordinates of a landscape's axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.errors import GradlensError, ValueRefused
from engine.execution.budget import Limits
from engine.graph import Variable
from engine.interchange.values import nested_json
from engine.ops.base.tensors import Array
from engine.programs.landscapes.directions import flat, side_by_side
from engine.programs.landscapes.surface import Direction, Surface
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import RunRequest
from engine.programs.runs.optimise import optimise_outcome


def path_of(outcome: Outcome, run: RunRequest, limits: Limits) -> dict[str, Array]:
    """The rows of every variable along a run that are finite. Raises: ValueRefused where there is none."""
    columns = optimise_outcome(outcome, run, limits)["variables"]
    rows = {name: [row for row in column if row is not None] for name, column in columns.items()}
    arrays = {name: np.array(column, dtype=np.float64) for name, column in rows.items()}
    good = np.all([np.isfinite(a.reshape(len(a), -1)).all(axis=1) for a in arrays.values()], axis=0)
    if not good.any():
        raise _no_path()
    return {name: array[good] for name, array in arrays.items()}


def coordinates(path: Mapping[str, Array], surface: Surface) -> dict[str, Any]:
    """A path as coordinates: its nearest points in the plane of the axes."""
    moves = side_by_side([path[surface.names[v]] - value for v, value in surface.base.items()])
    directions = [
        flat([axis.direction.get(v, np.zeros_like(value)) for v, value in surface.base.items()])
        for axis in surface.axes
    ]
    columns = nearest(moves, np.array(directions))
    return {axis.name: nested_json(column) for axis, column in zip(surface.axes, columns, strict=True)}


def nearest(moves: Array, directions: Array) -> Array:
    """Coordinates (axes, rows) of the sums of directions that come nearest to moves (rows, numbers).

    directions: (axes, numbers). Where they are no plane, the shortest of the nearest coordinates.
    """
    lengths = np.linalg.norm(directions, axis=1)
    lengths[lengths == 0] = 1
    units = directions / lengths[:, None]
    found, *_ = np.linalg.lstsq(units @ units.T, units @ moves.T, rcond=None)
    return np.asarray(found / lengths[:, None])


def coordinate_along(
    path: Mapping[str, Array],
    direction: Direction,
    center: Mapping[Variable, Array],
    names: Mapping[str, Variable],
) -> Array:
    """A path's coordinate along one direction through the center."""
    moves = side_by_side([path[name] - center[v] for name, v in names.items()])
    coordinate: Array = nearest(moves, flat([direction[v] for v in names.values()])[None])[0]
    return coordinate


def _no_path() -> GradlensError:
    return ValueRefused(
        "The run has no path: its variables are not finite numbers at any step.",
        message_zh="这次运行没有路径：它的变量在任何一步都不是有限的数。",
        hint="Give it a finite start.",
        hint_zh="请给出有限的起点。",
        code="bad_axis",
    )
