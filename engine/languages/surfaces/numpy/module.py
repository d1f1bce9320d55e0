"""The `numpy` that programs see: arrays behind an allow-list, every size checked before it is made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import taken
from engine.languages.interpreter.builtins.table import Kind
from engine.languages.interpreter.builtins.weight import check_convertible
from engine.languages.interpreter.machine import Interpreter
from engine.languages.interpreter.operators import is_symbolic
from engine.languages.interpreter.values import Ignored, concrete
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.sizes import SIZES, Size, together
from engine.languages.surfaces.tf2.eager import plain_values
from engine.ops.base.tensors import DTYPES

NUMPY = Library("np", borrowed=True)

NUMERIC = "biuf"  # numpy's letters for truth values, integers and floats
NUMPY_DTYPES = {"float": "float64", "int": "int64"}  # what numpy makes of Python's own types


def numpy_dtype(value: Any) -> str | None:
    """The dtype that an argument names, Python's float and int as numpy reads them."""
    if isinstance(value, Kind) and value.name in NUMPY_DTYPES:
        return NUMPY_DTYPES[value.name]
    if isinstance(value, str) and value in NUMPY_DTYPES:
        return NUMPY_DTYPES[value]
    return dtype_name(value)


def to_array(interpreter: Interpreter, value: Any, dtype: str | None = None) -> np.ndarray[Any, Any]:
    """A program's value as an array of numbers.

    Raises: ProgramError for a symbolic tensor, a text or a ragged list.
    """
    if isinstance(value, np.ndarray) and dtype is None and value.dtype.kind in NUMERIC:
        interpreter.budget.check_elements(value.shape)
        return value
    value = plain_values(interpreter, value)
    if is_symbolic(value) or (isinstance(value, (list, tuple)) and any(map(is_symbolic, value))):
        raise _symbolic()
    check_convertible(value, interpreter.budget.limits.alive_elements)
    try:
        array = np.asarray(value, dtype=dtype)
    except (ValueError, TypeError, OverflowError):
        raise _not_numbers() from None
    if array.dtype.kind not in NUMERIC:
        raise _not_numbers()
    interpreter.budget.check_elements(array.shape)
    return array


def option(interpreter: Interpreter, value: Any) -> Any:
    """An argument beside the arrays: lists and tensors as arrays, anything else as it is."""
    is_array = isinstance(value, (list, tuple, range)) or concrete(value) is not None
    return to_array(interpreter, value) if is_array else value


def unpack(array: Any) -> Any:
    """A number of its own for an array without axes."""
    return array[()] if isinstance(array, np.ndarray) and array.ndim == 0 else array


# -- element by element ------------------------------------------------------------------------------

