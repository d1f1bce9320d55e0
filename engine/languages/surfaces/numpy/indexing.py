"""numpy's subscripts and places: `c_`, `r_`, `mgrid`, `ix_`, and writing at chosen places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items, taken
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.numpy.module import NUMPY, lengths_of, own_array, to_array, unpack

MODES = word_of("raise", "wrap", "clip")


@dataclass(frozen=True, slots=True, eq=False)
class Subscripted:
    """What is used by a subscript alone: `np.c_[a, b]`, `np.mgrid[0:3, 0:2]`."""

    name: str
    take: Callable[[tuple[Any, ...], Budget], Any]


TYPE_NAMES[Subscripted] = lambda value: value.name
ITEMS[Subscripted] = Items(
    make=lambda value, key, budget: value.take(key if isinstance(key, tuple) else (key,), budget)
)


def _count(part: slice) -> int:
    """How many numbers a slice stands for; of an imaginary step the step says it."""
    start, stop, step = 0 if part.start is None else part.start, part.stop, part.step
    if not all(isinstance(one, (int, float, np.integer, np.floating)) for one in (start, stop)):
        raise TypeError
    if isinstance(step, complex):
        return int(abs(step))
    return max(ceil(float((stop - start) / (1 if step is None else step))), 0)


def joined(name: str) -> Callable[[tuple[Any, ...], Budget], Any]:
    """Rows, or columns, put together; slices are evenly spaced numbers."""

    def take(parts: tuple[Any, ...], budget: Budget) -> Any:
        total = 0
        given: list[Any] = []
        for part in parts:
            if isinstance(part, str):
                raise TypeError
            if isinstance(part, slice):
                total += _count(part)
                given.append(part)
            else:
                held = getattr(part, "array", part)
                given.append(np.asarray(held))
                total += given[-1].size
            budget.check_elements((total,))
            if not isinstance(part, slice) and given[-1].dtype.kind not in "biuf":
                raise TypeError
        return getattr(np, name)[tuple(given)]

    return take


def grid(name: str, *, full: bool) -> Callable[[tuple[Any, ...], Budget], Any]:
    """The coordinates of a grid, one slice for each axis."""

    def take(parts: tuple[Any, ...], budget: Budget) -> Any:
        if not all(isinstance(part, slice) for part in parts):
            raise TypeError
        counts = [_count(part) for part in parts]
        budget.check_elements((len(counts), *counts) if full else (sum(counts),))
        return getattr(np, name)[parts if len(parts) > 1 else parts[0]]

    return take


NUMPY.value(Subscripted("np.c_", joined("c_")), "c_")
NUMPY.value(Subscripted("np.r_", joined("r_")), "r_")
NUMPY.value(Subscripted("np.s_", lambda parts, budget: parts if len(parts) > 1 else parts[0]), "s_")
NUMPY.value(Subscripted("np.index_exp", lambda parts, budget: parts), "index_exp")
NUMPY.value(Subscripted("np.mgrid", grid("mgrid", full=True)), "mgrid")
NUMPY.value(Subscripted("np.ogrid", grid("ogrid", full=False)), "ogrid")


@NUMPY.function("ix_")
def ix_(interpreter: Interpreter, *args: Any) -> tuple[Any, ...]:
    """Rows and columns by number as one subscript that takes every pair of them."""
    return np.ix_(*(to_array(interpreter, one) for one in args))


@NUMPY.function("unravel_index")
def unravel_index(interpreter: Interpreter, indices: Any, shape: Any) -> Any:
    """The coordinates of places that are counted in a row."""
    places = to_array(interpreter, indices)
    lengths = tuple(int(length) for length in taken(shape, interpreter.budget))
    interpreter.budget.check_elements((len(lengths), places.size))
    return tuple(unpack(one) for one in np.unravel_index(places, lengths))


@NUMPY.function("ravel_multi_index")
def ravel_multi_index(interpreter: Interpreter, multi_index: Any, dims: Any) -> Any:
    """Places counted in a row, by their coordinates."""
    parts = tuple(to_array(interpreter, one) for one in taken(multi_index, interpreter.budget))
    return unpack(np.ravel_multi_index(parts, tuple(int(n) for n in taken(dims, interpreter.budget))))


@NUMPY.function("take_along_axis")
def take_along_axis(interpreter: Interpreter, arr: Any, indices: Any, axis: Any = -1) -> Any:
    """Elements by their places along an axis, such as argsort gives them."""
    array, places = to_array(interpreter, arr), to_array(interpreter, indices)
    interpreter.budget.check_elements(np.broadcast_shapes(places.shape, (1,) * array.ndim))
    interpreter.budget.check_elements((places.size, max(array[:1].size, 1)) if array.ndim else ())
    return np.take_along_axis(array, places, axis)


# -- writing in place --------------------------------------------------------------------------------


def _own(array: Any) -> Any:
    """An array of the program's. Raises: TypeError for anything else, which could not be changed."""
    if not isinstance(array, np.ndarray):
        raise TypeError
    return array


