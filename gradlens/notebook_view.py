"""`show`: a program, stepped through where it stands in a notebook, without a server.

>>> from gradlens import show
>>> show("y = exp(sin(x))", x=3)
>>> def loss(w, b=0.5):
...     return (w * 2 + b - 1) ** 2
>>> show(loss, w=1.5)
"""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.programs import ProgramRequest
from gradlens.function_source import plain_value, program_of
from gradlens.run import program_limits
from gradlens.saved_page import saved_page

HEIGHT_PX = 560


class View:
    """A page that a notebook shows inline; `page` is its HTML. height: in CSS pixels."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        """A frame that holds the page; Jupyter and its kin ask for this."""
        held = html.escape(self.page)
        return (
            f'<iframe srcdoc="{held}" title="Gradlens" width="100%" height="{self.height}" '
            'style="border: 0" loading="lazy"></iframe>'
        )

    def __repr__(self) -> str:
        """What a terminal shows instead."""
        return f"<gradlens view, {len(self.page):,} characters; in a terminal, save it: .save('view.html')>"

    def save(self, path: str | Path) -> Path:
        """Write the page to a file that any browser opens, without a server. Returns: its path."""
        file = Path(path)
        file.write_text(self.page, encoding="utf-8")
        return file


def show(program: str | Callable[..., Any], *, height: int = HEIGHT_PX, **at: Any) -> View:
    """A program's graph with its gradients, to be stepped through in a notebook.

    program: the text of one, in any dialect; or a Python function of numbers or arrays, which is
             differentiated by its arguments. Its text is read, and run by Gradlens; Python does not call it.
    at:      values of free variables, or of the function's arguments.
    Raises:  ValueError where the function's text cannot be had or needs what it does not hold;
             GradlensError where there is nothing to draw.
    """
    if callable(program):
        request = program_of(program, at)
    else:
        request = ProgramRequest(program, at={name: plain_value(value) for name, value in at.items()})
    return View(saved_page(request, program_limits()), height)
