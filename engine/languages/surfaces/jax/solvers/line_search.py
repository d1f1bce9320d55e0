"""A step length along a direction that fulfils the strong Wolfe conditions.

Source: Nocedal & Wright, Numerical optimization (2nd ed., 2006), algorithms 3.5 and 3.6; φ(a) is the function
        at x + a p, and φ'(a) its slope there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

C1, C2 = 1e-4, 0.9  # of the two conditions: enough less, and flat enough
MOST_ZOOMS = 30


@dataclass(slots=True)
class Point:
    """A step length a: φ(a), φ'(a), and the gradient at x + a p."""

    a: Any
    phi: Any
    slope: Any
    gradient: Any


@dataclass(slots=True)
class Found:
    """What a search ends with; calls: how often the function was computed."""

    point: Point
    failed: bool
    calls: int
    status: int = 0


class Search:
    """One search. at: the point of a step length; start: that of no step."""

    def __init__(self, at: Callable[[Any], Point], start: Point) -> None:
        self.at = at
        self.start = start
        self.kind = start.phi.dtype.type

    def is_too_high(self, point: Point) -> bool:
        """φ(a) > φ(0) + c₁ a φ'(0)."""
        bound = self.start.phi + self.kind(C1) * point.a * self.start.slope
        return bool(point.phi > bound)

    def is_flat(self, point: Point) -> bool:
        """|φ'(a)| <= -c₂ φ'(0)."""
        return bool(np.abs(point.slope) <= -self.kind(C2) * self.start.slope)

    def run(self, first: Any, most: int) -> Found:
        """Longer and longer steps, until one fulfils both or an interval holds one that does."""
        before, calls = self.start, 0
        for turn in range(1, most + 1):
            here = self.at(first if turn == 1 else before.a * self.kind(2))
            calls += 1
            if self.is_too_high(here) or (here.phi >= before.phi and turn > 1):
                return self._zoomed(before, here, calls)
            if self.is_flat(here):
                return Found(here, False, calls)
            if here.slope >= 0:
                return self._zoomed(here, before, calls)
            before = here
        return Found(self.start, True, calls, 3)

    def _zoomed(self, low: Point, high: Point, calls: int) -> Found:
        found = self.zoom(low, high)
        return Found(found.point, found.failed, calls + found.calls, int(found.failed))

    def zoom(self, low: Point, high: Point) -> Found:
        """The interval between two steps made smaller, until a step in it fulfils both."""
        kind, calls, start = self.kind, 0, low
        last_a, last_phi = (low.a + high.a) / kind(2), (low.phi + high.phi) / kind(2)
        least = kind(1e-5 if np.dtype(kind).itemsize < 8 else 1e-10)
        failed = False
        while not failed:
            failed = bool(high.a - low.a <= least)  # also where the interval runs backwards
            here = self.at(self._between(low, high, last_a, last_phi, calls > 0))
            calls += 1
            if self.is_too_high(here) or here.phi >= low.phi:
                last_a, last_phi, high = high.a, high.phi, here
            elif self.is_flat(here):
                return Found(here, failed, calls)
            elif here.slope * (high.a - low.a) >= 0:
                last_a, last_phi, low, high = high.a, high.phi, here, low
            else:
                last_a, last_phi, low = low.a, low.phi, here
            failed = failed or calls >= MOST_ZOOMS
        return Found(Point(kind(1), start.phi, start.slope, self.start.gradient), True, calls)

    def _between(self, low: Point, high: Point, last_a: Any, last_phi: Any, has_third: bool) -> Any:
        """The minimum of a cubic or a quadratic through what is known; the middle, if both lie at an end."""
        kind = self.kind
        first, end = min(low.a, high.a), max(low.a, high.a)
        width = high.a - low.a
        cubic = cubic_minimum(low, high, last_a, last_phi)
        if has_third and first + kind(0.2) * width < cubic < end - kind(0.2) * width:
            return cubic
        square = quadratic_minimum(low, high)
        if first + kind(0.1) * width < square < end - kind(0.1) * width:
            return square
        return (low.a + high.a) / kind(2)


def cubic_minimum(low: Point, high: Point, c: Any, phi_c: Any) -> Any:
    """Where the cubic with φ and φ' at one point, and φ at two others, is least."""
    b, c = high.a - low.a, c - low.a
    of_b = high.phi - low.phi - low.slope * b
    of_c = phi_c - low.phi - low.slope * c
    scale = (b * c) ** 2 * (b - c)
    third = (c**2 * of_b - b**2 * of_c) / scale
    second = (-(c**3) * of_b + b**3 * of_c) / scale
    root = np.sqrt(second * second - 3 * third * low.slope)
    return low.a + (-second + root) / (3 * third)


def quadratic_minimum(low: Point, high: Point) -> Any:
    """Where the parabola with φ and φ' at one point, and φ at another, is least."""
    width = high.a - low.a
    second = (high.phi - low.phi - low.slope * width) / width**2
    return low.a - low.slope / (2 * second)
