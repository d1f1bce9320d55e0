"""The differences that are known: each pattern of programs with its heading in docs/differences.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"
OPEN = Path(__file__).parents[1] / "data" / "compared" / "open.txt"


@dataclass(frozen=True, slots=True)
class Difference:
    """Programs of one recording, or of all, that answer something else, for a reason of the page."""

    pattern: str
    heading: str
    recording: str = ""


DIFFERENCES: tuple[Difference, ...] = (Difference(r"relu\(x\)", "A corner", "formulas"),)


@cache
def still_open() -> frozenset[str]:
    """What was found and is not mended yet: a line for each, the recording before the program."""
    return frozenset(OPEN.read_text(encoding="utf-8").splitlines())


def reason(recording: str, text: str) -> str | None:
    """The heading that speaks of this program's difference, if one does."""
    if f"{recording}: {text}" in still_open():
        return "Found, not mended yet"
    fitting = (each for each in DIFFERENCES if each.recording in ("", recording))
    return next((each.heading for each in fitting if re.search(each.pattern, text)), None)
