"""The bound on the learning rate where the target is quadratic: gradient descent converges below 2/L.

L is the largest curvature, the largest eigenvalue of the Hessian; none may be negative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.ops.base.domains import shown
from engine.ops.base.tensors import Array

MAX_NUMBERS = 16  # numbers in all variables together; each costs one evaluation of the gradient
ROUNDING = 1e-4  # relative size up to which a number counts as zero

Slope = Callable[[Array], Array]  # the gradient at a point, both flat


@dataclass(frozen=True, slots=True)
class Quadratic:
    """A quadratic target with a minimum.

    curvatures: the eigenvalues of its Hessian, ascending. Shape (n,).
    slopes:     the gradient at the start along each of their directions. Shape (n,).
    """

    curvatures: Array
    slopes: Array

    @property
    def largest(self) -> float:
        """L, the largest curvature."""
        return float(self.curvatures[-1])

    def does_not_shrink(self, rate: float) -> bool:
        """Whether the start is off the minimum in a direction in which steps at this rate do not shrink."""
        steep = rate * self.curvatures >= 2 * (1 - 1e-6)
        return bool((np.abs(self.slopes[steep]) > 0).any())


@dataclass(frozen=True, slots=True)
class AffineGradient:
    """A gradient of the form A x + b: b is its value at 0, and A's columns are what unit vectors add to it.

    hessian: A. Shape (n, n).
    at_zero: b. Shape (n,).
    """

    hessian: Array
    at_zero: Array

    @classmethod
    def through(cls, slope: Slope, numbers: int) -> AffineGradient | None:
        """The affine function through a gradient's values; None if A is not symmetric, or x large."""
        if not 0 < numbers <= MAX_NUMBERS:
            return None
        at_zero = slope(np.zeros(numbers))
        hessian = np.array([slope(axis) - at_zero for axis in np.eye(numbers)]).T
        size = float(np.max(np.abs(hessian), initial=0.0))
        return cls(hessian, at_zero) if np.isfinite(size) and _near(hessian, hessian.T, size) else None

    def quadratic(self, start: Array, at_start: Array) -> Quadratic | None:
        """The quadratic whose gradient at the start is `at_start`; None where the gradient is not affine.

        There is a least value where no eigenvalue of A is negative and b has no part along those that are 0.
        """
        size = float(np.max(np.abs(self.hessian), initial=0.0))
        reach = size * float(np.max(np.abs(start))) + float(np.max(np.abs(self.at_zero)))
        if not _near(self.hessian @ start + self.at_zero, at_start, reach):
            return None
        curvatures, directions = np.linalg.eigh((self.hessian + self.hessian.T) / 2)
        flat = np.abs(curvatures) <= ROUNDING * size
        pull = directions.T @ self.at_zero
        level = _near(pull[flat], 0.0, np.abs(pull).max())
        if curvatures[-1] <= 0 or (curvatures[~flat] < 0).any() or not level:
            return None
        slopes = directions.T @ at_start
        return Quadratic(curvatures, np.where(_rounded(slopes, reach), 0.0, slopes))


def quadratic_of(slope: Slope, start: Array) -> Quadratic | None:
    """The quadratic whose gradient this is; None for a saddle, a target without minimum, or many numbers."""
    line = AffineGradient.through(slope, start.size)
    return None if line is None else line.quadratic(start, slope(start))


def _near(left: Array, right: Array | float, size: float) -> bool:
    return bool(np.all(np.abs(left - right) <= ROUNDING * size))


def _rounded(slopes: Array, reach: float) -> Array:
    """Which slopes are no larger than the rounding errors of numbers of this size."""
    small: Array = np.abs(slopes) <= 16 * np.finfo(np.float64).eps * reach
    return small


def rate_note(quadratic: Quadratic, rate: float) -> Diagnostic:
    """What the bound says about a learning rate."""
    bound = 2 / quadratic.largest
    figures = f"L = {shown(quadratic.largest)}", f"2/L = {shown(bound)}"
    verdict, verdict_zh = _verdict(quadratic, rate, bound)
    fits = 0 < rate < bound and not _is(rate, bound)
    return Diagnostic(
        "note" if fits else "warning",
        "rate_bound",
        f"The target is quadratic, its largest curvature {figures[0]}: gradient descent converges for "
        f"learning rates below {figures[1]}. {verdict}",
        f"目标是二次函数，最大曲率 {figures[0]}：学习率小于 {figures[1]} 时梯度下降收敛。{verdict_zh}",
        "" if fits else f"Try {shown(1 / quadratic.largest)}, which is 1/L.",
        "" if fits else f"可以试试 {shown(1 / quadratic.largest)}，即 1/L。",
        rate=None if fits else 1 / quadratic.largest,
    )


def _is(rate: float, bound: float) -> bool:
    return bool(np.isclose(rate, bound, rtol=1e-6, atol=0.0))


def _verdict(quadratic: Quadratic, rate: float, bound: float) -> tuple[str, str]:
    number = shown(rate)
    if rate < 0:
        return f"{number} is negative: each step goes uphill.", f"{number} 是负数：每一步都在上升。"
    if rate == 0:
        return "With 0 nothing moves.", "学习率为 0 时什么也不动。"
    if rate < bound and not _is(rate, bound):
        return f"{number} is below it.", f"{number} 小于界限。"
    if not quadratic.does_not_shrink(rate):
        return (
            f"{number} is not below it; only a start like this one does not show it.",
            f"{number} 不小于界限；只是这样的起点显不出来。",
        )
    if _is(rate, bound):
        return f"{number} is just this bound: it swings for ever.", f"{number} 正是界限：会一直摆动。"
    return f"{number} is above it: it diverges.", f"{number} 超过了界限：会发散。"
