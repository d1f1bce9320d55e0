"""What is asked of a landscape: its axes, and what is looked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import GradlensError, ValueRefused
from engine.programs.program.request import RunRequest

MAX_COUNT = 1_000  # points along one axis
DIRECTIONS = ("random", "hessian", "trajectory")


@dataclass(frozen=True, slots=True)
class AxisRequest:
    """One axis (fields as in `POST /landscapes`): a variable's number, or a direction.

    direction: `random`, `hessian` (of steepest curvature) or `trajectory` (along which a run went farthest).
    start, stop: the first and the last coordinate; directions have usual ones.
    """

    count: int
    variable: str | None = None
    index: tuple[int, ...] = ()
    direction: str | None = None
    start: float | None = None
    stop: float | None = None


@dataclass(frozen=True, slots=True)
class LandscapeRequest:
    """Where to look, and what for (fields as in `POST /landscapes`).

    points: whether to look for minima, maxima and saddle points.
    run:    an optimisation whose path is given in the axes' coordinates; `trajectory` directions need one.
    encoding: how grids are written: `lists` of numbers, or `base64` of their bytes.
    """

    axes: tuple[AxisRequest, ...]
    gradient: bool = False
    points: bool = True
    run: RunRequest | None = None
    encoding: str = "lists"


def check_axes(axes: Sequence[AxisRequest]) -> None:
    """Raise ValueRefused where the axes make no sense, whatever the program."""
    if not 1 <= len(axes) <= 2:
        raise ValueRefused(
            f"A landscape has one or two axes, not {len(axes)}.",
            message_zh=f"曲面有一个或两个轴，不能是 {len(axes)} 个。",
            code="bad_axis",
        )
    for axis in axes:
        _check_axis(axis)
    if len({(axis.variable, axis.index) for axis in axes if axis.direction is None}) < sum(
        axis.direction is None for axis in axes
    ):
        raise bad_axis("Both axes are the same variable.", "两个轴是同一个变量。")


def _check_axis(axis: AxisRequest) -> None:
    """Raise ValueRefused where one axis makes no sense by itself."""
    if not 1 <= axis.count <= MAX_COUNT:
        raise bad_axis(
            f"An axis has 1 to {MAX_COUNT:,} points, not {axis.count:,}.",
            f"一个轴可有 1 到 {MAX_COUNT:,} 个点，不能是 {axis.count:,}。",
        )
    if (axis.variable is None) == (axis.direction is None):
        raise bad_axis(
            "An axis is a variable or a direction: give one of the two.",
            "轴是一个变量或一个方向：请给出其中之一。",
        )
    if axis.direction is not None and axis.direction not in DIRECTIONS:
        raise bad_axis(
            f"There is no direction `{axis.direction}`; there are {', '.join(DIRECTIONS)}.",
            f"没有方向 `{axis.direction}`；可用的有 {'、'.join(DIRECTIONS)}。",
        )
    if axis.direction is not None and axis.index:
        raise bad_axis(
            f"The direction `{axis.direction}` moves every number: its axis takes no index.",
            f"方向 `{axis.direction}` 会移动所有的数：它的轴不带下标。",
        )
    if axis.direction is None and (axis.start is None or axis.stop is None):
        raise bad_axis(
            f"The axis of `{axis.variable}` needs `from` and `to`.",
            f"`{axis.variable}` 的轴需要 `from` 和 `to`。",
        )
    if not math.isfinite((axis.stop or 0.0) - (axis.start or 0.0)):
        raise bad_axis(
            f"An axis cannot go from {axis.start} to {axis.stop}: that is too far.",
            f"轴不能从 {axis.start} 到 {axis.stop}：太远了。",
        )


def bad_axis(message: str, message_zh: str) -> GradlensError:
    """An axis that makes no sense."""
    return ValueRefused(message, message_zh=message_zh, code="bad_axis")
