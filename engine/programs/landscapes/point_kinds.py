"""What kind of point a critical point is: by the Hessian's eigenvalues, else by the values around it.

Coordinates are scaled to the window. An eigenvalue counts as zero that is no larger than rounding, or that
is another one close by: at a triple root, as of (x - 1)³ written out, rounding moves the point to where the
Hessian is small and its sign means nothing.
Where one eigenvalue of two is zero, the surface is ±u² + g(t) in curved coordinates: g is the target along
the curve that has no slope across. Where all are zero, a circle decides.
Source: Gromoll & Meyer (1969), On differentiable functions with isolated critical points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from engine.ops.base.tensors import Array

CIRCLE = 2e-3  # of the window: where values decide what the Hessian leaves open
WIDER = (1, 4, 16)  # times CIRCLE: farther out where all is level nearby, as around x⁸
NARROW = 0.05  # of CIRCLE: where slopes that vanish have become much smaller
ACROSS_TURNS = 12  # of Newton's method, on the way to the curve without slope across
BY_DIFFERENCES = 1e-6  # what rounding makes of the share of an eigenvalue there

Look = Callable[[Array], tuple[Array, Array, Array]]  # value, slopes and Hessian at points (n, axes)


@dataclass(frozen=True, slots=True)
class Kind:
    """Whether values rise or fall around a point.

    name:  minimum, maximum or saddle.
    level: whether somewhere around they do neither, as far as numbers show.
    reach: how far from the point values were looked at, where an eigenvalue is zero and they decide.
    """

    name: str
    level: bool = False
    reach: float = 0.0

    @property
    def degenerate(self) -> bool:
        """Whether an eigenvalue is zero."""
        return self.reach > 0

    @property
    def isolated(self) -> bool:
        """Whether values differ all around; around a saddle they may pass through its own."""
        return not self.level or self.name == "saddle"


@dataclass(frozen=True, slots=True)
class Precision:
    """What rounding leaves open, in shares of what is computed.

    epsilon: of the target's numbers; curvature: of an eigenvalue.
    """

    epsilon: float
    curvature: float

    @classmethod
    def of(cls, dtype: str, *, by_differences: bool) -> Precision:
        """The precision of a target of this type; second derivatives may be differences of the first."""
        epsilon = float(np.finfo(dtype).eps)
        return cls(epsilon, max(epsilon**0.75, BY_DIFFERENCES if by_differences else 0.0))


def kind_of(look: Look, point: Array, spread: float, precision: Precision) -> Kind:
    """The kind of one critical point; `spread`: between the least and the greatest value in the window."""
    axes = np.eye(len(point)) * 30 * np.sqrt(precision.epsilon)
    values, _, hessians = look(point + np.concatenate([np.zeros((1, len(point))), axes, -axes]))
    eigenvalues, vectors = np.linalg.eigh(hessians[0])
    sizes = np.abs(eigenvalues)
    near = np.einsum("nab,aj,bj->nj", hessians, vectors, vectors)
    steady = (np.abs(near - eigenvalues) <= sizes / 2).all(axis=0)
    zero = (sizes <= precision.curvature * max(float(sizes.max()), spread)) | ~steady
    signs = np.where(zero, 0.0, np.sign(eigenvalues))
    if not zero.any():
        return Kind(_name(signs))
    noise = 500 * precision.epsilon * (abs(float(values[0])) + spread * CIRCLE)
    found = []
    for wider in WIDER:
        rises = _rises(look, point, vectors[:, zero], vectors[:, ~zero], CIRCLE * wider) - values[0]
        rises = rises[np.isfinite(rises)]
        found.append(np.concatenate([signs[~zero], np.where(np.abs(rises) <= noise, 0.0, np.sign(rises))]))
        if found[-1].all():
            return Kind(_name(found[-1]), reach=CIRCLE * wider)
    return Kind(_name(found[0]), level=True, reach=CIRCLE)


def smooth(look: Look, points: Array) -> Array:
    """Which of these points are no kinks: slopes get small towards them, and are not 0 only right there."""
    steps = product((-1.0, 0.0, 1.0), repeat=points.shape[1])
    around = np.array([step for step in steps if any(step)])

    def steepest(radius: float) -> Array:
        _, slopes, _ = look((points[:, None] + radius * around).reshape(-1, points.shape[1]))
        return np.asarray(np.abs(slopes).reshape(len(points), -1).max(axis=1))

    return np.asarray(steepest(NARROW * CIRCLE) <= steepest(CIRCLE) / 2)


def _rises(look: Look, point: Array, level: Array, steep: Array, radius: float) -> Array:
    """The target at points all around: in the level directions, and no slope along the steep ones."""
    ring = _circle(level.shape[1]) * radius @ level.T + point
    for _ in range(ACROSS_TURNS if steep.size else 0):
        _, slopes, hessians = look(ring)
        curvatures = np.einsum("nab,aj,bj->nj", hessians, steep, steep)
        with np.errstate(all="ignore"):
            ring = ring - np.clip(slopes @ steep / curvatures, -radius, radius) @ steep.T
    return look(ring)[0]


def _circle(axes: int) -> Array:
    """Unit directions all around, in opposite pairs."""
    if axes == 1:
        return np.array([[-1.0], [1.0]])
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _name(signs: Array) -> str:
    """The name of the kind, by where values go from here: up, down, or both."""
    up, down = bool((signs > 0).any()), bool((signs < 0).any())
    return "saddle" if up and down else "maximum" if down else "minimum"
