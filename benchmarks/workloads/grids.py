"""W7: Rosenbrock's and Himmelblau's function on a grid of 200 x 200 points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.workloads.workload import BY_HAND, Claim, Workload

SIZE = 200
TEXTS = {
    "rosenbrock": "f = (1 - x)^2 + 100 (y - x^2)^2",
    "himmelblau": "f = (x^2 + y - 11)^2 + (x + y^2 - 7)^2",
}
Floats = NDArray[np.float64]

W7 = Workload(
    "W7",
    "Rosenbrock and Himmelblau on 200 x 200 points",
    claims=(
        Claim("warm", f"{BY_HAND}, numpy", must=1.05, aim=0.9),
        Claim("warm", f"{BY_HAND}, reused buffers", must=None, aim=1.05),
    ),
)


def axes() -> tuple[Floats, Floats]:
    """The x of each column (1, 200) and the y of each row (200, 1)."""
    return np.linspace(-5.0, 5.0, SIZE)[None, :], np.linspace(-4.0, 6.0, SIZE)[:, None]


def by_hand(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Both surfaces (200, 200), new at every call."""
    return by_hand_into([np.empty((SIZE, SIZE)) for _ in range(3)], x, y)


def by_hand_into(buffers: Sequence[Floats], x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Both surfaces in two of three buffers: what has one axis stays on it, the rest is written in place."""
    valley, left, right = buffers
    x_squared = x * x
    np.subtract(y, x_squared, out=valley)
    valley *= valley
    valley *= 100.0
    valley += (1.0 - x) ** 2
    np.add(x_squared, y - 11.0, out=left)
    left *= left
    np.add(x - 7.0, y * y, out=right)
    right *= right
    left += right
    return valley, left


def named(surfaces: tuple[Floats, Floats]) -> dict[str, Floats]:
    """The result by names."""
    return dict(zip(TEXTS, surfaces, strict=True))
