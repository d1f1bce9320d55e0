"""What `bar` and `barh` give: the bars, each a rectangle with its place and size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items, not_iterable
from engine.languages.interpreter.values import TYPE_NAMES, Ignored
from engine.languages.surfaces.matplotlib.figures import Series

LOOKS = """
    set_color set_facecolor set_edgecolor set_alpha set_hatch set_label set_linewidth set_height set_width
    set_x set_y set_zorder set_visible set_linestyle get_facecolor get_edgecolor get_label get_xy
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its left lower corner, and how far it goes."""

    x: float
    y: float
    width: float
    height: float


MEMBERS = members_of(Bar, "Rectangle", borrowed=True)
MEMBERS.method("get_x")(lambda bar: bar.x)
MEMBERS.method("get_y")(lambda bar: bar.y)
MEMBERS.method("get_width")(lambda bar: bar.width)
MEMBERS.method("get_height")(lambda bar: bar.height)
TYPE_NAMES[Bar] = lambda bar: "Rectangle"


def _look(name: str) -> Callable[[Bar], Ignored]:
    return lambda bar: Ignored(f"Rectangle.{name}")


for name in LOOKS.split():
    MEMBERS.fact(name)(_look(name))


def bars_of(series: Series) -> list[Bar]:
    """The bars, in order. Raises: ProgramError where something else was drawn."""
    if series.kind != "bars":
        raise not_iterable(series)
    thick, lying = series.look["thick"], series.look["lying"]
    rows = zip(*(series.numbers[name].tolist() for name in ("x", "y", "base")), strict=True)
    standing = [Bar(at - thick / 2, base, thick, length) for at, length, base in rows]
    return [Bar(bar.y, bar.x, bar.height, bar.width) for bar in standing] if lying else standing


ITEMS[Series] = Items(
    make=lambda series, key, budget: bars_of(series)[key], count=lambda series: len(bars_of(series))
)
ITERATORS[Series] = bars_of
