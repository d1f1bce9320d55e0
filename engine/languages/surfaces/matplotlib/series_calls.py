"""Calls that draw: lines, points, bars, areas, grids, and words in the picture."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.matplotlib import drawing, words
from engine.languages.surfaces.matplotlib.figures import Axes, Series
from engine.languages.surfaces.matplotlib.library import drawn


@drawn("plot")
def plot(interpreter: Interpreter, axes: Axes, *args: Any, **style: Any) -> list[Series]:
    """Lines through points."""
    return drawing.draw_lines(interpreter, axes, "plot", args, style)


@drawn("semilogy")
def semilogy(interpreter: Interpreter, axes: Axes, *args: Any, **style: Any) -> list[Series]:
    """Lines, with y on a logarithmic axis."""
    axes.scales["y"] = "log"
    return drawing.draw_lines(interpreter, axes, "semilogy", args, style)


@drawn("semilogx")
def semilogx(interpreter: Interpreter, axes: Axes, *args: Any, **style: Any) -> list[Series]:
    """Lines, with x on a logarithmic axis."""
    axes.scales["x"] = "log"
    return drawing.draw_lines(interpreter, axes, "semilogx", args, style)


@drawn("loglog")
def loglog(interpreter: Interpreter, axes: Axes, *args: Any, **style: Any) -> list[Series]:
    """Lines, with both axes logarithmic."""
    axes.scales.update(x="log", y="log")
    return drawing.draw_lines(interpreter, axes, "loglog", args, style)


@drawn("scatter")
def scatter(
    interpreter: Interpreter,
    axes: Axes,
    x: Any,
    y: Any,
    s: Any = None,
    c: Any = None,
    marker: Any = None,
    cmap: Any = None,
    norm: Any = None,
    vmin: Any = None,
    vmax: Any = None,
    alpha: Any = None,
    **style: Any,
) -> Series:
    """Points."""
    given = {**style, "marker": marker, "alpha": alpha}
    ends = drawing.ends_of(interpreter, vmin, vmax)
    return drawing.draw_points(interpreter, axes, x, y, s, c, ends, given)


@drawn("bar")
def bar(
    interpreter: Interpreter,
    axes: Axes,
    x: Any,
    height: Any,
    width: Any = 0.8,
    bottom: Any = None,
    **style: Any,
) -> Series:
    """Upright bars."""
    return drawing.draw_bars(interpreter, axes, x, height, width, bottom, style)


@drawn("barh")
def barh(
    interpreter: Interpreter,
    axes: Axes,
    y: Any,
    width: Any,
    height: Any = 0.8,
    left: Any = None,
    **style: Any,
) -> Series:
    """Lying bars."""
    return drawing.draw_bars(interpreter, axes, y, width, height, left, style, lying=True)


@drawn("hist")
def hist(
    interpreter: Interpreter,
    axes: Axes,
    x: Any,
    bins: Any = None,
    range: Any = None,
    density: Any = False,
    cumulative: Any = False,
    orientation: Any = "vertical",
    log: Any = False,
    histtype: Any = "bar",
    rwidth: Any = None,
    **style: Any,
) -> tuple[Any, Any, Any]:
    """How often numbers lie in each bin. Returns: counts, edges and the bars."""
    if log:
        axes.scales["y"] = "log"
    facts = {
        "density": bool(density),
        "cumulative": bool(cumulative),
        "lying": orientation == "horizontal",
    }
    counts, edges = drawing.draw_histogram(interpreter, axes, x, bins, range, style, **facts)
    return counts, edges, axes.series[-1:]


@drawn("fill_between")
def fill_between(
    interpreter: Interpreter, axes: Axes, x: Any, y1: Any, y2: Any = 0, where: Any = None, **style: Any
) -> Series:
    """The area between two lines."""
    return drawing.draw_area(interpreter, axes, x, y1, y2, where, style)


@drawn("imshow", "matshow")
def imshow(
    interpreter: Interpreter,
    axes: Axes,
    X: Any,
    cmap: Any = None,
    norm: Any = None,
    aspect: Any = None,
    interpolation: Any = None,
    alpha: Any = None,
    vmin: Any = None,
    vmax: Any = None,
    origin: Any = None,
    extent: Any = None,
) -> Series:
    """A matrix as cells."""
    ends = drawing.ends_of(interpreter, vmin, vmax)
    found = drawing.draw_image(interpreter, axes, X, extent, origin, ends)
    if aspect == "auto":
        axes.is_equal = False
    return found


@drawn("contour")
def contour(interpreter: Interpreter, axes: Axes, *args: Any, levels: Any = None, **style: Any) -> Series:
    """Lines of equal height."""
    return drawing.draw_contours(interpreter, axes, args, levels, style, filled=False)


@drawn("contourf")
def contourf(interpreter: Interpreter, axes: Axes, *args: Any, levels: Any = None, **style: Any) -> Series:
    """Areas between lines of equal height."""
    return drawing.draw_contours(interpreter, axes, args, levels, style, filled=True)


@drawn("axhline")
def axhline(
    interpreter: Interpreter, axes: Axes, y: Any = 0, xmin: Any = 0, xmax: Any = 1, **style: Any
) -> Series:
    """A line across, at y."""
    return words.add_level(interpreter, axes, "y", y, (xmin, xmax), style)


@drawn("axvline")
def axvline(
    interpreter: Interpreter, axes: Axes, x: Any = 0, ymin: Any = 0, ymax: Any = 1, **style: Any
) -> Series:
    """An upright line, at x."""
    return words.add_level(interpreter, axes, "x", x, (ymin, ymax), style)


@drawn("text")
def text(
    interpreter: Interpreter, axes: Axes, x: Any, y: Any, s: Any, fontdict: Any = None, **style: Any
) -> Series:
    """Words at a place."""
    words.check_text_style("text", style)
    return words.add_words(interpreter, axes, s, x, y, by_share=style.get("transform") is not None)


@drawn("annotate")
def annotate(
    interpreter: Interpreter, axes: Axes, text: Any, xy: Any, xytext: Any = None, **style: Any
) -> Series:
    """Words that belong to a point."""
    words.check_text_style("annotate", style)
    place = xy if xytext is None or style.get("textcoords") is not None else xytext
    return words.add_words(interpreter, axes, text, place[0], place[1], None if place is xy else xy)
