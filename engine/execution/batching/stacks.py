"""Values of one shape and type in one array, so that one call serves them all; and columns of such arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from engine.execution.columns import Columns
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array

Key = Tensor | Node  # what a column is of: a tensor, or a variable
Recording = tuple[Array, Sequence[Key], int]  # what to record, (keys, runs or 1, *S), and how many runs
ALIGNED = 64  # bytes, to which columns are


class Stacks:
    """Arrays (runs, *S) by key, those of one shape and type side by side in memory (keys, runs, *S)."""

    def __init__(self, values: Mapping[Any, Array]) -> None:
        kinds: dict[Any, list[Any]] = {}
        for key, value in values.items():
            kinds.setdefault((value.shape, value.dtype), []).append(key)
        self.parts = [(tuple(keys), np.stack([values[key] for key in keys])) for keys in kinds.values()]
        self._place = self._places()

    def of_runs(self, runs: slice) -> Stacks:
        """Some of the runs in memory of their own, side by side as here."""
        part = object.__new__(Stacks)
        part.parts = [(keys, np.ascontiguousarray(array[:, runs])) for keys, array in self.parts]
        part._place = part._places()
        return part

    def _places(self) -> dict[Any, tuple[Array, int]]:
        return {key: (array, place) for keys, array in self.parts for place, key in enumerate(keys)}

    @property
    def keys(self) -> list[Any]:
        """Whose values these are."""
        return [key for keys, _ in self.parts for key in keys]

    def __contains__(self, key: object) -> bool:
        return key in self._place

    def one(self, key: Any) -> Array:
        """The memory of one of them, with an axis of length 1 in front."""
        array, place = self._place[key]
        return array[place : place + 1]

    def together(self, keys: Sequence[Any]) -> Array | None:
        """The memory of several that follow each other; None where they do not."""
        array, first = self._place[keys[0]]
        follow = [(id(array), first + place) for place in range(len(keys))]
        if [(id(self._place[key][0]), self._place[key][1]) for key in keys] != follow:
            return None
        return array[first : first + len(keys)]


def columns_of(rows: int, recordings: Sequence[Recording]) -> Columns:
    """Room for so many rows of everything recorded.

    All stands in one block of memory. Several smaller ones, freed together, would go back to the system, and
    the next race would get its memory anew, page by page; that took as long as half of its arithmetic.
    """
    shapes = [((rows, *array.shape), array.dtype) for array, _, _ in recordings]
    sizes = [-(-prod(shape) * dtype.itemsize // ALIGNED) * ALIGNED for shape, dtype in shapes]
    block, starts = np.empty(sum(sizes), np.uint8), [0, *accumulate(sizes)]
    kinds = zip(shapes, starts[:-1], strict=True)
    stacks: list[Array] = [np.ndarray(shape, dtype, block, start) for (shape, dtype), start in kinds]
    columns: dict[Key, Array] = {}
    for stack, (array, keys, runs) in zip(stacks, recordings, strict=True):
        for place, key in enumerate(keys):
            columns[key] = np.broadcast_to(stack[:, place], (rows, runs, *array.shape[2:]))
    places = {key: place for place, key in enumerate(columns)}
    return Columns(0, rows, places, list(columns.values()), stacks=stacks)
