"""Figures as data: axes with series of numbers, titles, limits and legends. Who reads them draws them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array

MOST_FIGURES = 20  # of one program
MOST_AXES = 100  # of one figure
MOST_SERIES = 100  # of one pair of axes
MOST_POINTS = 1_000  # of one series; of more every second, third, … is sent
MOST_CELLS = 64  # along an axis of an image
MOST_NUMBERS = 300_000  # that all figures of a program keep
MOST_LETTERS = 200  # of a title or a label

Json = dict[str, Any]


@dataclass(slots=True)
class Series:
    """One thing that is drawn.

    kind:    line, points, bars, area, image, contour, level (a line across) or text.
    numbers: its columns, by name (`x`, `y`, …); texts: its words, such as the categories of bars.
    look:    colour, dash, marker, width, size, opacity.
    """

    kind: str
    numbers: dict[str, Array]
    look: Json = field(default_factory=dict)
    label: str = ""
    texts: dict[str, list[str]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many numbers it keeps."""
        return sum(array.size for array in self.numbers.values())

    def as_json(self) -> Json:
        """Its columns, thinned where they are long; what is not finite is null."""
        is_grid = "z" in self.numbers
        lengths = [0] if is_grid else [len(array) for array in self.numbers.values()]
        step = max(1, -(-max(lengths, default=0) // MOST_POINTS))
        columns = {name: _json(array if is_grid else array[::step]) for name, array in self.numbers.items()}
        return {
            "kind": self.kind,
            "label": self.label,
            **columns,
            **self.texts,
            **self.look,
            "count": max(lengths, default=0),
            "every": step,
        }


@dataclass(slots=True, eq=False)
class Axes:
    """One pair of axes. place: row, column, and of how many rows and columns."""

    place: tuple[int, int, int, int] = (0, 0, 1, 1)
    series: list[Series] = field(default_factory=list)
    title: str = ""
    labels: dict[str, str] = field(default_factory=lambda: {"x": "", "y": ""})
    scales: dict[str, str] = field(default_factory=lambda: {"x": "linear", "y": "linear"})
    limits: dict[str, list[float | None]] = field(
        default_factory=lambda: {"x": [None, None], "y": [None, None]}
    )
    ticks: dict[str, Any] = field(default_factory=dict)
    has_grid: bool = False
    has_legend: bool = False
    has_frame: bool = True
    is_upside_down: bool = False
    is_equal: bool = False
    colours: int = 0  # of the cycle that have been taken
    left_out: int = 0  # series beyond the most

    def clear(self) -> None:
        """As it was made."""
        fresh = Axes(self.place)
        for name in self.__slots__:
            setattr(self, name, getattr(fresh, name))

    def as_json(self) -> Json:
        """All that is drawn in it."""
        row, column, _, _ = self.place
        return {
            "row": row,
            "column": column,
            "title": self.title,
            "x_label": self.labels["x"],
            "y_label": self.labels["y"],
            "x_scale": self.scales["x"],
            "y_scale": self.scales["y"],
            "x_limits": self.limits["x"],
            "y_limits": self.limits["y"],
            "x_ticks": self.ticks.get("x"),
            "y_ticks": self.ticks.get("y"),
            "grid": self.has_grid,
            "legend": self.has_legend,
            "frame": self.has_frame,
            "upside_down": self.is_upside_down,
            "equal": self.is_equal,
            "series": [one.as_json() for one in self.series],
            "left_out": self.left_out,
        }


@dataclass(slots=True, eq=False)
class Figure:
    """A figure. number: by which `plt.figure(number)` finds it; current: the axes drawn in last."""

    number: int
    axes: list[Axes] = field(default_factory=list)
    title: str = ""
    current: Axes | None = None
    saved: int = 0  # how much was drawn when it was saved

    @property
    def drawn(self) -> int:
        """How much is drawn: 0 where there is nothing to show."""
        return sum(len(one.series) + sum(each.size for each in one.series) for one in self.axes)

    def clear(self) -> None:
        """Without axes."""
        self.axes, self.title, self.current = [], "", None

    def as_json(self, after: int) -> Json:
        """after: how many lines had been printed when it was shown."""
        return {
            "after": after,
            "title": self.title,
            "rows": max((one.place[2] for one in self.axes), default=1),
            "columns": max((one.place[3] for one in self.axes), default=1),
            "axes": [one.as_json() for one in self.axes],
        }


@dataclass(slots=True, eq=False)
class Board:
    """What a run draws: the open figures, and those that were shown, as JSON."""

    open: list[Figure] = field(default_factory=list)
    shown: list[Json] = field(default_factory=list)
    current: Figure | None = None
    numbers: int = 0
    made: int = 0
    left_out: int = 0  # figures beyond the most

    def figure(self) -> Figure:
        """The one that is drawn in, made where there is none."""
        return self.current if self.current is not None else self.start(None)

    def start(self, number: int | None) -> Figure:
        """A new figure, or the open one of that number."""
        known = next((one for one in self.open if number is not None and one.number == number), None)
        if known is None:
            self.made = max(self.made + 1, number or 0)
            known = Figure(self.made if number is None else number)
            self.open.append(known)
        self.current = known
        return known

    def axes(self) -> Axes:
        """The axes that are drawn in, made where there are none."""
        figure = self.figure()
        if figure.current is None:
            figure.current = Axes()
            figure.axes.append(figure.current)
        return figure.current

    def show(self, after: int, only: Figure | None = None) -> None:
        """Show the open figures, and close them: what is drawn next begins anew."""
        for figure in [only] if only is not None else list(self.open):
            self.save(figure, after)
            self.close(figure)

    def save(self, figure: Figure, after: int) -> None:
        """Show a figure, which stays open; not again where nothing was drawn since."""
        if figure.drawn == figure.saved:
            return
        figure.saved = figure.drawn
        if len(self.shown) < MOST_FIGURES:
            self.shown.append(figure.as_json(after))
        else:
            self.left_out += 1

    def close(self, figure: Figure) -> None:
        """Forget a figure."""
        self.open = [one for one in self.open if one is not figure]
        if self.current is figure:
            self.current = self.open[-1] if self.open else None


def _json(array: Array) -> list[Any]:
    if array.ndim > 1:
        return [_json(row) for row in array]
    return [float(f"{one:.7g}") if np.isfinite(one) else None for one in array.tolist()]
