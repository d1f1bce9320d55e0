"""The modules of Python's own library that programs use: math and time, and the two streams of sys."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import bounded
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import is_symbolic
from engine.languages.interpreter.values import a_kind, concrete, python_name, type_name
from engine.languages.surfaces.library import Library


@dataclass(frozen=True, slots=True)
class OutputStream:
    """`sys.stdout` or `sys.stderr`: both come out as what the program printed."""

    name: str


STREAMS = {name: OutputStream(name) for name in ("stdout", "stderr")}
STREAM = members_of(OutputStream, "stream")
STREAM.method("flush")(lambda stream: None)


@STREAM.method("write")
def write(interpreter: Interpreter, stream: OutputStream, text: Any) -> int:
    """Write a text as it is."""
    if not isinstance(text, str):
        raise ProgramError(
            f"`write` takes a text, not {a_kind(text)}.",
            message_zh=f"`write` 需要文字，不能是 {type_name(text)}。",
            hint="Write str(…) around it.",
            hint_zh="请用 str(…) 转换。",
            code="type_mismatch",
        )
    interpreter.print(text)
    return len(text)


MATH = Library("math", borrowed=True)
TIME = Library("time", borrowed=True)

SECONDS_PER_CALL = 0.001

ONE_ARGUMENT: dict[str, Callable[[float], Any]] = {
    name: getattr(math, name)
    for name in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
        *("exp", "expm1", "log2", "log10", "log1p", "sqrt", "fabs"),
        *("floor", "ceil", "trunc", "isnan", "isinf", "isfinite", "radians", "degrees", "erf"),
        *("erfc", "gamma", "lgamma", "asinh", "acosh", "atanh"),
    )
}

for constant in ("pi", "e", "tau", "inf", "nan"):
    MATH.value(getattr(math, constant), constant)


def _one(name: str, function: Callable[[float], Any]) -> Callable[..., Any]:
    def call(x: Any, /) -> Any:
        return _within_domain(name, function, _number(name, x))

    return call


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


@TIME.function("time", "perf_counter", "monotonic", "clock")
def time_(interpreter: Interpreter) -> float:
    """A clock that moves a thousandth of a second per call, so that every run is the same."""
    interpreter.workspace.clock_readings += 1
    return float(round(interpreter.workspace.clock_readings * SECONDS_PER_CALL, 3))


@TIME.function("sleep")
def sleep(seconds: Any) -> None:
    """Goes on at once."""


def _number(name: str, value: Any) -> float:
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
