"""The typeface of pictures that hold their letters (`fonts/README.md`), and which letters it has."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.interchange.refusals import not_installed

FOLDER = Path(__file__).parent / "fonts"
FILES = {False: FOLDER / "DejaVuSansCondensed.ttf", True: FOLDER / "DejaVuSansCondensed-Bold.ttf"}
NAMES = {False: "PictureSans", True: "PictureSans-Bold"}


@cache
def typefaces() -> dict[bool, Any]:
    """The regular and the bold one, as reportlab reads them, by whether they are bold.

    Raises: ValueRefused where reportlab is not installed.
    """
    if find_spec("reportlab") is None:
        raise not_installed("A picture with letters in it", "reportlab", "pictures")
    from reportlab.pdfbase.ttfonts import TTFont

    return {bold: TTFont(NAMES[bold], str(file)) for bold, file in FILES.items()}


def has_letter(letter: str) -> bool:
    """Whether both have a letter."""
    return all(ord(letter) in face.face.charToGlyph for face in typefaces().values())
