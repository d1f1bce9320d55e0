"""What a program may ask of a numpy array or number."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.machine import Interpreter
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.numpy import matrices as numpy_matrices
from engine.languages.surfaces.numpy.module import NUMPY, numpy_dtype, unpack
from engine.languages.surfaces.numpy.sizes import SIZES

ARRAY = members_of(np.ndarray, "numpy array")
NUMBER = members_of(np.generic, "numpy number")

FILLED_BY = numpy_matrices  # imported for the table that it fills
METHODS_LIKE_FUNCTIONS = (
    *("sum", "mean", "prod", "max", "min", "std", "var", "any", "all", "argmax", "argmin"),
    *("dot", "clip", "round", "cumsum", "cumprod", "trace", "ptp", "nonzero", "repeat", "take"),
    *("argsort", "swapaxes"),
)


def to_list(interpreter: Interpreter, array: Any) -> Any:
    """The elements as lists in lists."""
    interpreter.budget.check_length(array.size)
    return array.tolist()


def copy(interpreter: Interpreter, array: Any) -> Any:
    """The same elements in an array of its own."""
    interpreter.budget.check_elements(array.shape)
    return array.copy()


for table in (ARRAY, NUMBER):
    table.fact("shape")(lambda array: array.shape)
    table.fact("dtype")(lambda array: array.dtype)
    table.fact("ndim")(lambda array: array.ndim)
    table.fact("size")(lambda array: array.size)
    table.fact("T")(lambda array: array.T)
    table.method("item")(lambda array: array.item())
    table.method("tolist")(to_list)
    table.method("copy")(copy)
    for name in METHODS_LIKE_FUNCTIONS:
        table.methods[name] = NUMPY.members[name]


@ARRAY.method("astype")
@NUMBER.method("astype")
def astype(interpreter: Interpreter, array: Any, dtype: Any) -> Any:
    """Another element type."""
    interpreter.budget.check_elements(array.shape)
    return array.astype(numpy_dtype(dtype))


@ARRAY.method("reshape")
def reshape(interpreter: Interpreter, array: Any, *shape: Any) -> Any:
    """The same elements in another shape."""
    interpreter.budget.spend(array.size)
    return array.reshape(*shape)


@ARRAY.method("transpose")
def transpose(array: Any, *axes: Any) -> Any:
    """Axes in another order."""
    return array.transpose(*axes)


@ARRAY.method("flatten")
def flatten(interpreter: Interpreter, array: Any) -> Any:
    """A copy of all elements in a row."""
    interpreter.budget.check_elements(array.shape)
    return array.flatten()


@ARRAY.method("ravel")
def ravel(interpreter: Interpreter, array: Any) -> Any:
    """All elements in a row: a view of them where they stand so."""
    interpreter.budget.check_elements(array.shape)
    return array.ravel()


@ARRAY.method("squeeze")
def squeeze(array: Any, axis: Any = None) -> Any:
    """Without the axes of length 1."""
    return unpack(array.squeeze(axis))


@ARRAY.method("fill")
def fill(array: Any, value: Any) -> None:
    """One value everywhere, in place."""
    array.fill(value)


@ARRAY.method("sort")
def sort(interpreter: Interpreter, array: Any, axis: int = -1) -> None:
    """Put in order, in place."""
    SIZES["sort"](array).check(interpreter.budget)
    array.sort(axis)


SHOWN[np.dtype] = (str, lambda dtype: f"dtype('{dtype.name}')")
members_of(np.dtype, "dtype").fact("name")(lambda dtype: dtype_name(dtype))
