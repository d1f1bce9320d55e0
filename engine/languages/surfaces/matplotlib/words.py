"""What stands around a drawing: titles, limits, scales, ticks, legends, and words in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.matplotlib.drawing import add, column
from engine.languages.surfaces.matplotlib.figures import MOST_LETTERS, Axes, Series
from engine.languages.surfaces.matplotlib.styles import look_of
from engine.languages.surfaces.numpy.module import to_array

SCALES = ("linear", "log", "symlog", "logit")
MOST_TICKS = 200
LOOK_OF_WORDS = """
    bbox color c family fontdict fontfamily fontname fontproperties fontsize fontstyle fontvariant
    fontweight ha horizontalalignment labelpad linespacing loc multialignment pad position rotation
    size style va verticalalignment weight wrap x y transform zorder alpha arrowprops textcoords
    xycoords annotation_clip backgroundcolor clip_on
"""
TEXT_STYLE = frozenset(LOOK_OF_WORDS.split())


def text_of(value: Any) -> str:
    """A text, as far as it is shown."""
    return str(value)[:MOST_LETTERS]


def check_text_style(function: str, style: Mapping[str, Any]) -> None:
    """How words look is passed over. Raises: ProgramError for a keyword that no words have."""
    for name in style:
        if name not in TEXT_STYLE:
            look_of(function, {name: style[name]})


def set_limits(interpreter: Interpreter, axes: Axes, axis: str, low: Any, high: Any) -> tuple[Any, Any]:
    """Set what an axis shows, from one pair or two numbers. Returns: both ends."""
    if isinstance(low, (list, tuple, np.ndarray)) and high is None:
        low, high = low
    ends = axes.limits[axis]
    for place, end in enumerate((low, high)):
        if end is not None:
            ends[place] = float(np.asarray(to_array(interpreter, end), np.float64).reshape(-1)[0])
    return tuple(end if end is not None else _end(axes, axis, place) for place, end in enumerate(ends))  # type: ignore[return-value]  # two


def _end(axes: Axes, axis: str, place: int) -> float:
    """The least or the largest number along an axis."""
    known = [one.numbers[axis] for one in axes.series if axis in one.numbers]
    finite = np.concatenate(
        [array[np.isfinite(array)].reshape(-1) for array in known] or [np.array([0.0, 1.0])]
    )
    if finite.size == 0:
        return float(place)
    return float(finite.min() if place == 0 else finite.max())


def set_scale(axes: Axes, axis: str, scale: Any) -> None:
    """Linear or logarithmic. Raises: ProgramError for a scale that there is not."""
    if scale not in SCALES:
        raise _no_word(f"{axis}scale", scale, SCALES)
    axes.scales[axis] = "log" if scale == "log" else "linear"  # symlog has negative numbers, too


def set_ticks(interpreter: Interpreter, axes: Axes, axis: str, ticks: Any, labels: Any) -> None:
    """Where numbers stand along an axis, and which words in place of them."""
    if ticks is None:
        return
    places = column(interpreter, ticks, f"{axis}ticks()")[:MOST_TICKS] if len(ticks) else np.zeros(0)
    words = [text_of(one) for one in labels][:MOST_TICKS] if isinstance(labels, (list, tuple)) else None
    axes.ticks[axis] = {"at": [float(one) for one in places], "labels": words}


def set_legend(axes: Axes, args: Sequence[Any], labels: Any) -> None:
    """Show the labels; those that are given go to the series in order."""
    names = labels if labels is not None else args[-1] if args else None
    if isinstance(names, (list, tuple)):
        drawn = [one for one in axes.series if one.kind not in ("text", "level")]
        for one, name in zip(drawn, names, strict=False):
            one.label = text_of(name)
    axes.has_legend = True


def set_axis(interpreter: Interpreter, axes: Axes, wanted: Any) -> Any:
    """`axis("off")`, `axis("equal")`, or both limits in a row of four."""
    if isinstance(wanted, str):
        if wanted in ("equal", "square", "scaled", "image"):
            axes.is_equal = True
        elif wanted in ("off", "on"):
            axes.has_frame = wanted == "on"
        elif wanted not in ("auto", "tight"):
            raise _no_word(
                "axis", wanted, ("equal", "off", "on", "tight", "auto", "scaled", "square", "image")
            )
    elif isinstance(wanted, bool):
        axes.has_frame = wanted
    elif wanted is not None:
        ends = column(interpreter, wanted, "axis()")
        set_limits(interpreter, axes, "x", ends[0], ends[1])
        set_limits(interpreter, axes, "y", ends[2], ends[3])
    across = set_limits(interpreter, axes, "x", None, None)
    return (*across, *set_limits(interpreter, axes, "y", None, None))


def add_level(
    interpreter: Interpreter, axes: Axes, axis: str, at: Any, ends: tuple[Any, Any], style: Mapping[str, Any]
) -> Series:
    """A line across the axes, at a number of y or of x. ends: as shares of the other axis."""
    function = "axhline" if axis == "y" else "axvline"
    look, label = look_of(function, style)
    look |= {
        "from": column(interpreter, ends[0], function)[0],
        "to": column(interpreter, ends[1], function)[0],
    }
    look = {key: float(one) if isinstance(one, np.floating) else one for key, one in look.items()}
    return add(interpreter, axes, Series("level", {axis: column(interpreter, at, function)}, look, label))


def add_words(
    interpreter: Interpreter,
    axes: Axes,
    words: Any,
    x: Any,
    y: Any,
    tip: Any = None,
    *,
    by_share: bool = False,
) -> Series:
    """Words at a place, by_share: of the axes; tip: what an arrow from them points to."""
    numbers = {"x": column(interpreter, x, "text()"), "y": column(interpreter, y, "text()")}
    if tip is not None:
        numbers |= {"tip": column(interpreter, tip, "annotate()")}
    look = {"by_share": True} if by_share else {}
    drawn = Series("text", numbers, look, "", {"words": [text_of(words)]})
    return add(interpreter, axes, drawn, cycles=False)


def _no_word(function: str, value: Any, known: Sequence[str]) -> ProgramError:
    shown = f"{quoted(value):.60}" if isinstance(value, str) else type(value).__name__
    return ProgramError(
        f"{function}() does not take {shown}.",
        message_zh=f"{function}() 不能是 {shown}。",
        hint=f"It takes {', '.join(known)}.",
        hint_zh=f"它可以是 {'、'.join(known)}。",
        code="unknown_word",
        kind="ValueError",
    )
