"""The marks of an item: its outline, its name, its value, its heat strip and its constants.

The shapes are those of the page (`frontend/view/drawing/shapes.js`, `frontend/view/graph.css`): an op is an
ellipse, a scope or quantity a rounded box, a result a flag; what belongs to gradients is dashed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from engine.interchange.picture.marks import Ellipse, Group, Mark, Paint, Rect, Text, path_of
from engine.interchange.picture.scene import Constant, Item
from engine.interchange.picture.themes import Theme

LABEL_PX = 13
SMALL_PX = 12
SCOPE_HEADER = 28
DASHED = (5.0, 3.0)
STRIP_ROOM, STRIP_WIDEST, STRIP_HEIGHT, STRIP_FOOT = 30, 8, 3.5, 2.5


def item_group(item: Item, theme: Theme) -> Group:
    """One item with all that stands at it."""
    marks: list[Mark] = [*_rims(item, theme), _outline(item, _body(item, theme)), *_texts(item, theme)]
    marks += _strip(item, theme)
    for constant in item["constants"]:
        marks += _pill(constant, item, theme)
    names = [name for constant in item["constants"] for name in constant["names"]]
    return Group("\n".join([item["title"], *names]), tuple(marks))


def _body(item: Item, theme: Theme) -> Paint:
    kind, phase = item["kind"], item["phase"]
    ink = theme.ink[phase] if item["sound"] else theme.error
    if kind == "tag":
        return Paint(fill=ink)
    if kind == "factor":
        return Paint(fill=theme.background)  # a text on its line
    fill = theme.background if kind == "op" else theme.fill[phase]
    body = Paint(fill, ink, width=1.5 if item["sound"] else 2.5, dash=DASHED if phase == "gradient" else ())
    return replace(body, fill_opacity=0.55, width=1.25) if item["open"] else body


def _outline(item: Item, paint: Paint) -> Mark:
    x, y, width, height = item["x"], item["y"], item["width"], item["height"]
    if item["kind"] == "op":
        return Ellipse(x + width / 2, y + height / 2, width / 2, height / 2, paint)
    if item["kind"] == "tag":
        right, bottom = x + width, y + height
        corners = f"M{x + 6},{y}H{right - 6}L{right},{y + 6}V{bottom - 6}L{right - 6},{bottom}"
        return path_of(f"{corners}H{x + 6}L{x},{bottom - 6}V{y + 6}Z", paint)
    return Rect(x, y, width, height, 10 if item["open"] else 8, paint)


def _rims(item: Item, theme: Theme) -> Iterator[Mark]:
    """Of what lies behind a closed series."""
    paint = Paint(theme.fill[item["phase"]], theme.ink[item["phase"]])
    for by in (6, 3) if item["stacked"] else ():
        yield Rect(item["x"] + by, item["y"] - by, item["width"] - 2 * by, item["height"], 8, paint)


def _texts(item: Item, theme: Theme) -> Iterator[Text]:
    """The name, and beneath it the value; without one the name stands in the middle."""
    x, y, height = item["x"], item["y"], item["height"]
    ink = theme.ink[item["phase"]]
    if item["open"]:
        left, room = x + item["titleX"], item["width"] - item["titleX"] - 4
        yield Text(left, y + SCOPE_HEADER - 11, item["label"], SMALL_PX, ink, True, "start", room)
        return
    is_tag = item["kind"] == "tag"
    middle, room = x + item["width"] / 2, item["width"] - 4
    has_value = item["valued"] and item["value"] != ""
    below = y + height / 2 + (-3 if has_value else 4)
    colour = theme.background if is_tag else theme.text
    yield Text(middle, below, item["label"], LABEL_PX, colour, room=room)
    if has_value:
        own = theme.background if is_tag else ink if item["sound"] else theme.error
        yield Text(middle, y + height / 2 + 12, item["value"], SMALL_PX, own, True, room=room)


def _strip(item: Item, theme: Theme) -> Iterator[Rect]:
    """The heat strip of a tensor: stronger the larger, of another colour below zero."""
    cells = item["cells"]
    if not cells or item["open"]:
        return
    each = min(STRIP_WIDEST, STRIP_ROOM / len(cells))
    left = item["x"] + item["width"] / 2 - len(cells) * each / 2
    top = item["y"] + item["height"] - STRIP_HEIGHT - STRIP_FOOT
    for place, cell in enumerate(cells):
        colour = theme.error if cell is None else theme.minus if cell < 0 else theme.plus
        strength = 1.0 if cell is None else round(abs(cell), 2)
        paint = Paint(colour, theme.muted, width=0.4, fill_opacity=strength)
        yield Rect(left + place * each, top, each, STRIP_HEIGHT, 0, paint)


def _pill(constant: Constant, item: Item, theme: Theme) -> Iterator[Mark]:
    """A constant: a small pill with its value, and a stalk to its consumer."""
    x, y, width, height = constant["x"], constant["y"], constant["width"], constant["height"]
    stroke = Paint(stroke=theme.muted)
    yield path_of(_stalk(constant, item), stroke)
    yield Rect(x, y, width, height, height / 2, replace(stroke, fill=theme.background))
    baseline = y + height / 2 + 0.34 * SMALL_PX
    yield Text(x + width / 2, baseline, constant["label"], SMALL_PX, theme.muted, room=width - 4)


def _stalk(constant: Constant, item: Item) -> str:
    """From a pill above, beneath or beside an item to the item's outline."""
    left, top = constant["x"], constant["y"]
    right, bottom = left + constant["width"], top + constant["height"]
    x, y = (left + right) / 2, (top + bottom) / 2
    if bottom <= item["y"] or top >= item["y"] + item["height"]:
        dent = _dent(x - item["x"], item["kind"], item["width"], item["height"])
        into = min(max(x, item["x"] + 8), item["x"] + item["width"] - 8)
        if top < item["y"]:
            return f"M{x},{bottom}L{into},{item['y'] + dent}"
        return f"M{x},{top}L{into},{item['y'] + item['height'] - dent}"
    dent = _dent(y - item["y"], item["kind"], item["height"], item["width"])
    into = min(max(y, item["y"] + 6), item["y"] + item["height"] - 6)
    if left < item["x"]:
        return f"M{right},{y}L{item['x'] + dent},{into}"
    return f"M{left},{y}L{item['x'] + item['width'] - dent},{into}"


def _dent(at: float, kind: str, side: float, depth: float) -> float:
    """How far inside its box an ellipse's outline lies, `at` along a side: b (1 - √(1 - t²))."""
    if kind != "op":
        return 0.0
    t = min(0.9, abs(at - side / 2) / (side / 2))
    return depth / 2 * (1 - math.sqrt(1 - t**2))