ELEMENTWISE = (
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh"),
    *("exp", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "square", "abs", "absolute", "fabs"),
    *("sign", "floor", "ceil", "rint", "negative", "reciprocal", "isnan", "isinf", "isfinite", "logical_not"),
    *("deg2rad", "rad2deg"),
)
PAIRS = (
    *("add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "mod", "power"),
    *("maximum", "minimum", "arctan2", "hypot", "equal", "not_equal", "less", "less_equal"),
    *("greater", "greater_equal", "logical_and", "logical_or"),
)
REDUCTIONS = (
    "sum",
    "mean",
    "prod",
    "max",
    "min",
    "amax",
    "amin",
    "std",
    "var",
    "any",
    "all",
    "argmax",
    "argmin",
)


def _elementwise(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(interpreter: Interpreter, x: Any, /) -> Any:
        return unpack(function(to_array(interpreter, x)))

    return call


def _pair(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(interpreter: Interpreter, x1: Any, x2: Any, /) -> Any:
        a, b = to_array(interpreter, x1), to_array(interpreter, x2)
        Size(together(a, b)).check(interpreter.budget)
        return unpack(function(a, b))

    return call


def _reduction(function: Callable[..., Any], takes_keepdims: bool) -> Callable[..., Any]:
    def call(interpreter: Interpreter, a: Any, axis: Any = None, keepdims: Any = False) -> Any:
        options = {"keepdims": True} if keepdims and takes_keepdims else {}
        over = tuple(axis) if isinstance(axis, list) else axis
        return unpack(function(to_array(interpreter, a), axis=over, **options))

    return call


for word in ELEMENTWISE:
    NUMPY.function(word)(_elementwise(getattr(np, word)))
for word in PAIRS:
    NUMPY.function(word)(_pair(getattr(np, word)))
for word in REDUCTIONS:
    NUMPY.function(word)(_reduction(getattr(np, word), takes_keepdims=not word.startswith("arg")))


# -- making arrays -----------------------------------------------------------------------------------


@NUMPY.function("array")
def array(interpreter: Interpreter, object: Any, dtype: Any = None, copy: Any = True) -> Any:
    """A new array of a number, of nested lists or of an array; with `copy=None` an array stays as it is."""
    made = to_array(interpreter, object, numpy_dtype(dtype))
    return own_array(made, object) if copy is None or copy is False else np.array(made)


@NUMPY.function("asarray")
def asarray(interpreter: Interpreter, a: Any, dtype: Any = None) -> Any:
    """An array as it is where it has this type already; else a new one."""
    return own_array(to_array(interpreter, a, numpy_dtype(dtype)), a)


def own_array(array: Any, given: Any) -> Any:
    """`array` itself where it was made of an array of the program's own; a copy of what a tensor holds."""
    return array if isinstance(given, np.ndarray) else np.array(array)


def lengths_of(interpreter: Interpreter, shape: Any) -> tuple[int, ...]:
    """A shape argument as lengths, its size checked."""
    lengths = [shape] if isinstance(shape, (int, np.integer)) else taken(shape, interpreter.budget)
    if not all(isinstance(length, (int, np.integer)) and length >= 0 for length in lengths):
        raise ValueError
    interpreter.budget.check_elements([int(length) for length in lengths])
    return tuple(int(length) for length in lengths)


@NUMPY.function("zeros", "empty")
def zeros(interpreter: Interpreter, shape: Any, dtype: Any = "float64") -> Any:
    """Zeros of a shape."""
    return np.zeros(lengths_of(interpreter, shape), dtype=numpy_dtype(dtype))


@NUMPY.function("ones")
def ones(interpreter: Interpreter, shape: Any, dtype: Any = "float64") -> Any:
    """Ones of a shape."""
    return np.ones(lengths_of(interpreter, shape), dtype=numpy_dtype(dtype))


@NUMPY.function("full")
def full(interpreter: Interpreter, shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """One value everywhere."""
    value = to_array(interpreter, fill_value)
    return np.full(lengths_of(interpreter, shape), value, dtype=numpy_dtype(dtype))


@NUMPY.function("zeros_like")
def zeros_like(interpreter: Interpreter, a: Any, dtype: Any = None) -> Any:
    """Zeros shaped like an array."""
    return np.zeros_like(to_array(interpreter, a), dtype=numpy_dtype(dtype))


@NUMPY.function("ones_like")
def ones_like(interpreter: Interpreter, a: Any, dtype: Any = None) -> Any:
    """Ones shaped like an array."""
    return np.ones_like(to_array(interpreter, a), dtype=numpy_dtype(dtype))


@NUMPY.function("eye", "identity")
def eye(interpreter: Interpreter, N: int, dtype: Any = "float64") -> Any:
    """Ones on the diagonal."""
    interpreter.budget.check_elements((int(N), int(N)))
    return np.eye(int(N), dtype=numpy_dtype(dtype))


@NUMPY.function("arange")
def arange(interpreter: Interpreter, start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Evenly spaced numbers by their step."""
    bounds = (0, start) if stop is None else (start, stop)
    first, last, step = (option(interpreter, bound) for bound in (*bounds, step))
    if any(map(np.ndim, (first, last, step))):
        raise ValueError
    interpreter.budget.check_elements((max(int(np.ceil((last - first) / step)), 0),))
    return np.arange(first, last, step, dtype=numpy_dtype(dtype))


@NUMPY.function("linspace")
def linspace(
    interpreter: Interpreter, start: Any, stop: Any, num: int = 50, endpoint: Any = True, dtype: Any = None
) -> Any:
    """Evenly spaced numbers by their count."""
    interpreter.budget.check_elements((int(num),))
    return np.linspace(float(start), float(stop), int(num), endpoint=bool(endpoint), dtype=numpy_dtype(dtype))


# -- shapes ------------------------------------------------------------------------------------------


@NUMPY.function("reshape")
def reshape(interpreter: Interpreter, a: Any, newshape: Any) -> Any:
    """The same elements in another shape."""
    return to_array(interpreter, a).reshape(newshape)


@NUMPY.function("transpose")
def transpose(interpreter: Interpreter, a: Any, axes: Any = None) -> Any:
    """Axes in another order."""
    return np.transpose(to_array(interpreter, a), axes)


@NUMPY.function("expand_dims")
def expand_dims(interpreter: Interpreter, a: Any, axis: int) -> Any:
    """A new axis of length 1."""
    return np.expand_dims(to_array(interpreter, a), axis)


@NUMPY.function("squeeze")
def squeeze(interpreter: Interpreter, a: Any, axis: Any = None) -> Any:
    """Without the axes of length 1."""
    return unpack(np.squeeze(to_array(interpreter, a), axis))


@NUMPY.function("shape")
def shape(interpreter: Interpreter, a: Any) -> tuple[int, ...]:
    """The lengths of the axes."""
    lengths: tuple[int, ...] = to_array(interpreter, a).shape
    return lengths


def _several(interpreter: Interpreter, arrays: Any) -> Any:
    if isinstance(arrays, np.ndarray):
        return to_array(interpreter, arrays)
    given = taken(arrays, interpreter.budget)
    found = [to_array(interpreter, one) for one in interpreter.budget.paced(given)]
    interpreter.budget.check_elements((sum(one.size for one in found),))
    return found


@NUMPY.function("concatenate")
def concatenate(interpreter: Interpreter, arrays: Any, axis: int = 0) -> Any:
    """Arrays one after the other."""
    return np.concatenate(_several(interpreter, arrays), axis=axis)


@NUMPY.function("stack")
def stack(interpreter: Interpreter, arrays: Any, axis: int = 0) -> Any:
    """Arrays side by side along a new axis."""
    return np.stack(_several(interpreter, arrays), axis=axis)


@NUMPY.function("vstack")
def vstack(interpreter: Interpreter, arrays: Any) -> Any:
    """Arrays below each other."""
    return np.vstack(_several(interpreter, arrays))


@NUMPY.function("hstack")
def hstack(interpreter: Interpreter, arrays: Any) -> Any:
    """Arrays beside each other."""
    return np.hstack(_several(interpreter, arrays))


# -- choices and comparisons -------------------------------------------------------------------------


@NUMPY.function("clip")
def clip(interpreter: Interpreter, a: Any, a_min: Any, a_max: Any) -> Any:
    """Kept between two bounds."""
    values, low, high = to_array(interpreter, a), *(option(interpreter, bound) for bound in (a_min, a_max))
    SIZES["clip"](values, low, high).check(interpreter.budget)
    return unpack(np.clip(values, low, high))


@NUMPY.function("round", "around")
def round_(interpreter: Interpreter, a: Any, decimals: int = 0) -> Any:
    """Rounded to some decimals."""
    return unpack(np.round(to_array(interpreter, a), decimals))


@NUMPY.function("where")
def where(interpreter: Interpreter, condition: Any, x: Any, y: Any) -> Any:
    """Elements of x where the condition holds, of y elsewhere."""
    parts = [to_array(interpreter, part) for part in (condition, x, y)]
    Size(together(*parts)).check(interpreter.budget)
    return unpack(np.where(*parts))


@NUMPY.function("allclose")
def allclose(interpreter: Interpreter, a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08) -> bool:
    """Whether all elements are equal but for rounding."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    SIZES["allclose"](left, right, rtol, atol).check(interpreter.budget)
    return bool(np.allclose(left, right, rtol=rtol, atol=atol))


@NUMPY.function("cumsum")
def cumsum(interpreter: Interpreter, a: Any, axis: Any = None) -> Any:
    """Sums so far."""
    return np.cumsum(to_array(interpreter, a), axis=axis)


# -- constants and types -----------------------------------------------------------------------------


def _converter(name: str) -> Callable[..., Any]:
    def convert(interpreter: Interpreter, value: Any = 0) -> Any:
        return unpack(to_array(interpreter, value).astype(name))

    return convert


NUMPY.value(Kind("np.bool_", _converter("bool"), (np.bool_,)), "bool_", "bool")
for name in sorted(DTYPES - {"bool"}):
    NUMPY.value(Kind(f"np.{name}", _converter(name), (np.dtype(name).type,)), name)
NUMPY.value(Kind("np.ndarray", array, (np.ndarray,)), "ndarray")
NUMPY.value(Kind("np.dtype", lambda dtype: np.dtype(numpy_dtype(dtype)), (np.dtype,)), "dtype")
NUMPY.value(np.pi, "pi")
NUMPY.value(math.e, "e")
NUMPY.value(np.inf, "inf", "Inf")
NUMPY.value(np.nan, "nan", "NaN")
NUMPY.value(None, "newaxis")
NUMPY.value("1.26.4", "__version__")
NUMPY.value(Ignored("np.set_printoptions"), "set_printoptions", "seterr")
NUMPY.refuse(
    ["load", "loadtxt", "genfromtxt", "save", "savetxt", "fromfile", "memmap"],
    "Write the numbers into the program as a list.",
    "请把数字以列表写进程序。",
)


def _symbolic() -> ProgramError:
    return ProgramError(
        "numpy cannot work on a symbolic tensor: it has no numbers before it is run.",
        message_zh="numpy 不能处理符号张量：它在运行之前没有数值。",
        hint="Use the tf function of the same name, or run the tensor first.",
        hint_zh="请使用同名的 tf 函数，或先运行该张量。",
        code="symbolic_value",
    )


def _not_numbers() -> ProgramError:
    return ProgramError(
        "An array needs numbers in rows of equal length.",
        message_zh="数组需要由数字组成，且各行长度相同。",
        code="bad_value",
    )
