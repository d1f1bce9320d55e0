"""W1: the gradient of exp(sin(x)) at 3. One call is timed that gives the value and the derivative.

"All node values" also gives every number in between: what a page that shows the graph needs. JAX is asked for
the same numbers; what a call of its compiled gradient takes, whose two results stay with JAX, is an aim.
"""

from __future__ import annotations

import math

from benchmarks.workloads.workload import Claim, Workload

X = 3.0
TEXT = "y = exp(sin(x))"

W1 = Workload(
    "W1",
    "gradient of exp(sin(x)), one call",
    claims=(
        Claim("warm", "SymPy", must=1.6, ours="Gradlens, all node values"),
        Claim("warm", "micrograd", must=1 / 25, ours="Gradlens, all node values"),
        Claim("warm", "JAX, all node values", must=1 / 100, ours="Gradlens, all node values"),
        Claim("warm", "JAX, jit", must=None, aim=1 / 100, ours="Gradlens, all node values"),
        Claim("warm", "SymPy", must=None, aim=1.1, ours="Gradlens, gradient only"),
    ),
)


def by_hand(x: float) -> tuple[float, float]:
    """The value and the derivative."""
    y = math.exp(math.sin(x))
    return y, y * math.cos(x)
