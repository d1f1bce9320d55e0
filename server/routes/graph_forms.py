"""The forms that a graph is given in, for the routes of programs and of runs."""

from __future__ import annotations

from typing import Any, Literal

from engine.programs.answers.graph_files import MEDIA_TYPES

FILE_NAMES = {
    **{form: f"graph.{form}" for form in ("pbtxt", "pb", "dot", "graphml")},
    "events": "events.out.tfevents.0.gradlens",
}

GraphDetail = Literal["tensorflow", "essentials", "torch", "jax"]
PlainDetail = Literal["tensorflow", "essentials"]
GraphForm = Literal["json", "pbtxt", "pb", "dot", "graphml", "events"]

ANY_FORM: dict[str, Any] = {"content": {kind: {} for kind in sorted(set(MEDIA_TYPES.values()))}}
