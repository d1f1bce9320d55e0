"""`scipy.special` of numpy's arrays: the logistic function, softmax, gamma and error functions, counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.module import to_array, unpack

SCIPY = Library("scipy", borrowed=True)
SCIPY.value("1.17.0", "__version__")
MOST = 1000  # of which a factorial is written out with all its digits
ONLY_SPECIAL = (
    "Of SciPy there are a few functions of scipy.special; numpy.linalg, numpy and optax have others.",
    "SciPy 只提供 scipy.special 的几个函数；numpy.linalg、numpy 和 optax 提供另一些。",
)
SCIPY.refuse(
    [
        *("optimize", "stats", "linalg", "signal", "integrate", "interpolate", "spatial", "sparse"),
        *("ndimage", "io", "misc", "fft", "fftpack", "cluster", "constants"),
    ],
    *ONLY_SPECIAL,
)


def _floats(interpreter: Interpreter, x: Any) -> Any:
    """The numbers as an array of floats, in their own precision."""
    array = to_array(interpreter, x)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _elementwise(function: Callable[[Any], Any], *names: str) -> None:
    def call(interpreter: Interpreter, x: Any, /) -> Any:
        interpreter.budget.check_elements(np.shape(x))
        with np.errstate(all="ignore"):
            return unpack(function(_floats(interpreter, x)))

    SCIPY.function(*(f"special.{name}" for name in names))(call)


def expit(x: Any) -> Any:
    """1 / (1 + e⁻ˣ), without overflow on either side."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, small) / (1 + small)


def _gamma_of(x: float) -> float:
    if x <= 0 and x == math.floor(x):
        return math.nan if x else math.inf
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf


def _log_gamma_of(x: float) -> float:
    return math.inf if x <= 0 and x == math.floor(x) else math.lgamma(x)


def _each(function: Callable[[float], float]) -> Callable[[Any], Any]:
    def all_of(x: Any) -> Any:
        found = np.array([function(one) for one in x.reshape(-1).tolist()], x.dtype)
        return found.reshape(x.shape)

    return all_of


_elementwise(expit, "expit")
_elementwise(lambda p: np.log(p / (1 - p)), "logit")
_elementwise(_each(math.erf), "erf")
_elementwise(_each(math.erfc), "erfc")
_elementwise(_each(_gamma_of), "gamma")
_elementwise(_each(_log_gamma_of), "gammaln", "loggamma")

# -- along an axis -----------------------------------------------------------------------------------


def _log_sum(x: Any, axis: Any) -> Any:
    """log Σ eˣ, with the largest x in front: m + log Σ eˣ⁻ᵐ."""
    highest = x.max(axis=axis, keepdims=True)
    highest = np.where(np.isfinite(highest), highest, 0)
    return highest + np.log(np.exp(x - highest).sum(axis=axis, keepdims=True))


@SCIPY.function("special.logsumexp")
def logsumexp(interpreter: Interpreter, a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """log Σ eᵃ along an axis, or of all numbers."""
    found = _log_sum(_floats(interpreter, a), axis)
    if keepdims:
        return found
    return unpack(found.reshape(()) if axis is None else np.squeeze(found, axis))


@SCIPY.function("special.softmax")
def softmax(interpreter: Interpreter, x: Any, axis: Any = None) -> Any:
    """eˣ / Σ eˣ along an axis, or of all numbers."""
    numbers = _floats(interpreter, x)
    powers = np.exp(numbers - numbers.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@SCIPY.function("special.log_softmax")
def log_softmax(interpreter: Interpreter, x: Any, axis: Any = None) -> Any:
    """x - log Σ eˣ along an axis, or of all numbers."""
    numbers = _floats(interpreter, x)
    return numbers - _log_sum(numbers, axis)


# -- counts ------------------------------------------------------------------------------------------


@SCIPY.function("special.factorial")
def factorial(interpreter: Interpreter, n: Any, exact: Any = False) -> Any:
    """n! = 1 · 2 · … · n, as a float, or with all digits of one whole number; 0 below zero."""
    if exact:
        return _whole(n, math.factorial)
    numbers = _floats(interpreter, n)
    return unpack(np.where(numbers < 0, 0, _each(_gamma_of)(np.maximum(numbers, 0) + 1)))


@SCIPY.function("special.comb")
def comb(interpreter: Interpreter, N: Any, k: Any, exact: Any = False, repetition: Any = False) -> Any:
    """How many choices of k there are among N."""
    if repetition:
        N = to_array(interpreter, N) + to_array(interpreter, k) - 1
    if exact:
        return _whole(N, lambda count: math.comb(count, int(k)))
    many, few = np.broadcast_arrays(_floats(interpreter, N), _floats(interpreter, k))
    found = [
        float(math.comb(int(n), int(one))) if 0 <= one <= n else 0.0
        for n, one in zip(many.flat, few.flat, strict=True)
    ]
    return unpack(np.array(found).reshape(many.shape))


def _whole(n: Any, function: Callable[[int], int]) -> int:
    if not isinstance(n, (int, np.integer)) or not 0 <= n <= MOST:
        raise ProgramError(
            f"With exact=True it takes a whole number from 0 to {MOST} here.",
            message_zh=f"写 exact=True 时，这里只接受 0 到 {MOST} 的一个整数。",
            code="bad_value",
            kind="ValueError",
        )
    return function(int(n))


@SCIPY.function("special.xlogy")
def xlogy(interpreter: Interpreter, x: Any, y: Any) -> Any:
    """x · log y, 0 where x is 0."""
    factor, inside = np.broadcast_arrays(_floats(interpreter, x), _floats(interpreter, y))
    with np.errstate(all="ignore"):
        return unpack(np.where(factor == 0, np.where(np.isnan(inside), np.nan, 0), factor * np.log(inside)))
