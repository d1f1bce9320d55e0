"""A Jupyter notebook as a file: cells of Markdown and of code, in the format 4.5."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

MEDIA_TYPE = "application/x-ipynb+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell. kind: `markdown` or `code`."""

    kind: str
    text: str


def markdown(*parts: str) -> Cell:
    """A cell of Markdown, an empty line between its parts."""
    return Cell("markdown", "\n\n".join(parts))


def code(text: str) -> Cell:
    """A cell of Python."""
    return Cell("code", text.strip("\n"))


def to_ipynb(cells: Iterable[Cell]) -> bytes:
    """The file; the same cells give the same bytes."""
    notebook = {
        "cells": [_written(place, cell) for place, cell in enumerate(cells, 1)],
        "metadata": {"kernelspec": KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _written(place: int, cell: Cell) -> Mapping[str, Any]:
    own: dict[str, Any] = {"outputs": [], "execution_count": None} if cell.kind == "code" else {}
    lines = cell.text.splitlines(keepends=True)
    return {"cell_type": cell.kind, "id": f"cell-{place}", "metadata": {}, "source": lines, **own}
