"""The forms that a graph is given in, for the routes of programs and of runs."""

from __future__ import annotations

from typing import Any, Literal

from engine.programs.answers.graph_files import MEDIA_TYPES
from engine.programs.answers.picture_files import PICTURE_TYPES

FILE_NAMES = {
    **{form: f"graph.{form}" for form in ("pbtxt", "pb", "dot", "graphml")},
    "events": "events.out.tfevents.0.gradlens",
    **{form: f"graph.{form}" for form in ("svg", "pdf", "png")},
    "tikz": "graph.tex",
}
TYPES = {**MEDIA_TYPES, **PICTURE_TYPES}

GraphDetail = Literal["tensorflow", "essentials", "mathematics", "torch", "jax"]
PlainDetail = Literal["tensorflow", "essentials"]
GraphForm = Literal["json", "pbtxt", "pb", "dot", "graphml", "events", "svg", "pdf", "png", "tikz"]
Theme = Literal["light", "dark", "print"]

ANY_FORM: dict[str, Any] = {"content": {kind: {} for kind in sorted(set(TYPES.values()))}}
