"""W6: building the graph of a long scalar program and of its gradient, time and memory.

A chain: y = sin(y), y = y x, y = y + 1.5, in turn; a sum: y = y + x. From 1,000 to 100,000 ops. Our graph
makes its nodes when they are looked at; a second row looks at each of them.
"""

from __future__ import annotations

import math

from benchmarks.workloads.workload import Claim, Workload

X = 0.7
SIZES = {"1e3": 1_000, "1e4": 10_000, "1e5": 100_000}
SHAPES = ("chain", "sum")


def _workload(shape: str, size: str) -> Workload:
    tracing = (Claim("cold", "JAX", 1 / 100), Claim("cold", "TensorFlow", 1 / 100))
    largest = (Claim("cold", "micrograd", 0.5, aim=0.3), Claim("memory", "micrograd", 1.0))
    return Workload(
        f"W6-{shape}-{size}",
        f"graph and gradient of a scalar {shape} of {SIZES[size]:,} ops",
        claims=largest if size == "1e5" else tracing,
    )


W6 = tuple(_workload(shape, size) for shape in SHAPES for size in SIZES)


def by_hand(shape: str, ops: int) -> dict[str, float]:
    """The value and the derivative at X, carried along."""
    y, dy = X, 1.0
    for k in range(ops):
        if shape == "sum":
            y, dy = y + X, dy + 1.0
        elif k % 3 == 0:
            y, dy = math.sin(y), math.cos(y) * dy
        elif k % 3 == 1:
            y, dy = y * X, dy * X + y
        else:
            y = y + 1.5
    return {"y": y, "dy": dy}
