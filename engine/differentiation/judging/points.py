"""The points at which two formulas are compared, and when two rows of numbers count as equal."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.differentiation.expression import Expression, evaluate
from engine.ops.base.tensors import Array

EACH = 8  # points of each kind
FEWEST = 3  # at which both formulas have a value
NEAR = 0.3  # how far the near points lie, in sizes of the point
FAR = 2.5
LEAST = 0.1  # of the points at which roots and logarithms have values
RELATIVE = 1e-6  # so that a π of seven digits counts
ABSOLUTE = 1e-10

Points = Mapping[str, Array]  # of each letter its value at every point


def points_around(point: Mapping[str, float]) -> Points:
    """The point itself, points near it, on both sides of 0, and points above 0; each time the same."""
    random = np.random.default_rng(0)
    rows: dict[str, Array] = {}
    for letter, value in point.items():
        near = value + NEAR * max(1.0, abs(value)) * random.standard_normal(EACH)
        around = random.uniform(-FAR, FAR, EACH)
        rows[letter] = np.concatenate([[value], near, around, random.uniform(LEAST, FAR, EACH)])
    return rows


def values_at(expression: Expression, points: Points) -> Array:
    """An expression's value at every point; a constant has the same at each."""
    count = len(next(iter(points.values())))
    return np.broadcast_to(np.asarray(evaluate(expression, points), dtype=np.float64), (count,))


def where_finite(points: Points, *rows: Array) -> Points:
    """The points at which all rows are numbers."""
    finite = np.logical_and.reduce([np.isfinite(row) for row in rows])
    return {letter: values[finite] for letter, values in points.items()}


def are_equal(a: Array, b: Array) -> bool:
    """Whether two formulas have the same value at every point."""
    return bool(np.all(equal_at(a, b)))


def equal_at(a: Array, b: Array) -> Array:
    """At which points they have; where one of them is no number, they have not."""
    with np.errstate(all="ignore"):
        close: Array = np.abs(a - b) <= RELATIVE * np.maximum(np.abs(a), np.abs(b)) + ABSOLUTE
    return close & np.isfinite(a) & np.isfinite(b)
