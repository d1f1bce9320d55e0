"""Small scenes, as the layout makes them."""

from __future__ import annotations

from typing import Any

from engine.interchange.picture import Drawing, Scene, drawing_of
from engine.interchange.picture.marks import Text

HOSTILE = """<script>alert("a'b")</script> & ]]> %$#_{}^~\\end{document} \x00\ud800"""


def item(name: str, x: float, **other: Any) -> Any:
    """An op at a place, 80 by 40 px, with the value 3."""
    known = {
        "kind": "op",
        "phase": "forward",
        "open": False,
        "title": name,
        "label": name,
        "titleX": 0,
        "valued": True,
        "stacked": False,
        "value": "3",
        "sound": True,
        "cells": [],
        "constants": [],
        "x": x,
        "y": 0,
        "width": 80,
        "height": 40,
    }
    return known | other


def scene_of(*items: Any, edges: Any = ()) -> Scene:
    """A page of 300 by 100 px with these items and lines."""
    page: Any = {"x": 0, "y": 0, "width": 300, "height": 100}
    return {"page": page, "items": list(items), "edges": list(edges), "bands": [], "ribbons": []}


def edge(path: str, **other: Any) -> Any:
    """A line with a head at its end."""
    known = {"style": "forward", "path": path, "start": False, "end": True, "width": 1, "title": "a → b"}
    return known | {"label": None} | other


def full(name: str = "Sin") -> Scene:
    """Something of everything: each kind and style, with `name` wherever a text can stand."""
    kinds = ("op", "scope", "tag", "quantity", "factor")
    items = [item(name, 100 * place, kind=kind) for place, kind in enumerate(kinds)]
    pill: Any = {"names": [name], "label": name, "x": 20, "y": -26, "width": 40, "height": 17}
    items[0] |= {"constants": [pill], "cells": [1.0, -0.5, None], "sound": False, "value": "⚠ NaN"}
    items[1] |= {"open": True, "phase": "gradient", "titleX": 8}
    items[3] |= {"stacked": True, "phase": "update", "valued": False}
    styles = ("forward", "gradient", "process", "update", "borrowed", "control", "reference")
    label: Any = {"text": name, "x": 50, "y": 60, "anchor": "start"}
    edges = [edge("M0,50L20,50Q28,50 28,58L28,80", style=style, label=label, title=name) for style in styles]
    band: Any = {"name": name, "phase": "gradient", "titleX": 8, "x": 0, "y": 50, "width": 300, "height": 50}
    scene = scene_of(*items, edges=edges)
    scene["bands"].append(band)
    scene["ribbons"].append({"x1": 40, "y1": 40, "x2": 40, "y2": 60})
    return scene


def drawn(scene: Scene, theme: str = "light", title: str = "y = sin(x)") -> Drawing:
    """The picture of a scene."""
    return drawing_of(scene, theme, title)


def texts_of(drawing: Drawing) -> list[str]:
    """All that is written on a picture."""
    return [mark.text for group in drawing.groups for mark in group.marks if isinstance(mark, Text)]
