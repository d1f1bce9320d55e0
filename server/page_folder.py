"""Where the page and the examples lie, and a module of the page without its comments.

Workers load this, so it imports no part of the web service.
"""

from __future__ import annotations

import re
from pathlib import Path

COMMENTS = re.compile(
    rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE
)  # that have lines of their own


def find_folder(name: str) -> Path:
    """Where `frontend` or `examples` lie: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name


def without_comments(module: bytes) -> bytes:
    """A module without the comments that have lines of their own; what is left stays on its line."""
    return COMMENTS.sub(lambda found: b"\n" * found.group().count(b"\n"), module)
