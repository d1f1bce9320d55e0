"""Fingerprints: whether two computations are the same function of the same inputs, seen at several points.

Each input is moved a little, by an amount that its name and the point decide, and both are computed there.
What agrees at every point is the same function, but for an accident of many digits. A fingerprint has for
each point one number of the whole array, so that it is short however large the array.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array

POINTS = 4  # the first is where the program itself computes
LEAST_POINTS = 2  # beside it, at which two computations have to agree
TOLERANCES = {"float64": 1e-8}  # of the sum of what is added up
TOLERANCE = 1e-4  # float32 has seven digits, of which long computations lose some
STEP, SHIFT = 0.3, 0.2  # how far an input is moved, as a share of it, and besides


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Of one array. shape: without axes of length 1; numbers, sizes: for each point a weighted sum, and that
    of the absolute values, NaN where some element is not finite; tolerance: as a share of a size."""

    shape: tuple[int, ...]
    numbers: tuple[float, ...]
    sizes: tuple[float, ...]
    tolerance: float

    @property
    def varies(self) -> bool:
        """Whether it depends on any input: what does not says nothing about where it comes from."""
        known = [(a, b) for a, b in zip(self.numbers, self.sizes, strict=True) if math.isfinite(a)]
        return any(abs(a - known[0][0]) > self.tolerance * max(b, known[0][1]) for a, b in known[1:])

    def agrees(self, other: Fingerprint) -> bool:
        """Whether both are the same at every point."""
        first, *others = self._same_at(other)
        return first is True and self._do(others) and self.shape == other.shape

    def agrees_at_first(self, other: Fingerprint) -> bool:
        """Whether both are the same where the program itself computes."""
        return self.shape == other.shape and self._same_at(other)[0] is True

    def agrees_nearby(self, other: Fingerprint) -> bool:
        """Whether both are the same wherever inputs are moved, but differ at the start."""
        first, *others = self._same_at(other)
        return first is False and self._do(others) and self.shape == other.shape

    def _do(self, same: Sequence[bool | None]) -> bool:
        return False not in same and same.count(True) >= LEAST_POINTS

    def _same_at(self, other: Fingerprint) -> list[bool | None]:
        """At each point; None where neither is finite."""
        tolerance = max(self.tolerance, other.tolerance)
        found: list[bool | None] = []
        for a, b, size in zip(self.numbers, other.numbers, map(max, self.sizes, other.sizes), strict=False):
            is_unknown = math.isnan(a) and math.isnan(b)
            found.append(None if is_unknown else abs(a - b) <= tolerance * size)
        return found


def plain_name(name: str) -> str:
    """A name as every language may have it: an input is moved alike under each."""
    return re.sub(r"\W", "_", name)


def moved(name: str, value: Array, point: int) -> Array:
    """An input at a point: as it is at the first, larger or smaller at the others. Only floats move."""
    if point == 0 or value.dtype.kind != "f":
        return value
    random = np.random.default_rng([zlib.crc32(plain_name(name).encode()), point])
    share, shift = random.uniform(0.2, 1, (2, *value.shape))
    sign = 1 if point % 2 else -1
    return np.asarray(value + sign * (STEP * share * np.abs(value) + SHIFT * shift), value.dtype)


def fingerprint(arrays: Sequence[Any]) -> Fingerprint | None:
    """The fingerprint of what was computed at each point; None where it has other shapes, or is no number."""
    known = [np.asarray(array) for array in arrays]
    if not known or any(one.dtype.kind not in "fiub" or one.shape != known[0].shape for one in known):
        return None
    weights = np.sin(1.0 + 12.9898 * np.arange(known[0].size))
    weighted = [one.astype(np.float64).reshape(-1) * weights for one in known]
    weighted = [one if np.all(np.isfinite(one)) else np.array(np.nan) for one in weighted]
    return Fingerprint(
        tuple(length for length in known[0].shape if length != 1),
        tuple(float(one.sum()) for one in weighted),
        tuple(float(np.abs(one).sum()) for one in weighted),
        TOLERANCES.get(known[0].dtype.name, TOLERANCE),
    )
