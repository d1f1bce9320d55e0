"""The bound on the learning rate where the target is quadratic: gradient descent converges below 2/L.

L is the largest curvature, the largest eigenvalue of the Hessian.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.ops.tensors import Array
from engine.programs.interpreter.diagnostics import Diagnostic

MAX_NUMBERS = 16  # numbers in all variables together; each costs one evaluation of the gradient
PROBE = 0.5  # how far from the start the gradient is looked at
LINEAR = 1e-4  # relative difference up to which a gradient counts as linear

Slope = Callable[[Array], Array]  # the gradient at a point, both flat


def largest_curvature(slope: Slope, start: Array) -> float | None:
    """L at a point where the gradient is linear, so that the target is quadratic; None where it is not."""
    if not 0 < start.size <= MAX_NUMBERS:
        return None
    at_start = slope(start)
    hessian = np.array([(slope(start + PROBE * axis) - at_start) / PROBE for axis in np.eye(start.size)])
    scale = float(np.max(np.abs(hessian), initial=0.0))
    far = -3.0 * PROBE * np.arange(1.0, start.size + 1)
    expected = at_start + hessian.T @ far
    size = scale * float(np.max(np.abs(far))) + float(np.max(np.abs(at_start)))
    if not np.isfinite(scale) or not np.allclose(slope(start + far), expected, rtol=0, atol=LINEAR * size):
        return None
    return float(np.linalg.eigvalsh((hessian + hessian.T) / 2)[-1])


def rate_note(curvature: float, rate: float) -> Diagnostic:
    """What the bound says of a learning rate."""
    bound = 2 / curvature
    figures = f"L = {curvature:.4g}", f"2/L = {bound:.4g}"
    verdict, verdict_zh = _verdict(rate, bound)
    return Diagnostic(
        "note" if rate < bound else "warning",
        "rate_bound",
        f"The target is quadratic, its largest curvature {figures[0]}: gradient descent converges for "
        f"learning rates below {figures[1]}. {verdict}",
        f"目标是二次函数，最大曲率 {figures[0]}：学习率小于 {figures[1]} 时梯度下降收敛。{verdict_zh}",
        "" if rate < bound else f"Try {1 / curvature:.4g}, which is 1/L.",
        "" if rate < bound else f"可以试试 {1 / curvature:.4g}，即 1/L。",
    )


def _verdict(rate: float, bound: float) -> tuple[str, str]:
    if np.isclose(rate, bound, rtol=1e-6):
        return f"{rate:.4g} is just this bound: it swings for ever.", f"{rate:.4g} 正是界限：会一直摆动。"
    if rate > bound:
        return f"{rate:.4g} is above it: it diverges.", f"{rate:.4g} 超过了界限：会发散。"
    return f"{rate:.4g} is below it.", f"{rate:.4g} 小于界限。"
