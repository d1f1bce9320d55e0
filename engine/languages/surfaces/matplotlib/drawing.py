"""What is drawn into axes: each call of matplotlib as a series of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Ignored
from engine.languages.surfaces.matplotlib.figures import (
    MOST_CELLS,
    MOST_LETTERS,
    MOST_NUMBERS,
    MOST_SERIES,
    Axes,
    Board,
    Series,
)
from engine.languages.surfaces.matplotlib.styles import is_colour, look_of
from engine.languages.surfaces.numpy.module import to_array
from engine.ops.base.tensors import Array


def board_of(interpreter: Interpreter) -> Board:
    """What this run draws."""
    workspace = interpreter.workspace
    if workspace.board is None:
        workspace.board = Board()
    board: Board = workspace.board
    return board


def column(interpreter: Interpreter, value: Any, what: str) -> Array:
    """One row of numbers. Raises: ProgramError for anything else."""
    if isinstance(value, Ignored):
        raise _no_row(what)
    array = np.asarray(to_array(interpreter, value), np.float64)
    if array.ndim > 1 and array.size != max(array.shape):
        raise _no_row(what)
    return array.reshape(-1)


def grid_of(interpreter: Interpreter, value: Any, what: str) -> Array:
    """A matrix of numbers; of a picture in colours, how light it is. Raises: ProgramError for others."""
    array = np.asarray(to_array(interpreter, value), np.float64)
    if array.ndim == 3 and array.shape[2] in (3, 4):
        array = array[:, :, :3].mean(axis=2)
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if array.ndim != 2 or array.size == 0:
        raise _not_this(
            f"{what} needs a matrix, not an array of shape {array.shape}.",
            f"{what} 需要矩阵，而不是形状为 {array.shape} 的数组。",
        )
    return array


def add(interpreter: Interpreter, axes: Axes, series: Series, cycles: bool = True) -> Series:
    """Draw a series; what has no colour of its own takes the next of the cycle."""
    board = board_of(interpreter)
    if cycles and "colour" not in series.look:
        series.look["colour"] = axes.colours
        axes.colours += 1
    if _goes_on(axes, series):
        return axes.series[-1]
    board.numbers += series.size
    if len(axes.series) >= MOST_SERIES or board.numbers > MOST_NUMBERS:
        axes.left_out += 1
        board.numbers -= series.size
        return series
    series.label = series.label[:MOST_LETTERS]
    axes.series.append(series)
    return series


def _goes_on(axes: Axes, series: Series) -> bool:
    """Whether these are more points of the last series: a loop may draw one at a time."""
    last = axes.series[-1] if axes.series else None
    if last is None or series.kind != "points" or last.kind != "points" or last.label != series.label:
        return False
    if last.numbers.keys() != series.numbers.keys() or last.texts or len(last.numbers["x"]) > 2_000:
        return False
    if {**last.look, "colour": 0} != {**series.look, "colour": 0}:
        return False
    is_own = last.look["colour"] == series.look["colour"] or isinstance(series.look["colour"], int)
    if is_own and len(series.numbers["x"]) <= 1:
        last.numbers = {name: np.append(last.numbers[name], series.numbers[name]) for name in last.numbers}
        return True
    return False


# -- lines and points --------------------------------------------------------------------------------------


def draw_lines(
    interpreter: Interpreter, axes: Axes, function: str, args: Sequence[Any], style: Mapping[str, Any]
) -> list[Series]:
    """`plot(y)`, `plot(x, y)`, `plot(x, y, "r--", x2, y2, …)`; a matrix is a line for each column."""
    found = []
    rest = list(args)
    while rest:
        given = [rest.pop(0)]
        if rest and not isinstance(rest[0], str):
            given.append(rest.pop(0))
        format = rest.pop(0) if rest and isinstance(rest[0], str) else ""
        x, columns, names = _columns(interpreter, given)
        for y in columns:
            look, label = look_of(function, style, format)
            texts = {"categories": names} if names else {}
            found.append(add(interpreter, axes, Series("line", {"x": x, "y": y}, look, label, texts)))
    return found


def _columns(interpreter: Interpreter, given: Sequence[Any]) -> tuple[Array, list[Array], list[str]]:
    """The numbers across, and those of each line."""
    y = np.asarray(to_array(interpreter, given[-1]), np.float64)
    if y.ndim > 2:
        raise _no_row("plot()")
    columns = [y.reshape(-1)] if y.ndim < 2 else list(y.T)
    if len(given) == 1:
        return np.arange(float(len(columns[0]))), columns, []
    x, names = across(interpreter, given[0], "plot()")
    if len(x) != len(columns[0]):
        raise _other_length("plot()", len(x), len(columns[0]))
    return x, columns, names


def across(interpreter: Interpreter, value: Any, what: str) -> tuple[Array, list[str]]:
    """Places along an axis: numbers, or words, which stand side by side."""
    words = list(value) if isinstance(value, (list, tuple)) else [value] if isinstance(value, str) else []
    if words and all(isinstance(one, str) for one in words):
        names = list(dict.fromkeys(str(one)[:MOST_LETTERS] for one in words))
        return np.array([float(names.index(str(one)[:MOST_LETTERS])) for one in words]), names
    array = np.asarray(to_array(interpreter, value), np.float64)
    if array.ndim == 2 and array.shape[1] > 1 and array.shape[0] > 1:
        if not (array == array[:, :1]).all():
            raise _no_row(what)
        array = array[:, 0]  # the same places for each column
    return array.reshape(-1), []


def draw_points(
    interpreter: Interpreter, axes: Axes, x: Any, y: Any, s: Any, c: Any, ends: Any, style: Mapping[str, Any]
) -> Series:
    """`scatter`: s is the area of each point, c its colour, or a number that decides it, between two ends."""
    xs, names = across(interpreter, x, "scatter()")
    numbers = {"x": xs, "y": column(interpreter, y, "scatter()")}
    if len(numbers["x"]) != len(numbers["y"]):
        raise _other_length("scatter()", len(numbers["x"]), len(numbers["y"]))
    given = dict(style)
    if c is not None and not isinstance(c, Ignored):
        values = None if isinstance(c, str) else _values_of(interpreter, c, len(numbers["x"]))
        if values is None:
            given["color"] = c[0] if isinstance(c, (list, tuple)) and all(map(is_colour, c)) else c
        else:
            numbers["value"] = values
    look, label = look_of("scatter", given)
    if "value" in numbers:
        look["ends"] = ends
    if s is not None:
        sizes = column(interpreter, s, "scatter()")
        look["size"] = float(np.sqrt(max(float(sizes[0]), 0.0))) if len(sizes) else 6.0
        if len(sizes) == len(xs) and len(sizes) > 1:
            numbers["size"] = np.sqrt(np.maximum(sizes, 0))
            del look["size"]
    return add(
        interpreter, axes, Series("points", numbers, look, label, {"categories": names} if names else {})
    )


def _values_of(interpreter: Interpreter, c: Any, count: int) -> Array | None:
    """A number for each point, where colours are given so."""
    if isinstance(c, (list, tuple)) and any(isinstance(one, (str, list, tuple)) for one in c):
        return None
    array = np.asarray(to_array(interpreter, c), np.float64)
    return array.reshape(-1) if array.size == count else None


def ends_of(interpreter: Interpreter, low: Any, high: Any) -> list[float | None]:
    """The numbers at which a scale of colours begins and ends; None: where the numbers do."""
    return [None if one is None else float(column(interpreter, one, "vmin")[0]) for one in (low, high)]


# -- bars and areas ----------------------------------------------------------------------------------------


def draw_bars(
    interpreter: Interpreter,
    axes: Axes,
    x: Any,
    height: Any,
    width: Any,
    bottom: Any,
    style: Mapping[str, Any],
    *,
    lying: bool = False,
) -> Series:
    """`bar` and `barh`."""
    function = "barh" if lying else "bar"
    xs, names = across(interpreter, x, f"{function}()")
    heights = column(interpreter, height, f"{function}()")
    heights = np.broadcast_to(heights, xs.shape) if len(heights) == 1 else heights
    if len(xs) != len(heights):
        raise _other_length(f"{function}()", len(xs), len(heights))
    base = np.zeros_like(heights) if bottom is None else column(interpreter, bottom, f"{function}()")
    ticks = style.get("tick_label")
    look, label = look_of(function, {key: one for key, one in style.items() if key != "tick_label"})
    names = [str(one)[:MOST_LETTERS] for one in ticks] if isinstance(ticks, (list, tuple)) else names
    thick = float(np.max(column(interpreter, width, f"{function}()")))
    if style.get("align") == "edge":
        xs = xs + thick / 2
    numbers = {"x": xs, "y": heights, "base": np.broadcast_to(base, heights.shape)}
    look |= {"thick": thick, "lying": lying}
    texts = {"categories": names} if names else {}
    return add(interpreter, axes, Series("bars", numbers, look, label, texts))


def draw_histogram(
    interpreter: Interpreter,
    axes: Axes,
    x: Any,
    bins: Any,
    among: Any,
    style: Mapping[str, Any],
    *,
    density: bool = False,
    cumulative: bool = False,
    lying: bool = False,
) -> tuple[Any, Array]:
    """`hist`: how many numbers lie in each bin. Returns: the counts and the edges."""
    rows = [x]
    if isinstance(x, (list, tuple)) and x and all(isinstance(one, (list, tuple, np.ndarray)) for one in x):
        rows = list(x)
    values = [np.asarray(to_array(interpreter, one), np.float64).reshape(-1) for one in rows]
    edges = _edges(interpreter, np.concatenate(values), bins, among)
    labels = style.get("label")
    found = []
    for place, one in enumerate(values):
        counts = np.histogram(one[np.isfinite(one)], edges, density=density)[0].astype(np.float64)
        if cumulative:
            counts = np.cumsum(counts * np.diff(edges) if density else counts)
        own = {**style, "label": labels[place]} if isinstance(labels, (list, tuple)) else style
        look, label = look_of("hist", own)
        numbers = {"x": (edges[:-1] + edges[1:]) / 2, "y": counts, "base": np.zeros_like(counts)}
        look |= {"thick": float(edges[1] - edges[0]), "lying": lying}
        add(interpreter, axes, Series("bars", numbers, look, label))
        found.append(counts)
    return (found[0] if len(found) == 1 else found), edges


def _edges(interpreter: Interpreter, values: Array, bins: Any, among: Any) -> Array:
    """The edges of the bins: so many, those that are given, or by one of numpy's rules."""
    is_count = bins is None or isinstance(bins, (int, np.integer, str))
    wanted: Any = (10 if bins is None else bins) if is_count else column(interpreter, bins, "hist()")
    finite = values[np.isfinite(values)]
    if among is None:
        return np.histogram_bin_edges(finite, wanted)
    low, high = column(interpreter, among, "hist()")[:2]
    return np.histogram_bin_edges(finite, wanted, (float(low), float(high)))


