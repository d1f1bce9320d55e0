"""W3: Adam on Rosenbrock's function from (-1.2, 1), 10,000 steps, every node of every step recorded.

By hand that is the eleven numbers below and the four of Adam's slots. A peer that cannot see into its
own backward pass records what it can; what all are checked by is x, y, the loss and the gradient. (With
ten times the rate it arrives early, and Adam then blows up rounding: two correct programs differ in the
second digit.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from benchmarks.workloads.workload import BEST, COMPILED, IN_PYTHON, Claim, Workload

START = (-1.2, 1.0)
STEPS = 10_000
SETTINGS = RATE, BETA1, BETA2, EPSILON = 0.001, 0.9, 0.999, 1e-8
TEXT = "f = (1 - x)^2 + 100 (y - x^2)^2"
COLUMNS = ("x", "y", "f", "dx", "dy")

W3 = Workload(
    "W3",
    "Rosenbrock, Adam, 10,000 steps; every node of each",
    claims=(
        Claim("cold", BEST, must=1.0, aim=0.5),
        Claim("warm", "CasADi", must=1.25, ours=IN_PYTHON),
        Claim("warm", "SymPy", must=0.6, ours=IN_PYTHON),
        Claim("warm", "JAX, scan", must=None, aim=0.3, ours=COMPILED),
    ),
)

NAMES = (*COLUMNS, "a", "b", "c", "a²", "c²", "dc", "mx", "my", "vx", "vy")


def by_hand() -> list[tuple[float, ...]]:
    """One row a step, as `NAMES` lists them, each as it is before the update.

    Adam's steps stand here again, since a call in each would slow what the others are measured by.
    """
    x, y = START
    mx = my = vx = vy = 0.0
    power1 = power2 = 1.0
    rows: list[tuple[float, ...]] = []
    for _ in range(STEPS):
        a = 1.0 - x
        b = x * x
        c = y - b
        aa = a * a
        cc = c * c
        f = aa + 100.0 * cc
        dc = 200.0 * c
        dx = -2.0 * a - 2.0 * x * dc
        dy = dc
        rows.append((x, y, f, dx, dy, a, b, c, aa, cc, dc, mx, my, vx, vy))
        power1 *= BETA1
        power2 *= BETA2
        rate = RATE * math.sqrt(1.0 - power2) / (1.0 - power1)
        mx += (1.0 - BETA1) * (dx - mx)
        my += (1.0 - BETA1) * (dy - my)
        vx += (1.0 - BETA2) * (dx * dx - vx)
        vy += (1.0 - BETA2) * (dy * dy - vy)
        x -= rate * mx / (math.sqrt(vx) + EPSILON)
        y -= rate * my / (math.sqrt(vy) + EPSILON)
    return rows


def adam_rows(function: Callable[[float, float], Sequence[float]]) -> list[tuple[float, ...]]:
    """The same steps around a function that gives x, y, f, dx, dy and whatever else it knows."""
    x, y = START
    mx = my = vx = vy = 0.0
    power1 = power2 = 1.0
    rows: list[tuple[float, ...]] = []
    for _ in range(STEPS):
        row = function(x, y)
        rows.append((*row, mx, my, vx, vy))
        _, _, _, dx, dy, *_ = row
        power1 *= BETA1
        power2 *= BETA2
        rate = RATE * math.sqrt(1.0 - power2) / (1.0 - power1)
        mx += (1.0 - BETA1) * (dx - mx)
        my += (1.0 - BETA1) * (dy - my)
        vx += (1.0 - BETA2) * (dx * dx - vx)
        vy += (1.0 - BETA2) * (dy * dy - vy)
        x -= rate * mx / (math.sqrt(vx) + EPSILON)
        y -= rate * my / (math.sqrt(vy) + EPSILON)
    return rows


def columns(rows: list[tuple[float, ...]]) -> dict[str, list[float]]:
    """What the result is checked by."""
    return {name: [row[k] for row in rows] for k, name in enumerate(COLUMNS)}
