"""The console that everything here prints to; rich is an extra of its own."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_IN_A_FILE = 160  # columns, where no terminal says how many it has
INSTALL = "pip install 'gradlens[terminal]'"


def has_rich() -> bool:
    """Whether rich is installed."""
    return find_spec("rich") is not None


def console_for(file: TextIO) -> Console:
    """A console on an open file: in colour, and as wide as the window, where that is a terminal."""
    from rich.console import Console

    width = None if file.isatty() else WIDTH_IN_A_FILE
    return Console(file=file, width=width, highlight=False, soft_wrap=False)