def draw_area(
    interpreter: Interpreter, axes: Axes, x: Any, y1: Any, y2: Any, where: Any, style: Mapping[str, Any]
) -> Series:
    """`fill_between`; where: at which places there is an area."""
    xs = column(interpreter, x, "fill_between()")
    pair = [np.broadcast_to(column(interpreter, one, "fill_between()"), xs.shape) for one in (y1, y2)]
    if where is not None:
        is_there = column(interpreter, where, "fill_between()").astype(bool)
        pair = [np.where(is_there, one, np.nan) for one in pair]
    look, label = look_of("fill_between", style)
    return add(interpreter, axes, Series("area", {"x": xs, "y": pair[0], "base": pair[1]}, look, label))


# -- grids -------------------------------------------------------------------------------------------------


def draw_image(
    interpreter: Interpreter, axes: Axes, z: Any, extent: Any, origin: Any, ends: list[float | None]
) -> Series:
    """`imshow`: a matrix as cells; row 0 stands at the top."""
    grid = grid_of(interpreter, z, "imshow()")
    rows, columns = grid.shape
    edges = (
        [-0.5, columns - 0.5, rows - 0.5, -0.5]
        if extent is None
        else list(column(interpreter, extent, "imshow()"))
    )
    if origin == "lower" and extent is None:
        edges = [-0.5, columns - 0.5, -0.5, rows - 0.5]
    shown = smaller(grid if origin != "lower" else grid[::-1])
    look = {"extent": [float(one) for one in edges], "cells": [rows, columns], "ends": ends}
    axes.is_equal = extent is None
    return add(interpreter, axes, Series("image", {"z": shown}, look), cycles=False)


