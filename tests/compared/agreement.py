"""When two printed answers are the same: the same words, and numbers that differ by rounding alone."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import partial

NUMBER = re.compile(r"(?<![A-Za-z_])-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)")
SCALAR = re.compile(r"np\.[a-z]+\d+\(([^()]*)\)")
ROUNDING = 1e-5  # of float32, over a few operations
OF_TYPES = {"float16": 3e-3, "float32": 3e-5, "float64": 1e-9}  # for lines that begin with their type


def numbers_of(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text)]


def words_of(text: str) -> str:
    """All that is no number; a line may be broken elsewhere where a number has another digit."""
    return re.sub(r"[-\d.e+\s]|nan|inf", "", text)


def alike(ours: float, theirs: float, rounding: float = ROUNDING, scale: float = 1.0) -> bool:
    both_nan = math.isnan(ours) and math.isnan(theirs)
    return both_nan or ours == theirs or abs(ours - theirs) <= rounding * max(scale, abs(theirs))


def same_text(ours: str, theirs: str, rounding: float = ROUNDING) -> bool:
    """Whether two texts agree in their words, and in their numbers up to rounding.

    What numpy 2 writes as np.float32(1.5) inside of a list is 1.5, as numpy 1 writes it.
    """
    theirs = SCALAR.sub(r"\1", theirs)
    if ours == theirs:
        return True
    a, b = numbers_of(ours), numbers_of(theirs)
    near = partial(alike, rounding=rounding)
    return words_of(ours) == words_of(theirs) and len(a) == len(b) and all(map(near, a, b))


def same_line(ours: str, theirs: str) -> bool:
    """The same for a line that may begin with the type of its numbers: that type's rounding is allowed."""
    kind = theirs.partition(" ")[0]
    if kind in OF_TYPES and ours.partition(" ")[0] != kind:
        return False
    return same_text(ours, theirs, OF_TYPES.get(kind, ROUNDING))


def same_lines(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    return len(ours) == len(theirs) and all(map(same_line, ours, theirs))
