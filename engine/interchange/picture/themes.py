"""The colours of a picture: those of the page on a light and a dark screen, and on paper in black and white.

`tests/engine/interchange/picture/test_themes.py` compares them with the page's style sheets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """ink and fill: by phase. ink of a line: by its style, too."""

    background: str
    text: str
    muted: str
    line: str
    error: str
    plus: str
    minus: str
    ink: Mapping[str, str]
    fill: Mapping[str, str]


def _theme(colours: str, plus: str, minus: str) -> Theme:
    """From "name colour" pairs, named as in the page's style sheet."""
    words = colours.split()
    named = dict(zip(words[::2], words[1::2], strict=True))
    phases = ("forward", "gradient", "process", "update")
    ink = {phase: named[phase] for phase in phases}
    return Theme(
        background=named["surface"],
        text=named["text"],
        muted=named["muted"],
        line=named["line"],
        error=named["error"],
        plus=plus,
        minus=minus,
        ink=ink | {"borrowed": named["forward"], "reference": named["reference"], "control": named["muted"]},
        fill={phase: named[f"{phase}-fill"] for phase in phases},
    )


LIGHT = _theme(
    """surface #ffffff text #1b2330 muted #586375 line #dfe3ea error #b3261e reference #c76a12
    forward #1f5ea8 forward-fill #eaf2fc gradient #ad2a6d gradient-fill #fcedf5
    process #835b00 process-fill #fcf3dc update #22704a update-fill #e7f5ed""",
    plus="#d9730d",
    minus="#2468b8",
)
DARK = _theme(
    """surface #191f28 text #e4e9f0 muted #9dabbd line #2d3745 error #ff9389 reference #f2a65e
    forward #84b8f5 forward-fill #1a2a40 gradient #f58fbd gradient-fill #3a2031
    process #e5bd5c process-fill #362b13 update #7fd0a2 update-fill #1a3326""",
    plus="#f2a65e",
    minus="#84b8f5",
)
PRINT = _theme(
    """surface #ffffff text #000000 muted #333333 line #999999 error #000000 reference #000000
    forward #000000 forward-fill #ffffff gradient #000000 gradient-fill #ffffff
    process #000000 process-fill #ffffff update #000000 update-fill #ffffff""",
    plus="#000000",
    minus="#999999",
)

THEMES: Mapping[str, Theme] = {"light": LIGHT, "dark": DARK, "print": PRINT}
