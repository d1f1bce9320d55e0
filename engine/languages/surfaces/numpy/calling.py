"""numpy's functions that call one of the program's: over elements, over rows, over places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import taken
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import NUMBERS, TYPE_NAMES
from engine.languages.surfaces.numpy.module import ANY_NUMPY, NUMPY, lengths_of, numpy_dtype, to_array, unpack
from engine.languages.surfaces.numpy.sizes import together


class Vectorized:
    """`np.vectorize(f)`: f of each element. The first result says of what type all are, or otypes does."""

    def __init__(self, function: Any, otypes: list[str] | None) -> None:
        self.function = function
        self.otypes = otypes


TYPE_NAMES[Vectorized] = lambda value: "vectorized function"


@NUMPY.function("vectorize")
def vectorize(interpreter: Interpreter, pyfunc: Any, otypes: Any = None) -> Vectorized:
    """A function that is called for each element of arrays."""
    if isinstance(pyfunc, (str, list, tuple, np.ndarray, *NUMBERS)):
        raise TypeError
    types = [otypes] if isinstance(otypes, str) or otypes is None else taken(otypes, interpreter.budget)
    return Vectorized(pyfunc, None if otypes is None else [str(numpy_dtype(one)) for one in types])


def _called(
    interpreter: Interpreter, value: Vectorized, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """Once for each element, and once more for the first where the type is not given: as numpy does."""
    arrays = [to_array(interpreter, one) for one in (*args, *keywords.values())]
    shape = together(*arrays)
    interpreter.budget.check_elements(shape)
    rows = list(zip(*(np.broadcast_to(array, shape).ravel().tolist() for array in arrays), strict=True))
    if not rows:
        raise ValueError
    names = list(keywords)

    def call(row: Sequence[Any]) -> Any:
        return interpreter.call(
            value.function, row[: len(args)], dict(zip(names, row[len(args) :], strict=True))
        )

    first = call(rows[0]) if value.otypes is None else None
    results = [call(row) for row in rows]
    if isinstance(results[0], tuple):
        firsts = first if first is not None else [None] * len(results[0])
        columns = list(zip(*results, strict=True))
        types: Any = value.otypes or [None] * len(columns)
        parts = zip(columns, firsts, types, strict=True)
        return tuple(_typed(interpreter, column, one, kind, shape) for column, one, kind in parts)
    kind = value.otypes[0] if value.otypes else None
    return _typed(interpreter, results, first, kind, shape)


def _typed(
    interpreter: Interpreter, results: Sequence[Any], first: Any, kind: str | None, shape: tuple[int, ...]
) -> Any:
    """The results as an array of the type of the first one."""
    dtype = kind or to_array(interpreter, first).dtype
    return unpack(to_array(interpreter, list(results)).astype(dtype).reshape(shape))


CALLABLES[Vectorized] = _called


@NUMPY.function("apply_along_axis")
def apply_along_axis(interpreter: Interpreter, func1d: Any, axis: int, arr: Any, *args: Any) -> Any:
    """A function of each row along an axis."""
    array = np.moveaxis(to_array(interpreter, arr), axis, -1)
    rows = array.reshape(-1, array.shape[-1])
    interpreter.budget.check_length(len(rows))
    found = [to_array(interpreter, interpreter.call(func1d, [row.copy(), *args], {})) for row in rows]
    if not found:
        raise ValueError
    stacked = np.stack(found).astype(found[0].dtype).reshape(*array.shape[:-1], *found[0].shape)
    interpreter.budget.check_elements(stacked.shape)
    inner = found[0].ndim
    place = axis % array.ndim
    for step in range(inner):
        stacked = np.moveaxis(stacked, array.ndim - 1 + step, place + step)
    return unpack(stacked)


@NUMPY.function("fromfunction")
def fromfunction(interpreter: Interpreter, function: Any, shape: Any, dtype: Any = "float64") -> Any:
    """What a function gives of the coordinates of all places, as arrays."""
    lengths = lengths_of(interpreter, shape)
    interpreter.budget.check_elements((len(lengths), *lengths))
    return interpreter.call(function, list(ANY_NUMPY.indices(lengths, dtype=numpy_dtype(dtype))), {})


@NUMPY.function("piecewise")
def piecewise(interpreter: Interpreter, x: Any, condlist: Any, funclist: Any) -> Any:
    """Each element through the function, or as the number, of the last condition that holds for it."""
    values = to_array(interpreter, x)
    conditions = [to_array(interpreter, one, "bool") for one in taken(condlist, interpreter.budget)]
    choices = list(taken(funclist, interpreter.budget))
    if len(choices) == len(conditions) + 1:
        conditions = [~np.any(conditions, axis=0), *conditions]
        choices = [choices[-1], *choices[:-1]]
    if len(choices) != len(conditions):
        raise ValueError
    result = np.zeros(values.shape, values.dtype)
    for condition, choice in zip(conditions, choices, strict=True):
        if isinstance(choice, (bool, int, float, np.generic)):
            result[condition] = choice
        elif values[condition].size:
            result[condition] = to_array(interpreter, interpreter.call(choice, [values[condition]], {}))
    return result
