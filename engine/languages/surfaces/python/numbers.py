"""Python's `math`, `statistics` and `fractions`."""

from __future__ import annotations

import ast
import math
import statistics
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.functions import NUMBERS_OF, ROUNDED, Kind, bounded, one_number
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.classes.special import combine
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OPERANDS, SIZE_CHECKS, is_symbolic
from engine.languages.interpreter.values import TYPE_NAMES, concrete, python_name, type_name
from engine.languages.surfaces.library import Library

MATH = Library("math", borrowed=True)
STATISTICS = Library("statistics", borrowed=True)
FRACTIONS = Library("fractions", borrowed=True)

ONE_ARGUMENT: dict[str, Callable[[float], Any]] = {
    name: getattr(math, name)
    for name in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
        *("exp", "expm1", "log2", "log10", "log1p", "sqrt", "fabs"),
        *("floor", "ceil", "trunc", "isnan", "isinf", "isfinite", "radians", "degrees", "erf"),
        *("erfc", "gamma", "lgamma", "asinh", "acosh", "atanh", "cbrt", "exp2", "ulp"),
    )
}

for constant in ("pi", "e", "tau", "inf", "nan"):
    MATH.value(getattr(math, constant), constant)


def _one(name: str, function: Callable[[float], Any]) -> Callable[..., Any]:
    def call(x: Any, /) -> Any:
        return _within_domain(name, function, _number(name, x))

    return call


def _two(name: str, function: Callable[[float, float], float]) -> Callable[..., float]:
    return lambda x, y, /: function(_number(name, x), _number(name, y))


for name, function in ONE_ARGUMENT.items():
    MATH.function(name)(_one(name, function))


@MATH.function("log")
def log(x: Any, base: Any = math.e, /) -> float:
    """The natural logarithm, or to another base."""
    number = _number("log", x)
    if base == math.e:
        return float(_within_domain("log", math.log, number))
    return float(_within_domain("log", lambda value: math.log(value, _number("log", base)), number))


@MATH.function("pow")
def pow_(x: Any, y: Any, /) -> float:
    """x to the power y, as a float."""
    exponent = _number("pow", y)
    return float(_within_domain("pow", lambda base: math.pow(base, exponent), _number("pow", x)))


@MATH.function("factorial")
def factorial(interpreter: Interpreter, n: int, /) -> int:
    """1 · 2 · … · n."""
    interpreter.budget.check_bits(max(int(n), 1) * max(int(n), 1).bit_length())
    return math.factorial(n)


@MATH.function("comb")
def comb(interpreter: Interpreter, n: int, k: int, /) -> int:
    """How many ways there are to choose k of n."""
    chosen = min(int(k), int(n) - int(k))  # as many ways as there are to leave the others
    interpreter.budget.check_bits(min(int(n), max(chosen, 0) * max(int(n), 1).bit_length()))
    return math.comb(n, k)


@MATH.function("fsum")
def fsum(interpreter: Interpreter, seq: Any, /) -> float:
    """The sum without rounding on the way."""
    return math.fsum(_number("fsum", item) for item in bounded(interpreter, seq))


