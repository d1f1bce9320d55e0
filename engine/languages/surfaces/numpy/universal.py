"""numpy's universal functions: element by element, and what they can do beside a call.

`np.add(a, b, out=c)` writes into an array of the program's own; `np.add.reduce`, `.accumulate`, `.outer` and
`.at` apply the function along an axis, to every pair, or at given places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.numpy.module import NUMPY, numpy_dtype, operand, to_array, unpack
from engine.languages.surfaces.numpy.sizes import CALLING, Size, together


class Universal(Native):
    """A universal function of numpy's under the name that a program calls it by."""

    def __init__(self, name: str, function: Callable[..., Any], ufunc: np.ufunc) -> None:
        super().__init__(name, function, borrowed=True)
        self.ufunc = ufunc


TYPE_NAMES[Universal] = TYPE_NAMES[Native]

OF_ONE = (
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh"),
    *("arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
    *("sqrt", "cbrt", "square", "abs", "absolute", "fabs", "sign", "signbit", "floor", "ceil", "rint"),
    *("trunc", "negative", "positive", "reciprocal", "isnan", "isinf", "isfinite", "logical_not", "invert"),
    *("bitwise_not", "deg2rad", "rad2deg", "degrees", "radians", "conj", "conjugate", "modf", "frexp"),
    *("spacing",),
)
OF_TWO = (
    *("add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "mod", "remainder", "fmod"),
    *("power", "float_power", "maximum", "minimum", "fmax", "fmin", "arctan2", "hypot", "logaddexp"),
    *("logaddexp2", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and"),
    *("logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"),
    *("copysign", "heaviside", "nextafter", "gcd", "lcm", "divmod", "ldexp"),
)


def written_into(out: Any) -> Any:
    """The array that a result goes into, which a program may give in a tuple. Raises: TypeError."""
    target = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if not isinstance(target, np.ndarray):
        raise TypeError
    return target


def chosen(interpreter: Interpreter, out: Any, where: Any, dtype: Any) -> dict[str, Any]:
    """The arguments beside the arrays, as numpy takes them; only those that were given."""
    given: dict[str, Any] = {}
    if out is not None:
        given["out"] = written_into(out)
    if where is not True:
        given["where"] = to_array(interpreter, where, "bool")
        if out is None:
            raise ValueError  # the other elements would be whatever memory holds
    if dtype is not None:
        given["dtype"] = numpy_dtype(dtype)
    return given


def given_back(found: Any, out: Any) -> Any:
    """The array that was written into itself; else the result, a number of its own where it has no axes."""
    if out is not None:
        return found
    return tuple(map(unpack, found)) if isinstance(found, tuple) else unpack(found)


def _of_one(ufunc: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter, x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None
    ) -> Any:
        if out is None and where is True and dtype is None:
            return given_back(ufunc(to_array(interpreter, x)), None)
        return given_back(ufunc(to_array(interpreter, x), **chosen(interpreter, out, where, dtype)), out)

    return call


def _of_two(ufunc: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        x1: Any,
        x2: Any,
        /,
        out: Any = None,
        *,
        where: Any = True,
        dtype: Any = None,
    ) -> Any:
        a, b = operand(interpreter, x1), operand(interpreter, x2)
        Size(together(np.asarray(a), np.asarray(b))).check(interpreter.budget)
        return given_back(ufunc(a, b, **chosen(interpreter, out, where, dtype)), out)

    return call


for word in OF_ONE:
    NUMPY.members[word] = Universal(f"np.{word}", _of_one(getattr(np, word)), getattr(np, word))
for word in OF_TWO:
    NUMPY.members[word] = Universal(f"np.{word}", _of_two(getattr(np, word)), getattr(np, word))

METHODS = members_of(Universal, "function")


@METHODS.method("reduce")
def reduce(
    interpreter: Interpreter,
    function: Universal,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
) -> Any:
    """The function applied between all elements along an axis."""
    values, target = to_array(interpreter, array), None if out is None else written_into(out)
    fold: Any = function.ufunc.reduce
    found = fold(values, axis, numpy_dtype(dtype), target, bool(keepdims))
    return given_back(found, out)


@METHODS.method("accumulate")
def accumulate(
    interpreter: Interpreter, function: Universal, array: Any, axis: Any = 0, dtype: Any = None
) -> Any:
    """The results so far of applying the function along an axis."""
    return function.ufunc.accumulate(to_array(interpreter, array), int(axis), numpy_dtype(dtype))


@METHODS.method("outer")
def outer(interpreter: Interpreter, function: Universal, A: Any, B: Any) -> Any:
    """The function of every element of A with every element of B."""
    a, b = to_array(interpreter, A), to_array(interpreter, B)
    interpreter.budget.check_elements((*a.shape, *b.shape))
    return given_back(function.ufunc.outer(a, b), None)


@METHODS.method("at")
def at(interpreter: Interpreter, function: Universal, a: Any, indices: Any, b: Any = None) -> None:
    """An array changed in place at these places, one of them as often as it is named."""
    if not isinstance(a, np.ndarray):
        raise TypeError
    places = tuple(to_array(interpreter, one) for one in indices) if isinstance(indices, tuple) else None
    key = to_array(interpreter, indices) if places is None else places
    count = key.size if isinstance(key, np.ndarray) else max((one.size for one in key), default=0)
    interpreter.budget.spend(count * max(a[:1].size, 1) + CALLING)
    function.ufunc.at(a, key, *(() if b is None else (to_array(interpreter, b),)))
