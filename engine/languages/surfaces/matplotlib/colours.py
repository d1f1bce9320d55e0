"""`matplotlib.colors`: a colour as shares of red, green and blue, or as its hexadecimal number."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.values import Ignored, Module
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.matplotlib.styles import GREY, TABLEAU, colour_of, no_numbers

COLOURS = Library("matplotlib.colors", borrowed=True)
CYCLE = [number for name, number in TABLEAU.items() if name != "grey"]
ABOUT_LOOKS = """
    ListedColormap LinearSegmentedColormap Normalize LogNorm BoundaryNorm CSS4_COLORS TABLEAU_COLORS
    BASE_COLORS Colormap SymLogNorm TwoSlopeNorm PowerNorm
"""


def _digits(c: Any) -> str:
    """The six digits of a colour. Raises: ProgramError for a name of which only browsers know the numbers."""
    found = colour_of(c)
    number = CYCLE[found % len(CYCLE)] if isinstance(found, int) else found
    if not number.startswith("#"):
        raise no_numbers(number)
    digits = number[1:]
    return "".join(2 * one for one in digits) if len(digits) == 3 else digits


@COLOURS.function("to_rgba")
def to_rgba(c: Any, alpha: Any = None) -> tuple[float, ...]:
    """Shares of red, green and blue from 0 to 1, and how opaque it is."""
    if isinstance(c, (tuple, list)):
        shares = [float(one) for one in c]
    elif isinstance(c, str) and GREY.fullmatch(c):
        shares = [float(c)] * 3
    else:
        digits = _digits(c)
        shares = [int(digits[at : at + 2], 16) / 255 for at in range(0, len(digits), 2)]
    opaque = 1.0 if isinstance(c, str) and (c.startswith("#") or GREY.fullmatch(c)) else 1
    own = shares[3] if len(shares) > 3 else opaque
    return (*shares[:3], own if alpha is None else alpha)


@COLOURS.function("to_rgb")
def to_rgb(c: Any) -> tuple[float, ...]:
    """The same without how opaque it is."""
    return tuple(to_rgba(c)[:3])


@COLOURS.function("to_hex")
def to_hex(c: Any, keep_alpha: Any = False) -> str:
    """`#1f77b4`."""
    return "#" + "".join(f"{round(255 * one):02x}" for one in to_rgba(c)[: 4 if keep_alpha else 3])


def colours_module() -> Module:
    """The module; what else it has is about looks."""
    for name in ABOUT_LOOKS.split():
        COLOURS.value(Ignored(f"matplotlib.colors.{name}"), name)
    return COLOURS.module()
