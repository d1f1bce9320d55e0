"""The tables of `matplotlib.pyplot`, and of what its functions give: figures, axes and what is in them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.matplotlib.drawing import board_of
from engine.languages.surfaces.matplotlib.figures import Axes, Figure, Series

PLT = Library("matplotlib.pyplot", borrowed=True)
AXES = members_of(Axes, "Axes", borrowed=True)
FIGURE = members_of(Figure, "Figure", borrowed=True)
DRAWN = members_of(Series, "Artist", borrowed=True)
TYPE_NAMES[Axes] = lambda _: "Axes"
TYPE_NAMES[Figure] = lambda _: "Figure"
TYPE_NAMES[Series] = lambda _: "Artist"


def drawn(*names: str, on_axes: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of axes, as a method of theirs and as one of the module, on the current axes.

    on_axes: what the method is called, where that is another name.
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def on_current(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
            return function(interpreter, board_of(interpreter).axes(), *args, **keywords)

        parameters = list(inspect.signature(function).parameters.values())
        vars(on_current)["__signature__"] = inspect.Signature([parameters[0], *parameters[2:]])
        PLT.function(*names)(on_current)
        AXES.method(*(on_axes.split() or names))(function)
        return function

    return enter