def draw_contours(
    interpreter: Interpreter,
    axes: Axes,
    args: Sequence[Any],
    levels: Any,
    style: Mapping[str, Any],
    *,
    filled: bool,
) -> Series:
    """`contour(z)`, `contour(x, y, z)`, each with levels after them."""
    function = "contourf" if filled else "contour"
    given = list(args)
    if len(given) in (2, 4) and levels is None:
        levels = given.pop()
    if len(given) not in (1, 3):
        raise _not_this(f"{function}() takes z, or x, y and z.", f"{function}() 需要 z，或者 x、y 和 z。")
    z = grid_of(interpreter, given[-1], f"{function}()")
    x = np.arange(float(z.shape[1])) if len(given) == 1 else _axis(interpreter, given[0], function, 0)
    y = np.arange(float(z.shape[0])) if len(given) == 1 else _axis(interpreter, given[1], function, 1)
    if z.shape != (len(y), len(x)):
        raise _not_this(
            f"{function}() needs z of the shape {(len(y), len(x))}, not {z.shape}.",
            f"{function}() 需要形状为 {(len(y), len(x))} 的 z，而不是 {z.shape}。",
        )
    chosen = _levels(interpreter, levels, z)
    color = style.get("colors", style.get("color"))
    named = color if isinstance(color, str) else None
    look, label = look_of(function, {"color": named} if named else {})
    steps = [max(1, -(-length // MOST_CELLS)) for length in z.shape]
    numbers = {"x": x[:: steps[1]], "y": y[:: steps[0]], "z": z[:: steps[0], :: steps[1]], "levels": chosen}
    return add(interpreter, axes, Series("contour", numbers, {**look, "filled": filled}, label), cycles=False)


def _axis(interpreter: Interpreter, value: Any, function: str, axis: int) -> Array:
    """The numbers along an axis: a row, or a matrix as of `meshgrid`. Raises: ProgramError for others."""
    array = np.asarray(to_array(interpreter, value), np.float64)
    if array.ndim < 2:
        return array.reshape(-1)
    along = array[0] if axis == 0 else array[:, 0]
    if array.ndim > 2 or not np.array_equal(
        array, np.broadcast_to(along if axis == 0 else along[:, None], array.shape)
    ):
        raise _not_this(
            f"{function}() draws grids as np.meshgrid makes them.",
            f"{function}() 只画 np.meshgrid 那样的网格。",
        )
    return along


def _levels(interpreter: Interpreter, levels: Any, z: Array) -> Array:
    """The heights of the lines: those that are given, or so many between the lowest and the highest."""
    if levels is not None and not isinstance(levels, (int, np.integer)):
        return column(interpreter, levels, "contour()")[:100]
    known = z[np.isfinite(z)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    return np.linspace(low, high, min(int(levels or 7), 100) + 2)[1:-1]


def smaller(grid: Array) -> Array:
    """A matrix of at most MOST_CELLS along each axis, of which every second, third, … number is left."""
    steps = [max(1, -(-length // MOST_CELLS)) for length in grid.shape]
    return grid[:: steps[0], :: steps[1]]


# -- what cannot be drawn ----------------------------------------------------------------------------------


def _no_row(what: str) -> ProgramError:
    return _not_this(f"{what} needs rows of numbers.", f"{what} 需要一行行的数。")


def _other_length(what: str, x: int, y: int) -> ProgramError:
    return _not_this(
        f"{what}: x and y must be as long as each other, but have {x} and {y} numbers.",
        f"{what}：x 和 y 的长度必须相同，但分别有 {x} 和 {y} 个数。",
    )


def _not_this(message: str, message_zh: str) -> ProgramError:
    return ProgramError(message, message_zh=message_zh, code="bad_value", kind="ValueError")
