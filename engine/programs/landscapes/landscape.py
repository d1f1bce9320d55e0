"""The answer of `POST /landscapes`: a program's target over one or two axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import GradlensError, ProgramError, ValueRefused
from engine.execution import Session
from engine.execution.budget import Limits
from engine.graph import Node, Tensor, Variable
from engine.graph.variables import GLOBAL_VARIABLES
from engine.interchange.values import nested_json, number_json
from engine.ops.tensors import FLOATS, Array
from engine.programs.interpreter.budget import Budget
from engine.programs.interpreter.diagnostics import Diagnostic
from engine.programs.interpreter.suggestions import did_you_mean
from engine.programs.landscapes.critical_points import critical_points
from engine.programs.landscapes.directions import (
    flat,
    principal_directions,
    random_directions,
    steepest_directions,
)
from engine.programs.landscapes.surface import Axis, AxisRequest, Direction, Surface
from engine.programs.optimise import check_ran, optimise_outcome
from engine.programs.outcome import Outcome
from engine.programs.races.field import fed
from engine.programs.request import ProgramRequest, RunRequest
from engine.programs.result import gradient_name
from engine.programs.running import run_request
from engine.programs.surfaces.tf1_session import usual_feeds
from engine.programs.target import chosen_variables
from engine.programs.undisturbed import undisturbed

MAX_COUNT = 1_000  # points along one axis
DIRECTIONS = ("random", "hessian", "trajectory")


@dataclass(frozen=True, slots=True)
class LandscapeRequest:
    """Where to look, and what for (fields as in `POST /landscapes`).

    points: whether to look for minima, maxima and saddle points.
    run:    an optimisation whose path is told in the axes' coordinates; `trajectory` directions need one.
    """

    axes: tuple[AxisRequest, ...]
    gradient: bool = False
    points: bool = True
    run: RunRequest | None = None


@undisturbed()
def landscape(request: ProgramRequest, asked: LandscapeRequest, limits: Limits) -> dict[str, Any]:
    """The answer of `POST /landscapes` without its id.

    `values[i][j]` is the target at the i-th coordinate of the first axis and the j-th of the second; with
    one axis `values[i]`. `gradient` is None, or for each axis the slope along it, in the same form.
    Raises: GradlensError where the program stops with a mistake, or the request does not fit it or a budget.
    """
    _check_axes(asked.axes)
    outcome = run_request(request, limits)
    check_ran(outcome)
    path = None
    if asked.run is not None:
        path = _path(run_request(request, limits), asked.run, limits)
    surface = surface_of(outcome, asked, limits, path)
    slopes = surface.slopes if asked.gradient or asked.points else []
    values, *found = surface.over_grid([surface.target, *slopes])
    points = critical_points(surface, values, found) if asked.points else []
    return {
        "target": surface.target.name,
        "axes": [{"variable": axis.name, "values": nested_json(axis.values)} for axis in surface.axes],
        "values": _grid_json(values, surface.axes),
        "gradient": [_grid_json(slope, surface.axes) for slope in found] if asked.gradient else None,
        "extent": _extent(values),
        "points": [point.as_json([axis.name for axis in surface.axes]) for point in points],
        "path": None if path is None else _coordinates(path, surface),
        "diagnostics": [note.as_json() for note in _notes(points)],
    }


def surface_of(
    outcome: Outcome, asked: LandscapeRequest, limits: Limits, path: Mapping[str, Array] | None = None
) -> Surface:
    """A program's target along the axes that are asked for, at its variables' initial values.

    path: of the variables by name; the directions of a trajectory are seen from its end.
    """
    target = _target(outcome)
    meter = Budget(limits)
    feeds = fed(usual_feeds(outcome.workspace, outcome.names, outcome.graph))
    session = Session(outcome.graph, meter=meter, seed=outcome.workspace.seed)
    session.run([v.initializer for v in outcome.graph.collection(GLOBAL_VARIABLES)], feeds)
    state = dict(session.variables)
    names = {gradient_name(outcome, v): v for v in chosen_variables(outcome, None)}
    if path is not None:
        state |= {v.node: path[name][-1].astype(v.dtype) for name, v in names.items() if name in path}
    center = {v: state[v.node] for v in names.values()}
    directions = _directions(asked, target, center, state, feeds, outcome, path, names)
    axes = [_axis(axis, place, direction, path, center, names)
            for place, (axis, direction) in enumerate(zip(asked.axes, directions, strict=True))]  # fmt: skip
    base = {v: value.astype(np.float64) for v, value in center.items() if any(v in a.direction for a in axes)}
    for axis, direction in zip(asked.axes, directions, strict=True):
        if axis.direction is None:
            for variable, along in direction.items():
                base[variable] = base[variable] * (1 - along)
    return Surface(target, axes, base, {v: name for name, v in names.items()}, state, feeds, meter)


# -- the axes --------------------------------------------------------------------------------------------


def _directions(
    asked: LandscapeRequest,
    target: Tensor,
    center: Mapping[Variable, Array],
    state: Mapping[Node, Array],
    feeds: Mapping[Tensor, Array],
    outcome: Outcome,
    path: Mapping[str, Array] | None,
    names: Mapping[str, Variable],
) -> list[Direction]:
    """One direction for each axis; directions of one kind are the first, the second of that kind."""
    wanted = {kind: sum(axis.direction == kind for axis in asked.axes) for kind in DIRECTIONS}
    found: dict[str, list[Direction]] = {}
    if wanted["random"]:
        found["random"] = random_directions(center, wanted["random"], outcome.workspace.seed)
    if wanted["hessian"]:
        found["hessian"] = steepest_directions(target, center, state, feeds, wanted["hessian"])
    if wanted["trajectory"]:
        if path is None:
            raise _no_run()
        rows = np.array(
            [flat([path[name][k] for name in names]) for k in range(len(path[next(iter(names))]))]
        )
        found["trajectory"] = principal_directions(rows, center, wanted["trajectory"])
    return [
        _one_number(axis, center, names) if axis.direction is None else found[axis.direction].pop(0)
        for axis in asked.axes
    ]


def _one_number(
    axis: AxisRequest, center: Mapping[Variable, Array], names: Mapping[str, Variable]
) -> Direction:
    """The direction of one number of a variable."""
    if axis.variable is None or axis.variable not in names:
        raise _unknown_variable(str(axis.variable), names)
    variable = names[axis.variable]
    shape = center[variable].shape
    along = np.zeros(shape)
    if len(axis.index) != len(shape) or any(not 0 <= i < n for i, n in zip(axis.index, shape, strict=True)):
        raise _no_such_number(axis, shape)
    along[axis.index] = 1
    return {variable: along}


def _axis(
    axis: AxisRequest,
    place: int,
    direction: Direction,
    path: Mapping[str, Array] | None,
    center: Mapping[Variable, Array],
    names: Mapping[str, Variable],
) -> Axis:
    start, stop = axis.start, axis.stop
    if start is None or stop is None:
        low, high = -1.0, 1.0
        if path is not None and axis.direction == "trajectory":
            along = _along(path, direction, center, names)
            margin = 0.1 * (float(np.ptp(along)) or 1.0)
            low, high = float(along.min()) - margin, float(along.max()) + margin
        start, stop = low if start is None else start, high if stop is None else stop
    return Axis(_name(axis, place), direction, np.linspace(start, stop, axis.count))


def _name(axis: AxisRequest, place: int) -> str:
    if axis.direction is not None:
        return f"{axis.direction} {place + 1}"
    return f"{axis.variable}[{', '.join(map(str, axis.index))}]" if axis.index else str(axis.variable)


# -- a run's path ----------------------------------------------------------------------------------------


def _path(outcome: Outcome, run: RunRequest, limits: Limits) -> dict[str, Array]:
    """The rows of every variable along a run that are finite."""
    told = optimise_outcome(outcome, run, limits)["variables"]
    rows = {name: [row for row in column if row is not None] for name, column in told.items()}
    arrays = {name: np.array(column, dtype=np.float64) for name, column in rows.items()}
    good = np.all([np.isfinite(a.reshape(len(a), -1)).all(axis=1) for a in arrays.values()], axis=0)
    return {name: array[good] for name, array in arrays.items()}


def _coordinates(path: Mapping[str, Array], surface: Surface) -> dict[str, Any]:
    """A path as coordinates: its nearest points in the plane of the axes."""
    columns = {}
    for axis in surface.axes:
        parts = [
            np.tensordot(path[surface.names[v]] - surface.base[v], along, along.ndim)
            / _square(axis.direction)
            for v, along in axis.direction.items()
        ]
        columns[axis.name] = nested_json(np.asarray(sum(parts)))
    return columns


def _along(
    path: Mapping[str, Array],
    direction: Direction,
    center: Mapping[Variable, Array],
    names: Mapping[str, Variable],
) -> Array:
    parts = [
        np.tensordot(path[name] - center[v], direction[v], direction[v].ndim) for name, v in names.items()
    ]
    return np.asarray(sum(parts)) / _square(direction)


def _square(direction: Direction) -> float:
    return float(sum(np.sum(along * along) for along in direction.values())) or 1.0


# -- the answer ------------------------------------------------------------------------------------------


def _grid_json(values: Array, axes: Sequence[Axis]) -> Any:
    grid = values if len(axes) == 2 else values[:, 0]
    return grid.tolist() if grid.dtype == np.float64 and np.isfinite(grid).all() else nested_json(grid)


def _extent(values: Array) -> dict[str, Any]:
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (np.nan, np.nan)
    return {"min": number_json(low), "max": number_json(high), "not_finite": int(values.size - finite.size)}


def _notes(points: Sequence[Any]) -> list[Diagnostic]:
    if all(point.isolated for point in points):
        return []
    return [
        Diagnostic(
            "note",
            "not_isolated",
            "The slope is zero along whole lines here, so that only some points of them are listed.",
            "这里的斜率沿整条线为零，因此只列出其中一些点。",
        )
    ]


# -- what does not fit -----------------------------------------------------------------------------------


def _target(outcome: Outcome) -> Tensor:
    if outcome.target is None or outcome.target.dtype not in FLOATS:
        raise ProgramError(
            "The program computes nothing that could be drawn as a landscape.",
            message_zh="程序没有计算任何可以画成曲面的量。",
            hint="Write a formula or a loss that depends on a variable.",
            hint_zh="请写一个依赖于变量的公式或损失。",
            code="no_target",
        )
    return outcome.target


def _check_axes(axes: Sequence[AxisRequest]) -> None:
    if not 1 <= len(axes) <= 2:
        raise ValueRefused(
            f"A landscape has one or two axes, not {len(axes)}.",
            message_zh=f"曲面有一个或两个轴，不能是 {len(axes)} 个。",
            code="bad_axis",
        )
    for axis in axes:
        if not 1 <= axis.count <= MAX_COUNT:
            raise _bad_axis(
                f"An axis has 1 to {MAX_COUNT:,} points, not {axis.count:,}.",
                f"一个轴可有 1 到 {MAX_COUNT:,} 个点，不能是 {axis.count:,}。",
            )
        if (axis.variable is None) == (axis.direction is None):
            raise _bad_axis(
                "An axis is a variable or a direction: give one of the two.",
                "轴是一个变量或一个方向：请给出其中之一。",
            )
        if axis.direction is not None and axis.direction not in DIRECTIONS:
            raise _bad_axis(
                f"There is no direction `{axis.direction}`; there are {', '.join(DIRECTIONS)}.",
                f"没有方向 `{axis.direction}`；可用的有 {'、'.join(DIRECTIONS)}。",
            )
        if axis.direction is None and (axis.start is None or axis.stop is None):
            raise _bad_axis(
                f"The axis of `{axis.variable}` needs `from` and `to`.",
                f"`{axis.variable}` 的轴需要 `from` 和 `to`。",
            )
    if len({(axis.variable, axis.index) for axis in axes if axis.direction is None}) < sum(
        axis.direction is None for axis in axes
    ):
        raise _bad_axis("Both axes are the same variable.", "两个轴是同一个变量。")


def _bad_axis(message: str, message_zh: str) -> GradlensError:
    return ValueRefused(message, message_zh=message_zh, code="bad_axis")


def _no_run() -> GradlensError:
    return _bad_axis(
        "The direction `trajectory` needs a `run` whose path it follows.",
        "方向 `trajectory` 需要给出 `run`，即要跟随的优化过程。",
    )


def _unknown_variable(name: str, names: Mapping[str, Variable]) -> GradlensError:
    hint, hint_zh = did_you_mean(name, names)
    return ProgramError(
        f"There is no variable `{name}` for an axis.",
        message_zh=f"没有可作为轴的变量 `{name}`。",
        hint=hint or f"The variables are: {', '.join(names)}.",
        hint_zh=hint_zh or f"变量有：{'、'.join(names)}。",
        code="unknown_variable",
    )


def _no_such_number(axis: AxisRequest, shape: tuple[int, ...]) -> GradlensError:
    return ValueRefused(
        f"`{axis.variable}` has the shape {shape}, so an axis needs {len(shape)} indices within it.",
        message_zh=f"`{axis.variable}` 的形状是 {shape}，因此轴需要其中的 {len(shape)} 个下标。",
        hint=f'For example "index": {[0] * len(shape)}.',
        hint_zh=f'例如 "index": {[0] * len(shape)}。',
        code="bad_axis",
    )