@NUMPY.function("copyto", casting=word_of("no", "equiv", "safe", "same_kind", "unsafe"))
def copyto(
    interpreter: Interpreter, dst: Any, src: Any, casting: str = "same_kind", where: Any = True
) -> None:
    """Write one array into another."""
    mask = True if where is True else to_array(interpreter, where, "bool")
    interpreter.budget.spend(_own(dst).size)
    np.copyto(dst, to_array(interpreter, src), casting, mask)  # type: ignore[arg-type]  # one of the words


@NUMPY.function("put", mode=MODES)
def put(interpreter: Interpreter, a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values at places that are counted in a row."""
    places = to_array(interpreter, ind)
    interpreter.budget.spend(places.size + _own(a).size)
    np.put(a, places, to_array(interpreter, v), mode)  # type: ignore[arg-type]  # one of MODES


@NUMPY.function("place")
def place(interpreter: Interpreter, arr: Any, mask: Any, vals: Any) -> None:
    """Write values where a mask holds, one after the other."""
    interpreter.budget.spend(_own(arr).size)
    np.place(arr, to_array(interpreter, mask, "bool"), to_array(interpreter, vals))


@NUMPY.function("putmask")
def putmask(interpreter: Interpreter, a: Any, mask: Any, values: Any) -> None:
    """Write the values of the same places where a mask holds."""
    interpreter.budget.spend(_own(a).size)
    np.putmask(a, to_array(interpreter, mask, "bool"), to_array(interpreter, values))


@NUMPY.function("put_along_axis")
def put_along_axis(interpreter: Interpreter, arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """Write values by their places along an axis."""
    places, new = to_array(interpreter, indices), to_array(interpreter, values)
    interpreter.budget.spend(places.size + _own(arr).size)
    np.put_along_axis(arr, places, new, axis)


# -- going through -----------------------------------------------------------------------------------


class Places:
    """What goes through an array: its places, its elements, or both."""

    def __init__(self, items: Callable[[], Iterator[Any]]) -> None:
        self.items = items


TYPE_NAMES[Places] = lambda value: "iterator over an array"
ITERATORS[Places] = lambda places: places.items()


@NUMPY.function("ndindex")
def ndindex(interpreter: Interpreter, *shape: Any) -> Places:
    """All places of an array of this shape, one after the other."""
    lengths = lengths_of(interpreter, shape[0] if len(shape) == 1 else shape)
    return Places(lambda: iter(np.ndindex(*lengths)))


@NUMPY.function("ndenumerate")
def ndenumerate(interpreter: Interpreter, arr: Any) -> Places:
    """Every place of an array with its element."""
    array = own_array(to_array(interpreter, arr), arr)
    return Places(lambda: iter(np.ndenumerate(array)))


def all_elements(array: Any) -> Places:
    """`array.flat`: the elements in a row."""
    return Places(lambda: iter(array.flat))


ITEMS[Places] = Items(make=lambda places, key, budget: list(budget.counted(places.items()))[key])
