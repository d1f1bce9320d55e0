"""The `numpy` that programs see: arrays behind an allow-list, every size checked before it is made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.builtins.containers import taken
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.nested_sizes import check_convertible
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import complex_array, is_symbolic
from engine.languages.interpreter.values import Ignored, concrete
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.sizes import SIZES, Size, together
from engine.languages.surfaces.numpy.texts import array_of_texts, holds_texts
from engine.languages.surfaces.tf2.eager import plain_values
from engine.ops.base.shapes import MOST_AXES, too_many_axes
from engine.ops.base.tensors import DTYPES, TEXT

NUMPY = Library("np", borrowed=True)

ANY_NUMPY: Any = np  # for arguments of types that are known when a program runs
NUMERIC = "biuf"  # numpy's letters for truth values, integers and floats
ORDER = word_of("C", "F")  # by rows or by columns: where new elements stand in memory, how a shape is filled
LAID_OUT = word_of("C", "F", "A", "K")  # the same where it may follow that of an array
NUMPY_TYPES = DTYPES | {"int8", "int16", "uint16", "uint32", "uint64"}
LETTERS = {"f": "float", "i": "int", "u": "uint"}  # of numpy's short names, the bytes behind them: f4, i8
SHORT = {
    f"{letter}{bytes}": f"{word}{8 * bytes}" for letter, word in LETTERS.items() for bytes in (1, 2, 4, 8)
}
LETTER_NAMES = {"f": "float32", "d": "float64", "i": "int32", "l": "int64", "b": "int8", "?": "bool"}
NUMPY_DTYPES = {
    **{short: name for short, name in SHORT.items() if name in NUMPY_TYPES},
    **LETTER_NAMES,
    "float": "float64",  # what numpy makes of Python's own types
    "int": "int64",
    "bool_": "bool",
    "double": "float64",
    "single": "float32",
    "half": "float16",
    "long": "int64",  # of C's own types
    "longlong": "int64",
    "intp": "int64",
    "short": "int16",
    "byte": "int8",
    "ubyte": "uint8",
    "intc": "int32",
    "uint": "uint64",
}


def numpy_dtype(value: Any) -> str | None:
    """The dtype that an argument names, Python's float and int as numpy reads them."""
    name = value
    if isinstance(value, Kind):
        name = value.name.removeprefix("np.") if value.borrowed else None
    if isinstance(value, np.dtype):
        name = value.name
    if isinstance(name, str):
        name = name.removeprefix("<").removeprefix("=")
        found = NUMPY_DTYPES.get(name, name if name in NUMPY_TYPES else None)
        if found is not None:
            return found
    named = dtype_name(value)
    if named == TEXT:
        raise texts_are_not_converted()
    return named


def to_array(interpreter: Interpreter, value: Any, dtype: str | None = None) -> np.ndarray[Any, Any]:
    """A program's value as an array of numbers.

    Raises: ProgramError for a symbolic tensor, a text or a ragged list.
    """
    if isinstance(value, np.ndarray) and dtype is None and value.dtype.kind in NUMERIC:
        interpreter.budget.check_elements(value.shape)
        return value
    value = plain_values(interpreter, value)
    symbolic = next(filter(is_symbolic, value if isinstance(value, (list, tuple)) else (value,)), None)
    if symbolic is not None:
        raise _symbolic(symbolic)
    check_convertible(value, interpreter.budget.limits.alive_items)
    try:
        array = np.asarray(value, dtype=dtype)
    except (ValueError, TypeError, OverflowError):
        raise _not_numbers() from None
    if array.dtype.kind == "c":
        return _complex_number(array)
    if array.dtype.kind not in NUMERIC:
        raise _not_numbers()
    interpreter.budget.check_elements(array.shape)
    return array


