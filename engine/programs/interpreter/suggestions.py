"""Near misses: the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CLOSE_ENOUGH = 0.7  # of difflib's ratio: "computer_gradients" is 0.97 from "compute_gradients"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to a misspelt one, capitals aside; None where nothing is near."""
    by_folded: dict[str, str] = {}
    for candidate in sorted(known):
        by_folded.setdefault(candidate.casefold(), candidate)
    folded = name.casefold()
    if folded in by_folded:
        return by_folded[folded]
    matches = get_close_matches(folded, by_folded, n=1, cutoff=CLOSE_ENOUGH)
    return by_folded[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str], prefix: str = "") -> tuple[str, str]:
    """The hint in both languages, or two empty strings."""
    found = nearest(name, known)
    if found is None:
        return "", ""
    return f"Did you mean `{prefix}{found}`?", f"是不是想写 `{prefix}{found}`？"
