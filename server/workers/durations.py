"""How long work takes: remembered from the last time, else guessed from the program's text."""

from __future__ import annotations

import re

from cachetools import FIFOCache

SHORT_S = 0.1  # work that took no longer the last time is short
REMEMBERED = 20_000  # pieces of work whose duration is known
SHORT_TEXT = 4_000  # characters; of a longer text nothing is guessed

# What makes a short text run for long: loops, training, and thousands of anything.
REPEATS = re.compile(
    r"\b(?:while|for|fit|fit_generator|train_on_batch|evaluate|predict|map_fn|scan|while_loop|fori_loop|minimize)\b"
    r"|(?<![\d.])\d{4,}"
    r"|\*\*\s*\d{2,}"
    r"|\d[eE]\+?\d"
)


class Durations:
    """How long pieces of work, known by a hash, took the last time, of those seen last."""

    def __init__(self) -> None:
        self._seconds: FIFOCache[int, float] = FIFOCache(REMEMBERED)

    def note(self, work: int, seconds: float) -> None:
        """Remember how long it took."""
        self._seconds[work] = seconds

    def is_short(self, *works: int, unless_known: bool = False) -> bool:
        """Whether the first of these of which it is known was short the last time.

        unless_known: what is said where it is known of none.
        """
        seconds = next((self._seconds[work] for work in works if work in self._seconds), None)
        return unless_known if seconds is None else seconds < SHORT_S


def reads_as_short(source: str) -> bool:
    """Whether a program that was never run will probably take no longer than `SHORT_S`.

    A guess: it decides who goes first, never what is allowed. Who guesses wrongly is known the next time.
    """
    return 0 < len(source) <= SHORT_TEXT and not REPEATS.search(source)