@MATH.function("isclose")
def isclose(a: Any, b: Any, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    """Whether two numbers are equal but for rounding."""
    return math.isclose(_number("isclose", a), _number("isclose", b), rel_tol=rel_tol, abs_tol=abs_tol)


MATH.function("gcd")(lambda *numbers: math.gcd(*numbers))
MATH.function("copysign")(lambda x, y, /: math.copysign(_number("copysign", x), _number("copysign", y)))
MATH.function("fmod")(lambda x, y, /: math.fmod(_number("fmod", x), _number("fmod", y)))


@MATH.function("atan2")
def atan2(y: Any, x: Any, /) -> float:
    """The angle of the point (x, y)."""
    return math.atan2(_number("atan2", y), _number("atan2", x))


@MATH.function("hypot")
def hypot(*sides: Any) -> float:
    """The length of the diagonal."""
    return math.hypot(*(_number("hypot", side) for side in sides))


@MATH.function("prod")
def prod(interpreter: Interpreter, iterable: Any, /, *, start: Any = 1) -> Any:
    """The product of all items."""
    total = start
    for value in bounded(interpreter, iterable):
        interpreter.budget.step()
        total = combine(interpreter, ast.Mult, total, value)
    return total


@MATH.function("dist")
def dist(interpreter: Interpreter, p: Any, q: Any, /) -> float:
    """How far two points are from each other."""
    points = ([_number("dist", x) for x in bounded(interpreter, one)] for one in (p, q))
    return math.dist(*points)


@MATH.function("perm")
def perm(interpreter: Interpreter, n: int, k: Any = None, /) -> int:
    """How many ways there are to put k of n in a row."""
    chosen = int(n) if k is None else int(k)
    interpreter.budget.check_bits(min(max(chosen, 1), max(int(n), 1)) * max(int(n), 1).bit_length())
    return math.perm(n, chosen)


@MATH.function("lcm")
def lcm(interpreter: Interpreter, *integers: int) -> int:
    """The smallest number that all of them divide."""
    interpreter.budget.check_bits(sum(int(one).bit_length() for one in integers))
    return math.lcm(*integers)


MATH.function("isqrt")(lambda n, /: math.isqrt(n))
MATH.function("frexp")(lambda x, /: math.frexp(_number("frexp", x)))
MATH.function("modf")(lambda x, /: math.modf(_number("modf", x)))
MATH.function("ldexp")(
    lambda x, i, /: _within_domain("ldexp", lambda value: math.ldexp(value, i), _number("ldexp", x))
)
for two in ("remainder", "nextafter"):
    MATH.function(two)(_two(two, getattr(math, two)))

# -- statistics --------------------------------------------------------------------------------------

OF_DATA = (
    *("mean", "fmean", "median", "median_low", "median_high", "mode", "multimode", "harmonic_mean"),
    *("geometric_mean", "stdev", "pstdev", "variance", "pvariance"),
)


def _of_data(function: Callable[[Any], Any]) -> Callable[..., Any]:
    """What a list of numbers comes to."""

    def call(interpreter: Interpreter, data: Any, /) -> Any:
        values = _plain_numbers(interpreter, data)
        interpreter.budget.spend(100 * len(values))  # it adds them up as fractions
        return function(values)

    return call


def _plain_numbers(interpreter: Interpreter, data: Any) -> list[Any]:
    values = [
        value.item() if isinstance(value, np.generic) else value for value in bounded(interpreter, data)
    ]
    if not all(isinstance(value, (int, float, Fraction)) for value in values):
        raise TypeError
    return values


for name in OF_DATA:
    STATISTICS.function(name)(_of_data(getattr(statistics, name)))


@STATISTICS.function("quantiles")
def quantiles(interpreter: Interpreter, data: Any, /, *, n: int = 4) -> list[float]:
    """Where the data is cut into n parts that hold as many items each."""
    interpreter.budget.check_length(n)
    return statistics.quantiles(_plain_numbers(interpreter, data), n=n)


# -- fractions ---------------------------------------------------------------------------------------

LONGEST = 400  # characters that write one


def fraction(numerator: Any = 0, denominator: Any = None) -> Fraction:
    """A fraction of two whole numbers, or of a float or a text."""
    if isinstance(numerator, str) and (len(numerator) > LONGEST or "e" in numerator.lower()):
        raise ValueError
    return Fraction(numerator, denominator)


def _check_fraction(symbol: str, left: Any, right: Any, budget: Budget) -> None:
    """The parts of a fraction grow with every product and sum: how wide they get, from above."""
    if symbol == "**":
        power = abs(right) if isinstance(right, int) else 1
        budget.check_bits(_bits(left) * power)
    else:
        budget.check_bits(_bits(left) + _bits(right))


def _bits(value: Any) -> int:
    if not isinstance(value, (int, Fraction)):
        return 0
    return value.numerator.bit_length() + value.denominator.bit_length()


FRACTION = members_of(Fraction, "Fraction")
FRACTION.fact("numerator")(lambda value: value.numerator)
FRACTION.fact("denominator")(lambda value: value.denominator)
FRACTION.method("limit_denominator")(
    lambda value, max_denominator=1000000: value.limit_denominator(max_denominator)
)
FRACTIONS.value(Kind("fractions.Fraction", fraction, (Fraction,)), "Fraction")
ROUNDED[Fraction] = lambda value, digits: round(value, digits)
SHOWN[Fraction] = (str, repr)
OPERANDS[Fraction] = "+ - * ** / // %"
SIZE_CHECKS[Fraction] = _check_fraction
TYPE_NAMES[Fraction] = lambda value: "Fraction"


def _number(name: str, value: Any) -> float:
    if type(value) in NUMBERS_OF:
        value = one_number(value)
    if concrete(value) is not None:
        value = concrete(value)
    if is_symbolic(value):
        raise ProgramError(
            f"math.{name} needs a number; a symbolic tensor has none before it is run.",
            message_zh=f"math.{name} 需要数字；符号张量在运行之前没有数值。",
            hint=f"Use tf.{name} for tensors.",
            hint_zh=f"张量请使用 tf.{name}。",
            code="symbolic_value",
        )
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise ProgramError(
            f"math.{name} needs a number, not a {type_name(value)}.",
            message_zh=f"math.{name} 需要数字，不能是 {type_name(value)}。",
            code="type_mismatch",
            said=f"must be real number, not {python_name(value)}",
        )
    return float(value)


def _within_domain(name: str, function: Callable[[float], Any], value: float) -> Any:
    try:
        return function(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ProgramError(
            f"math.{name} has no value at {value:g}.",
            message_zh=f"math.{name} 在 {value:g} 处没有值。",
            hint="It is outside of the function's domain, or the result is too large for a float.",
            hint_zh="它不在函数的定义域内，或结果超出浮点数范围。",
            code="outside_domain",
        ) from None
