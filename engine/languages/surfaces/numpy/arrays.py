"""What a program may ask of a numpy array or number."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.dtypes import MEMBERS as TF_DTYPE
from engine.languages.surfaces.dtypes import DType
from engine.languages.surfaces.numpy import (  # noqa: F401  # for their tables
    calling,
    counting,
    facts,
    iterating,
    making,
    matrices,
    printing,
    reducing,
)
from engine.languages.surfaces.numpy.arranging import SORTS
from engine.languages.surfaces.numpy.indexing import all_elements
from engine.languages.surfaces.numpy.module import (
    NUMERIC,
    NUMPY,
    ORDER,
    numpy_dtype,
    reshaped,
    texts_are_not_converted,
    to_array,
    unpack,
)
from engine.languages.surfaces.numpy.sizes import SIZES
from engine.ops.base.tensors import TEXT

ARRAY = members_of(np.ndarray, "numpy array")
NUMBER = members_of(np.generic, "numpy number")

METHODS_LIKE_FUNCTIONS = (
    *("sum", "mean", "prod", "max", "min", "std", "var", "any", "all", "argmax", "argmin"),
    *("dot", "clip", "round", "cumsum", "cumprod", "trace", "ptp", "nonzero", "repeat", "take"),
    *("argsort", "swapaxes", "diagonal", "searchsorted", "choose", "conj", "conjugate"),
)


def to_list(interpreter: Interpreter, array: Any) -> Any:
    """The elements as lists in lists."""
    interpreter.budget.check_length(array.size)
    return array.tolist()


def item(array: Any, *args: Any) -> Any:
    """One element as a Python number, by its place."""
    return array.item(*args)


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
    table.fact("nbytes")(lambda array: array.nbytes)
    table.fact("itemsize")(lambda array: array.itemsize)
    table.fact("real")(lambda array: array.real)
    table.fact("imag")(lambda array: array.imag)
    table.method("item")(item)
    table.method("tolist")(to_list)
    table.method("copy")(copy)
    for name in METHODS_LIKE_FUNCTIONS:
        table.methods[name] = NUMPY.members[name]


@ARRAY.method("astype")
@NUMBER.method("astype")
def astype(interpreter: Interpreter, array: Any, dtype: Any, *, copy: Any = True) -> Any:
    """Another element type; with `copy=False` an array of this type stays as it is."""
    interpreter.budget.check_elements(array.shape)
    kind = numpy_dtype(dtype)
    if array.dtype.kind not in NUMERIC:
        raise texts_are_not_converted()
    return array.astype(kind, copy=bool(copy))


@ARRAY.method("compress")
def compress(interpreter: Interpreter, array: Any, condition: Any, axis: Any = None) -> Any:
    """The elements, or rows along an axis, where a condition holds."""
    return NUMPY.members["compress"].function(interpreter, condition, array, axis)


@ARRAY.method("view")
def view(array: Any) -> Any:
    """The same elements in memory as another array."""
    return array.view()


ARRAY.fact("flat")(all_elements)
ARRAY.fact("base")(lambda array: array.base if isinstance(array.base, np.ndarray) else None)
ARRAY.methods["put"] = NUMPY.members["put"]


def _set_shape(array: Any, shape: Any) -> None:
    """`array.shape = …`. Raises: ProgramError where the elements do not fit."""
    lengths = [shape] if isinstance(shape, (int, np.integer)) else shape
    try:
        if not array.flags.writeable:  # it may be what a tensor holds
            raise ValueError
        array.shape = tuple(int(length) for length in lengths)
    except (AttributeError, TypeError, ValueError):
        raise ProgramError(
            f"An array of the shape {array.shape} cannot take the shape {quoted(shape)}.",
            hint="The lengths multiply to the number of elements; one of them may be -1.",
            message_zh=f"形状为 {array.shape} 的数组不能取形状 {quoted(shape)}。",
            hint_zh="各长度之积应等于元素个数；其中一个可以是 -1。",
            code="shape_mismatch",
        ) from None


ARRAY.settable["shape"] = _set_shape


@ARRAY.method("reshape", order=ORDER)
def reshape(interpreter: Interpreter, array: Any, *shape: Any, order: Any = "C") -> Any:
    """The same elements in another shape."""
    interpreter.budget.spend(array.size)
    return reshaped(interpreter, array, shape[0] if len(shape) == 1 else shape, order)


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
    if array.dtype.kind not in NUMERIC:
        raise texts_are_not_converted()
    array.fill(value)


@ARRAY.method("sort", kind=SORTS)
def sort(interpreter: Interpreter, array: Any, axis: int = -1, kind: Any = None) -> None:
    """Put in order, in place."""
    SIZES["sort"](array).check(interpreter.budget)
    array.sort(axis, kind)


@ARRAY.method("partition")
def partition(interpreter: Interpreter, array: Any, kth: Any, axis: int = -1) -> None:
    """The k-th element to its place, smaller ones before it, in place."""
    SIZES["sort"](array).check(interpreter.budget)
    array.partition(to_array(interpreter, kth), axis)


SHOWN[np.dtype] = (str, repr)
DTYPE = members_of(np.dtype, "dtype")
DTYPE.fact("name")(lambda dtype: dtype.name)
DTYPE.fact("kind")(lambda dtype: dtype.kind)
DTYPE.fact("itemsize")(lambda dtype: dtype.itemsize)
DTYPE.fact("char")(lambda dtype: dtype.char)


@DTYPE.fact("type")
def _type_of(dtype: Any) -> Any:
    """The type of one element. Raises: ProgramError for texts, which have none here."""
    if dtype.kind not in NUMERIC:
        raise texts_are_not_converted()
    return NUMPY.members[dtype.name]


@TF_DTYPE.fact("as_numpy_dtype")
def as_numpy_dtype(dtype: DType) -> Any:
    """numpy's type of the same numbers. Raises: ProgramError for texts, which numpy has no type of."""
    name = dtype.name.removesuffix("_ref")
    if name == TEXT:
        raise texts_are_not_converted()
    return NUMPY.members[name]
