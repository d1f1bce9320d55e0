"""W2: gradient descent on y = x² from 3 with rate 0.01; x, y and dy of every step are recorded."""

from __future__ import annotations

from benchmarks.workloads.workload import BEST, COMPILED, IN_PYTHON, Claim, Workload

START = 3.0
RATE = 0.01
STEPS = {"W2-100": 100, "W2-10k": 10_000}
TEXT = "y = x^2"

W2_100 = Workload(
    "W2-100",
    "y = x², gradient descent, 100 steps; x, y, dy of each",
    claims=(
        Claim("cold", BEST, must=1.0, aim=0.5),
        Claim("cold", "SymPy", must=1.0, aim=0.5),  # the only other that begins with text
        Claim("warm", BEST, must=0.35, aim=0.2, ours=COMPILED),
    ),
)
W2_10K = Workload(
    "W2-10k",
    "y = x², gradient descent, 10,000 steps; x, y, dy of each",
    claims=(
        Claim("warm", "CasADi", must=0.4, ours=IN_PYTHON),
        Claim("warm", "SymPy", must=0.6, ours=IN_PYTHON),
        Claim("warm", "JAX, scan", must=None, aim=0.3, ours=COMPILED),
    ),
)


def by_hand(steps: int) -> dict[str, list[float]]:
    """The columns x, y and dy: row k as it is before update k."""
    x = START
    xs, ys, dys = [], [], []
    for _ in range(steps):
        dy = 2.0 * x
        xs.append(x)
        ys.append(x * x)
        dys.append(dy)
        x -= RATE * dy
    return {"x": xs, "y": ys, "dy": dys}
