"""What a scenario found: figures, each with what it may be at most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class LeftOut(Exception):
    """This machine does not let a scenario be tried; says why."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `most` is what passes, None where it is only of interest.

    timed: whether it depends on how quick the machine is and on what else it does. The others are counts of
           what must never happen, on any machine.
    """

    name: str
    value: float
    unit: str = ""
    most: float | None = 0
    timed: bool = False

    @property
    def passes(self) -> bool:
        """Whether it is within its bound."""
        return self.most is None or self.value <= self.most

    def __str__(self) -> str:
        bound = "" if self.most is None else f"at most {self.most:g}"
        mark = "" if self.most is None else "ok" if self.passes else "NOT"
        return f"  {self.name:58}{self.value:>10.4g} {self.unit:6}{bound:16}{mark}"


def wrong_counts(figures: Iterable[Figure]) -> list[Figure]:
    """Those that must not be on any machine."""
    return [figure for figure in figures if not figure.timed and not figure.passes]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that so many in a hundred do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))] if ordered else 0.0


def spread(
    what: str, times_s: Sequence[float], most_ms: float | None = None, share: float = 99
) -> list[Figure]:
    """The median, a percentile and the worst of some times, in milliseconds; the percentile has a bound."""
    found = [("median", 50.0, None), (f"p{share:g}", share, most_ms), ("worst", 100.0, None)]
    return [
        Figure(f"{what}, {name}", percentile(times_s, each) * 1000, "ms", most, timed=True)
        for name, each, most in found
    ]
