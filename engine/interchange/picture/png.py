"""A picture as PNG: resvg draws the SVG in letters that come with Gradlens, on every machine alike."""

from __future__ import annotations

from importlib.util import find_spec

from engine.interchange.picture.marks import Drawing, Text
from engine.interchange.picture.refusals import without_letters
from engine.interchange.picture.svg import to_svg
from engine.interchange.picture.typeface import FILES, has_letter
from engine.interchange.refusals import not_installed

SHARP = 2.0  # pixels for a px
MOST_PIXELS = 8000  # on a side


def to_png(drawing: Drawing) -> bytes:
    """The picture in pixels. Raises: ValueRefused where resvg is not installed, or a letter is missing."""
    if find_spec("resvg_py") is None:
        raise not_installed("A PNG", "resvg-py", "pictures")
    from resvg_py import svg_to_bytes

    written = [mark.text for group in drawing.groups for mark in group.marks if isinstance(mark, Text)]
    missing = list(dict.fromkeys(letter for text in written for letter in text if not has_letter(letter)))
    if missing:
        raise without_letters("".join(missing[:10]))
    scale = min(SHARP, MOST_PIXELS / max(drawing.width, drawing.height))
    return bytes(
        svg_to_bytes(
            svg_string=to_svg(drawing).decode(),
            width=round(drawing.width * scale),
            height=round(drawing.height * scale),
            skip_system_fonts=True,
            font_files=[str(file) for file in FILES.values()],
        )
    )
