"""The forms that a graph is given in, for the routes of programs and of runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Depends, Query
from pydantic import Field, StringConstraints

from engine.programs.answers.graph_files import MEDIA_TYPES
from engine.programs.answers.picture_files import PICTURE_TYPES, Look

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
Direction = Literal["right", "down", "up"]
Scopes = Annotated[list[Annotated[str, StringConstraints(max_length=1000)]], Field(max_length=200)]

ANY_FORM: dict[str, Any] = {"content": {kind: {} for kind in sorted(set(TYPES.values()))}}


def look_asked(
    form: Annotated[GraphForm, Query(alias="format")] = "json",
    theme: Annotated[Theme, Query(description="Of a picture; `print` is black and white.")] = "light",
    direction: Annotated[Direction, Query(description="In which a picture's forward graph runs.")] = "right",
    opened: Annotated[
        Scopes | None,
        Query(alias="open", description="Scopes that are open in a picture; `*` for all, empty for none."),
    ] = None,
) -> Look:
    """The form of a graph that is asked for, in TensorFlow's detail."""
    scopes = None if opened is None else tuple(name for name in opened if name)
    return Look("tensorflow", form, theme, direction, scopes)


LookAsked = Annotated[Look, Depends(look_asked)]
