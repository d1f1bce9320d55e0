"""The degree of what an op makes, as a polynomial, from the degrees of what it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.ops.base.tensors import Node


def doubled(node: Node, degrees: Sequence[float]) -> float:
    """The degree of a square."""
    return 2 * max(degrees)


def of_quotient(node: Node, degrees: Sequence[float]) -> float:
    """Over a constant the degree stays; over anything else there is no polynomial."""
    return degrees[0] if degrees[1] == 0 else math.inf
