"""The gradient call that a lesson goes through where a program differentiates by rules of its own framework.

PyTorch and JAX leave no visits of a backward sweep in the graph. The lesson goes through the sweep of our
own rules over the same forward nodes, and only where that gives the same numbers: they differ at kinks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine import differentiation
from engine.errors import GradlensError
from engine.languages.workspace import GradientCall

RTOL, ATOL = 1e-4, 1e-6  # float32, computed in another order


def call_by_rules(call: GradientCall) -> GradientCall | None:
    """The same call by our own rules; None where these give other numbers, or have none."""
    try:
        found = differentiation.gradients(list(call.ys), list(call.xs))
    except GradlensError:
        return None
    return replace(call, gradients=tuple(found)) if all(map(_agree, found, call.gradients)) else None


def _agree(ours: Any, theirs: Any) -> bool:
    """Whether two gradients have the same numbers, or are both None."""
    if ours is None or theirs is None:
        return ours is theirs
    a, b = (getattr(each, "array", None) for each in (ours, theirs))
    if a is None or b is None or np.shape(a) != np.shape(b):
        return False
    return bool(np.allclose(a, b, rtol=RTOL, atol=ATOL))
