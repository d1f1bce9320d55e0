"""Calls about what stands around a drawing: titles, limits, scales, ticks, the legend."""

from __future__ import annotations

from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.matplotlib import words
from engine.languages.surfaces.matplotlib.figures import Axes
from engine.languages.surfaces.matplotlib.library import AXES, drawn


@drawn("title", on_axes="set_title")
def title(interpreter: Interpreter, axes: Axes, label: Any, fontdict: Any = None, **style: Any) -> None:
    """What stands above."""
    words.check_text_style("title", style)
    axes.title = words.text_of(label)


@drawn("xlabel", on_axes="set_xlabel")
def xlabel(interpreter: Interpreter, axes: Axes, xlabel: Any, fontdict: Any = None, **style: Any) -> None:
    """What the numbers across are."""
    words.check_text_style("xlabel", style)
    axes.labels["x"] = words.text_of(xlabel)


@drawn("ylabel", on_axes="set_ylabel")
def ylabel(interpreter: Interpreter, axes: Axes, ylabel: Any, fontdict: Any = None, **style: Any) -> None:
    """What the upright numbers are."""
    words.check_text_style("ylabel", style)
    axes.labels["y"] = words.text_of(ylabel)


@drawn("legend")
def legend(interpreter: Interpreter, axes: Axes, *args: Any, labels: Any = None, **style: Any) -> None:
    """What the series are called."""
    words.set_legend(axes, args, labels)


@drawn("grid")
def grid(
    interpreter: Interpreter,
    axes: Axes,
    visible: Any = None,
    which: Any = "major",
    axis: Any = "both",
    **style: Any,
) -> None:
    """Lines behind the drawing."""
    axes.has_grid = (not axes.has_grid or bool(style)) if visible is None else bool(visible)


@drawn("xlim", on_axes="set_xlim")
def xlim(interpreter: Interpreter, axes: Axes, left: Any = None, right: Any = None) -> Any:
    """What the axis across shows."""
    return words.set_limits(interpreter, axes, "x", left, right)


@drawn("ylim", on_axes="set_ylim")
def ylim(interpreter: Interpreter, axes: Axes, bottom: Any = None, top: Any = None) -> Any:
    """What the upright axis shows."""
    return words.set_limits(interpreter, axes, "y", bottom, top)


@drawn("xscale", on_axes="set_xscale")
def xscale(interpreter: Interpreter, axes: Axes, value: Any, **options: Any) -> None:
    """The scale across."""
    words.set_scale(axes, "x", value)


@drawn("yscale", on_axes="set_yscale")
def yscale(interpreter: Interpreter, axes: Axes, value: Any, **options: Any) -> None:
    """The upright scale."""
    words.set_scale(axes, "y", value)


@drawn("xticks", on_axes="set_xticks")
def xticks(interpreter: Interpreter, axes: Axes, ticks: Any = None, labels: Any = None, **style: Any) -> None:
    """Where numbers or words stand across."""
    words.check_text_style("xticks", style)
    words.set_ticks(interpreter, axes, "x", ticks, labels)


@drawn("yticks", on_axes="set_yticks")
def yticks(interpreter: Interpreter, axes: Axes, ticks: Any = None, labels: Any = None, **style: Any) -> None:
    """Where numbers or words stand upright."""
    words.check_text_style("yticks", style)
    words.set_ticks(interpreter, axes, "y", ticks, labels)


@drawn("axis")
def axis(interpreter: Interpreter, axes: Axes, arg: Any = None) -> Any:
    """What both axes show, and whether they are shown."""
    return words.set_axis(interpreter, axes, arg)


@drawn("cla", on_axes="cla clear")
def cla(interpreter: Interpreter, axes: Axes) -> None:
    """Empty the axes."""
    axes.clear()


@AXES.method("set")
def set_all(interpreter: Interpreter, axes: Axes, **given: Any) -> None:
    """Several of its properties at once."""
    for name, value in given.items():
        method = AXES.methods.get(f"set_{name}")
        if method is None:
            raise _no_property(name)
        method.function(interpreter, axes, value)


@AXES.method("set_aspect")
def set_aspect(axes: Axes, aspect: Any, adjustable: Any = None) -> None:
    """Whether a unit is as long in both directions."""
    axes.is_equal = aspect in ("equal", 1)


@AXES.method("invert_yaxis")
def invert_yaxis(axes: Axes) -> None:
    """Numbers grow downwards."""
    axes.is_upside_down = not axes.is_upside_down


def _no_property(name: str) -> ProgramError:
    known = sorted(one.removeprefix("set_") for one in AXES.methods if one.startswith("set_"))
    return ProgramError(
        f"Axes have no property `{name}` here.",
        message_zh=f"这里坐标轴没有属性 `{name}`。",
        hint=f"They have {', '.join(known)}.",
        hint_zh=f"可以设置：{'、'.join(known)}。",
        code="unknown_argument",
    )
