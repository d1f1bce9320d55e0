"""Axes in rows and columns, as `plt.subplots(2, 2)` hands them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.matplotlib.figures import Axes


@dataclass(frozen=True, slots=True, eq=False)
class AxesGrid:
    """An array of axes. shape: of one or two axes; made: row by row."""

    shape: tuple[int, ...]
    made: tuple[Axes, ...]

    @classmethod
    def of(cls, places: Any, made: Sequence[Axes]) -> Any:
        """Those at an array of places; one alone as it is."""
        array = np.asarray(places)
        if array.ndim == 0:
            return made[int(array)]
        return cls(array.shape, tuple(made[int(place)] for place in array.reshape(-1)))

    def read(self, key: Any) -> Any:
        """A row, a part, or one of them. Raises: ProgramError for a key that no array takes."""
        places = np.arange(len(self.made)).reshape(self.shape)
        parts = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(one, (int, np.integer, slice)) for one in parts):
            raise _no_place(self)
        try:
            return AxesGrid.of(places[key], self.made)
        except (IndexError, TypeError, ValueError):
            raise _no_place(self) from None


def _no_place(grid: AxesGrid) -> ProgramError:
    return ProgramError(
        f"There are no axes at this place of {' × '.join(map(str, grid.shape))}.",
        message_zh=f"{' × '.join(map(str, grid.shape))} 的坐标系中没有这个位置。",
        hint="One row of axes is axes[i], several rows are axes[i, j], counted from 0.",
        hint_zh="只有一行时写 axes[i]，有多行时写 axes[i, j]，从 0 数起。",
        code="index_out_of_range",
        kind="IndexError",
    )


TYPE_NAMES[AxesGrid] = lambda _: "array of Axes"
ITEMS[AxesGrid] = Items(read=lambda grid, key: grid.read(key), count=lambda grid: grid.shape[0])
ITERATORS[AxesGrid] = lambda grid: [grid.read(place) for place in range(grid.shape[0])]

GRID = members_of(AxesGrid, "array", borrowed=True)
GRID.fact("flat")(lambda grid: list(grid.made))
GRID.fact("shape")(lambda grid: grid.shape)
GRID.fact("size")(lambda grid: len(grid.made))
GRID.fact("ndim")(lambda grid: len(grid.shape))


@GRID.method("ravel", "flatten")
def ravel(grid: AxesGrid) -> AxesGrid:
    """All in one row."""
    return AxesGrid((len(grid.made),), grid.made)


@GRID.method("tolist")
def tolist(grid: AxesGrid) -> list[Axes]:
    """All in a list."""
    return list(grid.made)
