"""Values of one shape and type in one array, so that one call serves them all; and columns of such arrays."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.ops.tensors import Array


class Stacks:
    """Arrays (members, *S) by key, those of one shape and type side by side in memory (keys, members, *S)."""

    def __init__(self, values: Mapping[Any, Array]) -> None:
        kinds: dict[Any, list[Any]] = {}
        for key, value in values.items():
            kinds.setdefault((value.shape, value.dtype), []).append(key)
        self.parts = [(tuple(keys), np.stack([values[key] for key in keys])) for keys in kinds.values()]
        self._place = self._places()

    def of_members(self, members: slice) -> Stacks:
        """Some of the members in memory of their own, side by side as here."""
        part = object.__new__(Stacks)
        part.parts = [(keys, np.ascontiguousarray(array[:, members])) for keys, array in self.parts]
        part._place = part._places()
        return part

    def _places(self) -> dict[Any, tuple[Array, int]]:
        return {key: (array, place) for keys, array in self.parts for place, key in enumerate(keys)}

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


class Columns:
    """What was recorded: for each key an array with the rows along its first axis."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.by_key: dict[Hashable, Array] = {}

    def make(self, array: Array, keys: Sequence[Hashable], members: int) -> Array:
        """Room for every row of an array (keys, members or 1, *S)."""
        column = np.empty((self.rows, *array.shape), array.dtype)
        for place, key in enumerate(keys):
            shape = (self.rows, members, *array.shape[2:])
            self.by_key[key] = np.broadcast_to(column[:, place], shape)
        return column
