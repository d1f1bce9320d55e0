"""What the layout makes of a graph: boxes with places, and paths of lines. Lengths are px, y grows downwards.

`frontend/state/pictures/whole_picture.js` writes it; the server runs that module.
"""

from __future__ import annotations

from typing import TypedDict


class Box(TypedDict):
    """A rectangle, from its top-left corner."""

    x: float
    y: float
    width: float
    height: float


class Constant(Box):
    """A constant, drawn as a pill at its consumer; `names` of all nodes that it stands for."""

    names: list[str]
    label: str


class Item(Box):
    """An op, a scope, a tag such as dy/dx, or a quantity or factor of the mathematics.

    kind:    op, scope, tag, quantity or factor.
    phase:   forward, gradient, process or update.
    titleX:  of an open scope: where its title stands, from its left.
    valued:  whether there is room for a value.
    stacked: a closed series of many alike.
    sound:   whether all numbers of its value are finite.
    cells:   the heat strip of a tensor: each from -1 to 1, None where not finite.
    """

    kind: str
    phase: str
    open: bool
    title: str
    label: str
    titleX: float
    valued: bool
    stacked: bool
    value: str
    sound: bool
    cells: list[float | None]
    constants: list[Constant]


class EdgeLabel(TypedDict):
    """A shape or a count at a line; anchor: start, middle or end."""

    text: str
    x: float
    y: float
    anchor: str


class Edge(TypedDict):
    """A line: path in SVG's M, L, C and Q; start, end: whether there is an arrow head."""

    style: str
    path: str
    start: bool
    end: bool
    width: float
    title: str
    label: EdgeLabel | None


class Band(Box):
    """The lane of a gradient call or an optimizer; `part` above 0 where it goes on in another row."""

    name: str
    phase: str
    titleX: float
    part: int


class Ribbon(TypedDict):
    """Joins an op to its gradient."""

    x1: float
    y1: float
    x2: float
    y2: float


class Scene(TypedDict):
    """All that is drawn; open scopes stand before what they hold."""

    page: Box
    items: list[Item]
    edges: list[Edge]
    bands: list[Band]
    ribbons: list[Ribbon]
