"""Where a landscape's axes lie: a program's target along variables or directions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.errors import GradlensError, ProgramError, ValueRefused
from engine.execution.budget import Limits
from engine.graph import Variable
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.request_values import fed
from engine.ops.base.tensors import Array
from engine.programs.landscapes.directions import (
    Viewpoint,
    principal_directions,
    random_directions,
    side_by_side,
    steepest_directions,
)
from engine.programs.landscapes.path import coordinate_along
from engine.programs.landscapes.request import DIRECTIONS, AxisRequest, LandscapeRequest, bad_axis
from engine.programs.landscapes.surface import Axis, Direction, Surface
from engine.programs.program.fixed_shapes import check_fixed_shapes
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import gradient_name
from engine.programs.program.target import chosen_variables, float_target


def surface_of(
    outcome: Outcome, asked: LandscapeRequest, limits: Limits, path: Mapping[str, Array] | None = None
) -> Surface:
    """A program's target along the axes that are asked for, at its variables' initial values.

    path: of the variables by name; the directions of a trajectory are seen from its end.
    """
    target = float_target(outcome, "drawn as a landscape", "画成曲面")
    check_fixed_shapes(outcome.graph)
    meter = Budget(limits)
    feeds = fed(outcome.usual_feeds)
    state = dict(outcome.initialised_session(meter, feeds).variables)
    names = {gradient_name(outcome, v): v for v in chosen_variables(outcome, None)}
    if path is not None:
        state |= {v.node: path[name][-1].astype(v.dtype) for name, v in names.items() if name in path}
    center = {v: state[v.node] for v in names.values()}
    here = Viewpoint(target, center, state, feeds, meter)
    directions = _directions(asked, here, outcome.workspace.seed, path, names)
    axes = [_axis(axis, place, direction, path, center, names)
            for place, (axis, direction) in enumerate(zip(asked.axes, directions, strict=True))]  # fmt: skip
    base = {v: value.astype(np.float64) for v, value in center.items() if any(v in a.direction for a in axes)}
    for axis, direction in zip(asked.axes, directions, strict=True):
        if axis.direction is None:
            for variable, along in direction.items():
                base[variable] = base[variable] * (1 - along)
    return Surface(target, axes, base, {v: name for name, v in names.items()}, state, feeds, meter)


def _directions(
    asked: LandscapeRequest,
    here: Viewpoint,
    seed: int,
    path: Mapping[str, Array] | None,
    names: Mapping[str, Variable],
) -> list[Direction]:
    """One direction for each axis; directions of one kind are the first, the second of that kind."""
    wanted = {kind: sum(axis.direction == kind for axis in asked.axes) for kind in DIRECTIONS}
    if max(wanted.values()) > here.numbers:
        raise _too_few_numbers(here.numbers)
    found: dict[str, list[Direction]] = {}
    if wanted["random"]:
        found["random"] = random_directions(here.center, wanted["random"], seed)
    if wanted["hessian"]:
        found["hessian"] = steepest_directions(here, wanted["hessian"])
    if wanted["trajectory"]:
        if path is None:
            raise _no_run()
        rows = side_by_side([path[name] for name in names])
        found["trajectory"] = principal_directions(rows, here.center, wanted["trajectory"])
    return [
        _one_number(axis, here.center, names) if axis.direction is None else found[axis.direction].pop(0)
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
            passed = coordinate_along(path, direction, center, names)
            margin = 0.1 * (float(np.ptp(passed)) or 1.0)
            low, high = float(passed.min()) - margin, float(passed.max()) + margin
        start, stop = low if start is None else start, high if stop is None else stop
    return Axis(_name(axis, place), direction, np.linspace(start, stop, axis.count))


def _name(axis: AxisRequest, place: int) -> str:
    if axis.direction is not None:
        return f"{axis.direction} {place + 1}"
    return f"{axis.variable}[{', '.join(map(str, axis.index))}]" if axis.index else str(axis.variable)


# -- what does not fit -----------------------------------------------------------------------------------


def _too_few_numbers(numbers: int) -> GradlensError:
    return bad_axis(
        f"The variables hold {numbers} {'number' if numbers == 1 else 'numbers'} in all: "
        f"there are not as many directions among them.",
        f"变量总共只有 {numbers} 个数，没有这么多方向。",
    )


def _no_run() -> GradlensError:
    return bad_axis(
        "The direction `trajectory` needs a `run` whose path it follows.",
        "方向 `trajectory` 需要给出 `run`，即要跟随的优化过程。",
    )


def _unknown_variable(name: str, names: Mapping[str, Variable]) -> GradlensError:
    hint, hint_zh = did_you_mean(name, names)
    return ProgramError(
        f"There is no variable `{name}` for an axis.",
        message_zh=f"没有可作为轴的变量 `{name}`。",
        hint=hint or (f"The variables are: {', '.join(names)}." if names else "The target depends on none."),
        hint_zh=hint_zh or (f"变量有：{'、'.join(names)}。" if names else "目标不依赖任何变量。"),
        code="unknown_variable",
    )


def _no_such_number(axis: AxisRequest, shape: tuple[int, ...]) -> GradlensError:
    if not shape:
        return bad_axis(
            f"`{axis.variable}` is a single number: its axis takes no index.",
            f"`{axis.variable}` 是单个数：它的轴不带下标。",
        )
    return ValueRefused(
        f"`{axis.variable}` has the shape {shape}: an axis takes one of its numbers, by its indices from 0.",
        message_zh=f"`{axis.variable}` 的形状是 {shape}：轴取其中一个数，由从 0 开始的下标指定。",
        hint=f'For example "index": {[0] * len(shape)}.',
        hint_zh=f'例如 "index": {[0] * len(shape)}。',
        code="bad_axis",
    )
