"""Calls about whole figures: making, arranging, showing and closing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Ignored
from engine.languages.surfaces.matplotlib import words
from engine.languages.surfaces.matplotlib.axes_grid import AxesGrid
from engine.languages.surfaces.matplotlib.drawing import board_of
from engine.languages.surfaces.matplotlib.figures import MOST_AXES, Axes, Figure
from engine.languages.surfaces.matplotlib.library import AXES, FIGURE, PLT


@PLT.function("figure")
def figure(interpreter: Interpreter, num: Any = None, **options: Any) -> Figure:
    """A new figure, or the one of that number."""
    return board_of(interpreter).start(int(num) if isinstance(num, (int, np.integer)) else None)


def axes_at(figure: Figure, rows: int, columns: int, index: int) -> Axes:
    """The axes at a place of a figure, made where there are none. Raises: ProgramError for no such place."""
    if not (rows >= 1 and columns >= 1 and 1 <= index <= rows * columns <= MOST_AXES):
        raise ProgramError(
            f"There is no place {index} in {rows} × {columns} axes.",
            message_zh=f"{rows} × {columns} 个坐标系中没有第 {index} 个位置。",
            hint=f"Places are counted from 1, and a figure has {MOST_AXES} at most.",
            hint_zh=f"位置从 1 数起，一个图最多有 {MOST_AXES} 个坐标系。",
            code="bad_value",
            kind="ValueError",
        )
    place = ((index - 1) // columns, (index - 1) % columns, rows, columns)
    found = next((one for one in figure.axes if one.place == place), None)
    if found is None:
        found = Axes(place)
        figure.axes.append(found)
    figure.current = found
    return found


def _place(args: tuple[Any, ...]) -> tuple[int, int, int]:
    """`(2, 1, 1)`, `(211)` or nothing, which is the whole figure."""
    given = [int(one) for one in args if isinstance(one, (int, np.integer))]
    if len(given) == 1 and 100 <= given[0] <= 999:
        given = [int(digit) for digit in str(given[0])]
    return (given[0], given[1], given[2]) if len(given) == 3 else (1, 1, 1)


def _is_flat(options: Mapping[str, Any]) -> bool:
    """Whether axes have two straight dimensions, as all have that are drawn here."""
    inner = options.get("subplot_kw")
    chosen = {**options, **inner} if isinstance(inner, dict) else options
    return chosen.get("projection") in (None, "rectilinear") and not chosen.get("polar")


NOT_FLAT = Ignored("plt.axes(projection=…)")


@PLT.function("subplot")
def subplot(interpreter: Interpreter, *args: Any, **options: Any) -> Any:
    """The axes at a place, to be drawn in."""
    return add_subplot(board_of(interpreter).figure(), *args, **options)


@FIGURE.method("add_subplot")
def add_subplot(figure: Figure, *args: Any, **options: Any) -> Any:
    """The same of one figure."""
    return axes_at(figure, *_place(args)) if _is_flat(options) else NOT_FLAT


@FIGURE.method("gca", "add_axes")
def gca_of(figure: Figure, *args: Any, **options: Any) -> Any:
    """Its current axes."""
    if not _is_flat(options):
        return NOT_FLAT
    return figure.current if figure.current is not None else axes_at(figure, 1, 1, 1)


@PLT.function("axes")
def axes_of(interpreter: Interpreter, *args: Any, **options: Any) -> Any:
    """Axes in the whole of the figure."""
    return gca_of(board_of(interpreter).figure(), *args, **options)


@PLT.function("subplots")
def subplots(
    interpreter: Interpreter,
    nrows: Any = 1,
    ncols: Any = 1,
    sharex: Any = False,
    sharey: Any = False,
    squeeze: Any = True,
    **options: Any,
) -> tuple[Figure, Any]:
    """A figure with axes in rows and columns."""
    figure = board_of(interpreter).start(None)
    if not _is_flat(options):
        return figure, NOT_FLAT
    return figure, _arranged(figure, int(nrows), int(ncols), squeeze=bool(squeeze))


@FIGURE.method("subplots")
def subplots_of(
    figure: Figure,
    nrows: Any = 1,
    ncols: Any = 1,
    sharex: Any = False,
    sharey: Any = False,
    squeeze: Any = True,
) -> Any:
    """Axes in rows and columns."""
    return _arranged(figure, int(nrows), int(ncols), squeeze=bool(squeeze))


def _arranged(figure: Figure, rows: int, columns: int, *, squeeze: bool) -> Any:
    """Axes as matplotlib hands them out: one alone, a row, or a matrix of them."""
    made = [axes_at(figure, rows, columns, place + 1) for place in range(max(0, rows * columns))]
    if not made:
        axes_at(figure, rows, columns, 1)  # which refuses
    figure.current = made[-1]
    if squeeze and len(made) == 1:
        return made[0]
    is_row = squeeze and 1 in (rows, columns)
    return AxesGrid((len(made),) if is_row else (rows, columns), tuple(made))


@PLT.function("show")
def show(interpreter: Interpreter, *args: Any, block: Any = None) -> None:
    """Show the open figures here, after what was printed so far."""
    board_of(interpreter).show(len(interpreter.printed))


@FIGURE.method("show")
def show_one(interpreter: Interpreter, figure: Figure, warn: Any = True) -> None:
    """Show this figure."""
    board_of(interpreter).show(len(interpreter.printed), figure)


@PLT.function("close")
def close(interpreter: Interpreter, fig: Any = None) -> None:
    """Forget the current figure, one of them, or all."""
    board = board_of(interpreter)
    if fig == "all":
        board.open, board.current = [], None
        return
    wanted = fig if isinstance(fig, Figure) else board.current
    if isinstance(fig, (int, np.integer)):
        wanted = next((one for one in board.open if one.number == int(fig)), None)
    if wanted is not None:
        board.close(wanted)


@PLT.function("savefig")
def savefig(interpreter: Interpreter, fname: Any, **options: Any) -> None:
    """No file is written; the figure stands in the output here."""
    board = board_of(interpreter)
    board.save(board.figure(), len(interpreter.printed))


@FIGURE.method("savefig")
def savefig_of(interpreter: Interpreter, figure: Figure, fname: Any, **options: Any) -> None:
    """The same of one figure."""
    board_of(interpreter).save(figure, len(interpreter.printed))


@PLT.function("clf")
def clf(interpreter: Interpreter) -> None:
    """Empty the figure."""
    board_of(interpreter).figure().clear()


@FIGURE.method("clf", "clear")
def clf_of(figure: Figure, keep_observers: Any = False) -> None:
    """Empty it."""
    figure.clear()


@PLT.function("suptitle")
def suptitle(interpreter: Interpreter, t: Any, **style: Any) -> None:
    """What stands above the whole figure."""
    words.check_text_style("suptitle", style)
    board_of(interpreter).figure().title = words.text_of(t)


@FIGURE.method("suptitle")
def suptitle_of(figure: Figure, t: Any, **style: Any) -> None:
    """The same of one figure."""
    words.check_text_style("suptitle", style)
    figure.title = words.text_of(t)


@PLT.function("gcf")
def gcf(interpreter: Interpreter) -> Figure:
    """The figure that is drawn in."""
    return board_of(interpreter).figure()


@PLT.function("gca")
def gca(interpreter: Interpreter, **options: Any) -> Any:
    """The axes that are drawn in."""
    return board_of(interpreter).axes() if _is_flat(options) else NOT_FLAT


@PLT.function("sca")
def sca(interpreter: Interpreter, ax: Any) -> None:
    """Draw in these axes from now on."""
    for one in board_of(interpreter).open:
        if any(ax is each for each in one.axes):
            board_of(interpreter).current, one.current = one, ax


FIGURE.fact("axes")(lambda figure: list(figure.axes))
AXES.fact("figure")(lambda axes: Ignored("plt.figure"))
PLT.value(Axes, "Axes")
PLT.value(Figure, "Figure")
