"""Numbers that count the rows of a real data set, in a program that was given fewer rows.

A tutorial writes `x.reshape(60000, 784)`, or splits its data by `x[:50000]` and `x[50000:]`. Where such a
number is beyond the rows that are there, it is read in the proportion of the counts, and a note says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter

FEWEST = 20  # rows of a part that are counted on in turn


class RowNumbers:
    """The counts of rows that stand for others.

    real:  how many rows the real set has, by the number of those that are there.
    lists: those that hold rows; of other lists nothing is known.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self.real: dict[int, int] = {}
        self.lists: list[list[Any]] = []

    def shape(self, size: int, shape: Any) -> tuple[int, ...] | None:
        """A shape for so many elements, with the rows that are there; None where that does not fit either."""
        lengths = list(shape) if isinstance(shape, (tuple, list)) else [shape]
        for rows, real in self.real.items():
            if real in lengths:
                found = [rows if length == real else length for length in lengths]
                if _fits(size, found):
                    self._note(real, rows)
                    return tuple(found)
        return None

    def key(self, array: Any, key: Any) -> Any:
        """A subscript of an array, or of a list of rows, with the rows that are there."""
        is_known = array.ndim if isinstance(array, np.ndarray) else any(array is one for one in self.lists)
        real = self.real.get(len(array)) if is_known else None
        if real is None:
            return key
        first, *others = key if isinstance(key, tuple) else (key,)
        found = self._place(first, len(array), real)
        if found is first:
            return key
        self._note(real, len(array))
        return (found, *others) if isinstance(key, tuple) else found

    def _place(self, part: Any, rows: int, real: int) -> Any:
        if isinstance(part, slice):
            return self._part(part, rows, real)
        if isinstance(part, (int, np.integer)) and not isinstance(part, bool):
            return _scaled(int(part), rows, real) if rows <= _reach(int(part)) < real else part
        if isinstance(part, np.ndarray) and part.dtype.kind in "iu" and part.size:
            return part * rows // real if part.min() >= 0 and rows <= part.max() < real else part
        return part

    def _part(self, part: slice, rows: int, real: int) -> slice:
        bounds = [one for one in (part.start, part.stop) if isinstance(one, (int, np.integer))]
        if not bounds or not rows < max(abs(int(one)) for one in bounds) <= real:
            return part
        if isinstance(part.start, (int, np.integer)) and 0 < part.start < rows:
            return part  # what is left of them: a last batch
        start, stop = (
            None if one is None else _scaled(int(one), rows, real) for one in (part.start, part.stop)
        )
        found = slice(start, stop, part.step)
        first, last, step = found.indices(rows)
        if step == 1 and last - first >= FEWEST:
            self.real.setdefault(last - first, len(range(*part.indices(real))))
        return found

    def steps(self, steps: Any, size: int) -> Any:
        """As many steps as go through all rows, where so many would go through those of the real set.

        size: how many rows a step takes.
        """
        for rows, real in self.real.items():
            if size and rows < real and abs(steps * size - real) <= size:
                self._note(real, rows)
                return max(1, rows // size)
        return steps

    def _note(self, real: int, rows: int) -> None:
        self._interpreter.note(
            "row_numbers",
            f"Row numbers are read in proportion: {real:,} rows are counted on, and there are {rows:,}.",
            f"行号按比例换算：程序以为有 {real} 行，而这里有 {rows} 行。",
            "Write len(x), a share of it or -1, and it holds for any number of rows.",
            "请写 len(x)、它的一部分或 -1，这样对任何行数都成立。",
        )


def _reach(place: int) -> int:
    return place if place >= 0 else -1 - place


def _scaled(place: int, rows: int, real: int) -> int:
    """A place among the real rows as one among those that are there."""
    return place * rows // real if place >= 0 else -(-place * rows // real)


def _fits(size: int, lengths: Sequence[Any]) -> bool:
    """Whether so many elements have room in a shape, of which one length may be -1."""
    if lengths.count(-1) > 1 or not all(isinstance(one, (int, np.integer)) for one in lengths):
        return False
    known = prod(int(one) for one in lengths if one != -1)
    return known > 0 and (size % known == 0 if -1 in lengths else size == known)


def count_on(interpreter: Interpreter, part: Any, real: int) -> None:
    """The rows of a part of a data set, an array or a list, stand for so many of the real set."""
    if interpreter.row_numbers is None:
        interpreter.row_numbers = RowNumbers(interpreter)
    interpreter.row_numbers.real[len(part)] = real
    if isinstance(part, list):
        interpreter.row_numbers.lists.append(part)