def _complex_number(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """One complex number goes through numpy's functions. Raises: RefusedError for an array of them."""
    if array.ndim:
        raise complex_array()
    return array


def operand(interpreter: Interpreter, value: Any) -> Any:
    """An array; a number of Python's own stays one, and takes the type of what it meets."""
    return value if type(value) in (bool, int, float) else to_array(interpreter, value)


def option(interpreter: Interpreter, value: Any) -> Any:
    """An argument beside the arrays: lists and tensors as arrays, anything else as it is."""
    is_array = isinstance(value, (list, tuple, range)) or concrete(value) is not None
    return to_array(interpreter, value) if is_array else value


def texts_are_not_converted() -> ProgramError:
    """An array of texts stays what it is."""
    return ProgramError(
        "Arrays of texts and arrays of numbers are not converted into each other here.",
        hint="Numbers are made by [float(one) for one in texts], texts by [str(one) for one in numbers].",
        message_zh="这里不能在文字数组与数字数组之间转换。",
        hint_zh="数字请用 [float(one) for one in texts]，文字请用 [str(one) for one in numbers]。",
        code="bad_value",
    )


def unpack(array: Any) -> Any:
    """A number of its own for an array without axes. Raises: RefusedError for complex ones with axes."""
    if isinstance(array, np.ndarray) and array.dtype.kind == "c" and array.ndim:
        raise complex_array()
    return array[()] if isinstance(array, np.ndarray) and array.ndim == 0 else array


# -- making arrays -----------------------------------------------------------------------------------


@NUMPY.function("array")
def array(
    interpreter: Interpreter,
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = None,
    ndmin: Any = 0,
) -> Any:
    """A new array of a number, of nested lists or of an array; with `copy=None` an array stays as it is."""
    if order not in (None, "K", "A", "C", "F"):
        raise ValueError
    if int(ndmin) > MOST_AXES:
        raise too_many_axes(int(ndmin))
    if dtype is None and holds_texts(object):
        made = array_of_texts(interpreter, object)
    else:
        made = to_array(interpreter, object, numpy_dtype(dtype))
    made = own_array(made, object) if copy is None or copy is False else np.array(made)
    return made.reshape((1,) * (int(ndmin) - made.ndim) + made.shape) if made.ndim < int(ndmin) else made


@NUMPY.function("asarray", "asanyarray", "ascontiguousarray")
def asarray(interpreter: Interpreter, a: Any, dtype: Any = None) -> Any:
    """An array as it is where it has this type already, one of texts among them; else a new one."""
    if dtype is None and holds_texts(a):
        return a if isinstance(a, np.ndarray) else array_of_texts(interpreter, a)
    return own_array(to_array(interpreter, a, numpy_dtype(dtype)), a)


def own_array(array: Any, given: Any) -> Any:
    """`array` itself where it was made of an array of the program's own; a copy of what a tensor holds."""
    return array if isinstance(given, np.ndarray) else np.array(array)


def lengths_of(interpreter: Interpreter, shape: Any) -> tuple[int, ...]:
    """A shape argument as lengths, its size checked."""
    lengths = [shape] if isinstance(shape, (int, np.integer)) else taken(shape, interpreter.budget)
    if not all(isinstance(length, (int, np.integer)) and length >= 0 for length in lengths):
        raise ValueError("negative dimensions are not allowed")
    interpreter.budget.check_elements([int(length) for length in lengths])
    return tuple(int(length) for length in lengths)


def _filled(make: Callable[..., Any]) -> Callable[..., Any]:
    """Zeros, or ones, of a shape."""

    def call(interpreter: Interpreter, shape: Any, dtype: Any = "float64", order: Any = "C") -> Any:
        return make(lengths_of(interpreter, shape), dtype=numpy_dtype(dtype))

    return call


def _filled_like(make: Callable[..., Any]) -> Callable[..., Any]:
    """Zeros, or ones, shaped like an array."""

    def call(
        interpreter: Interpreter,
        a: Any,
        dtype: Any = None,
        order: Any = "K",
        subok: Any = True,
        shape: Any = None,
    ) -> Any:
        lengths = None if shape is None else lengths_of(interpreter, shape)
        return make(to_array(interpreter, a), dtype=numpy_dtype(dtype), shape=lengths)

    return call


NUMPY.function("zeros", "empty", order=ORDER)(_filled(np.zeros))
NUMPY.function("ones", order=ORDER)(_filled(np.ones))
NUMPY.function("zeros_like", "empty_like", order=LAID_OUT)(_filled_like(np.zeros_like))
NUMPY.function("ones_like", order=LAID_OUT)(_filled_like(np.ones_like))


@NUMPY.function("full")
def full(interpreter: Interpreter, shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """One value everywhere."""
    value = to_array(interpreter, fill_value)
    return np.full(lengths_of(interpreter, shape), value, dtype=numpy_dtype(dtype))


@NUMPY.function("arange")
def arange(interpreter: Interpreter, start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Evenly spaced numbers by their step."""
    bounds = (0, start) if stop is None else (start, stop)
    first, last, step = (option(interpreter, bound) for bound in (*bounds, step))
    if any(map(np.ndim, (first, last, step))):
        raise ValueError
    interpreter.budget.check_elements((max(int(np.ceil((last - first) / step)), 0),))
    return np.arange(first, last, step, dtype=numpy_dtype(dtype))


# -- shapes ------------------------------------------------------------------------------------------


@NUMPY.function("reshape", order=ORDER)
def reshape(interpreter: Interpreter, a: Any, newshape: Any, order: Any = "C") -> Any:
    """The same elements in another shape."""
    return reshaped(interpreter, to_array(interpreter, a), newshape, order)


def reshaped(interpreter: Interpreter, array: Any, shape: Any, order: Any = "C") -> Any:
    """Raises: ProgramError where the shape is not one of as many elements."""
    try:
        return array.reshape(shape, order=order)
    except ValueError as error:
        if not str(error).startswith("cannot reshape array"):
            raise
        if interpreter.row_numbers is not None:
            fitting = interpreter.row_numbers.shape(array.size, shape)
            if fitting is not None:
                return array.reshape(fitting, order=order)
        wanted = f"({', '.join(map(str, shape))})" if isinstance(shape, (tuple, list)) else f"({shape},)"
        has_other_rows = any(one.code == "stand_in_data" for one in interpreter.diagnostics)
        raise ProgramError(
            f"An array of shape {array.shape} has {array.size:,} elements, too many or few for {wanted}.",
            message_zh=f"形状为 {array.shape} 的数组有 {array.size} 个元素，放不进形状 {wanted}。",
            hint=FEWER_ROWS[0]
            if has_other_rows
            else "Write -1 for the one length that follows from the others.",
            hint_zh=FEWER_ROWS[1] if has_other_rows else "由其他长度推出的那个长度可以写 -1。",
            code="wrong_arguments",
            said=str(error),
        ) from error


FEWER_ROWS = (
    "The data that stands in has fewer rows than the real set: write -1 in place of their number.",
    "代替的数据比真实数据的行数少：请用 -1 代替行数。",
)


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


def _along_an_axis(join: Callable[..., Any]) -> Callable[..., Any]:
    """Arrays one after the other, or side by side along a new axis."""

    def call(interpreter: Interpreter, arrays: Any, axis: int = 0) -> Any:
        return join(_several(interpreter, arrays), axis=axis)

    return call


NUMPY.function("stack")(_along_an_axis(np.stack))


@NUMPY.function("concatenate")
def concatenate(interpreter: Interpreter, arrays: Any, /, axis: Any = 0) -> Any:
    """Arrays one after the other along an axis, or all their elements where that is None."""
    return np.concatenate(_several(interpreter, arrays), axis=axis)


NUMPY.function("vstack", "row_stack")(lambda interpreter, tup: np.vstack(_several(interpreter, tup)))
NUMPY.function("hstack")(lambda interpreter, tup: np.hstack(_several(interpreter, tup)))
NUMPY.function("dstack")(lambda interpreter, tup: np.dstack(_several(interpreter, tup)))


# -- choices and comparisons -------------------------------------------------------------------------


@NUMPY.function("clip")
def clip(interpreter: Interpreter, a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """Kept between two bounds."""
    values, low, high = to_array(interpreter, a), *(option(interpreter, bound) for bound in (a_min, a_max))
    SIZES["clip"](values, low, high).check(interpreter.budget)
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError
    found = np.clip(values, low, high, out)
    return found if out is not None else unpack(found)


@NUMPY.function("round", "around")
def round_(interpreter: Interpreter, a: Any, decimals: int = 0) -> Any:
    """Rounded to some decimals."""
    return unpack(np.round(to_array(interpreter, a), decimals))


@NUMPY.function("where")
def where(interpreter: Interpreter, condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """Elements of x where the condition holds, of y elsewhere; alone, the places where it holds."""
    if x is None and y is None:
        test = to_array(interpreter, condition)
        SIZES["nonzero"](test).check(interpreter.budget)
        return np.nonzero(test)
    parts = [to_array(interpreter, condition), operand(interpreter, x), operand(interpreter, y)]
    Size(together(*map(np.asarray, parts))).check(interpreter.budget)
    return unpack(np.where(*parts))


@NUMPY.function("allclose")
def allclose(
    interpreter: Interpreter,
    a: Any,
    b: Any,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: Any = False,
) -> bool:
    """Whether all elements are equal but for rounding."""
    left, right = to_array(interpreter, a), to_array(interpreter, b)
    SIZES["allclose"](left, right, rtol, atol).check(interpreter.budget)
    return bool(np.allclose(left, right, rtol=rtol, atol=atol, equal_nan=bool(equal_nan)))


# -- constants and types -----------------------------------------------------------------------------


def _converter(name: str) -> Callable[..., Any]:
    def convert(interpreter: Interpreter, value: Any = 0, /) -> Any:
        return unpack(to_array(interpreter, value).astype(name))

    return convert


def _unfilled(interpreter: Interpreter, shape: Any, dtype: Any = "float64") -> Any:
    """An array of a shape, as `np.empty` makes it; in numpy it holds whatever is left in memory."""
    return np.zeros(lengths_of(interpreter, shape), dtype=numpy_dtype(dtype))


NUMPY.value(Kind("np.bool_", _converter("bool"), (np.bool_,)), "bool_", "bool")
for name in sorted(NUMPY_TYPES - {"bool"}):
    NUMPY.value(Kind(f"np.{name}", _converter(name), (np.dtype(name).type,)), name)
for short, name in {"double": "float64", "single": "float32", "half": "float16", "int_": "int64"}.items():
    NUMPY.value(NUMPY.members[name], short)
NUMPY.value(NUMPY.members["int64"], "intp", "longlong", "long")
NUMPY.value(NUMPY.members["int32"], "intc")
NUMPY.value(Kind("np.ndarray", _unfilled, (np.ndarray,)), "ndarray")
NUMPY.value(Kind("np.dtype", lambda dtype: np.dtype(numpy_dtype(dtype)), (np.dtype,)), "dtype")
NUMPY.value(np.pi, "pi")
NUMPY.value(math.e, "e")
NUMPY.value(np.euler_gamma, "euler_gamma")
NUMPY.value(np.inf, "inf", "Inf")
NUMPY.value(np.nan, "nan", "NaN")
NUMPY.value(None, "newaxis")
NUMPY.value("1.26.4", "__version__")
NUMPY.value(Ignored("np.seterr"), "seterr")
NUMPY.refuse(
    ["load", "loadtxt", "genfromtxt", "save", "savetxt", "fromfile", "memmap"],
    "Write the numbers into the program as a list.",
    "请把数字以列表写进程序。",
)
NUMPY.refuse(
    ["fft"],
    "numpy's arrays have no complex numbers here. torch.fft and jax.numpy.fft, each in a program of its "
    "library, transform.",
    "这里的 numpy 数组没有复数。PyTorch 程序可用 torch.fft，JAX 程序可用 jax.numpy.fft。",
)
NUMPY.refuse(
    ["lib"],
    "Take windows by subscripts: np.stack([x[i:i + n] for i in range(len(x) - n + 1)]).",
    "请用下标取窗口：np.stack([x[i:i + n] for i in range(len(x) - n + 1)])。",
)


@runtime_checkable
class HasNoNumbers(Protocol):
    """A value that stands for numbers which are not known yet, and says so in its library's words."""

    def conversion_error(self) -> Exception:
        """The error for numpy, which cannot work on it."""


def _symbolic(value: Any) -> Exception:
    if isinstance(value, HasNoNumbers):
        return value.conversion_error()
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
