"""Python's `decimal`: numbers with so many decimal digits, and the context that says how many."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Context, Decimal
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.formatting import WRITTEN_BY
from engine.languages.interpreter.builtins.functions import ROUNDED, Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OPERANDS, SIZE_CHECKS
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES, Block, OfRun
from engine.languages.surfaces.library import Library

DECIMAL = Library("decimal", borrowed=True)
LONGEST = 2000  # characters that write one
MOST_DIGITS = 2000  # that a context may keep
MOST_EXPONENT = 10_000  # of ten: a whole number of so many digits is written at once


def decimal_(interpreter: Interpreter, value: Any = "0", context: Any = None) -> Decimal:
    """A decimal number of a whole number, a float with all its digits, or a text."""
    _own_context(interpreter)
    if isinstance(value, str) and len(value) > LONGEST:
        raise _too_long()
    if isinstance(value, (list, tuple)):
        value = (value[0], tuple(value[1]), value[2])
    made = Decimal(value)
    if made.is_finite() and abs(made.adjusted()) > MOST_EXPONENT:
        raise _too_long()
    return made


def _own_context(interpreter: Interpreter) -> Context:
    """The context of this run, which begins as Python's own."""
    context: Context = interpreter.of_run(CONTEXT)
    return context


def _begin(interpreter: Interpreter) -> Context:
    begun: Context = interpreter.workspace.opened.enter_context(decimal.localcontext(decimal.DefaultContext))
    begun.Emax, begun.Emin = MOST_EXPONENT, -MOST_EXPONENT
    return begun


CONTEXT = OfRun(_begin)


def _too_long() -> ProgramError:
    return ProgramError(
        "This decimal number is too long.",
        message_zh="这个十进制数太长。",
        hint=f"Here numbers have up to {MOST_DIGITS} digits, and exponents up to {MOST_EXPONENT}.",
        hint_zh=f"这里的数最多有 {MOST_DIGITS} 位，指数最大为 {MOST_EXPONENT}。",
        code="bad_value",
    )


MEMBERS = members_of(Decimal, "Decimal")
DECIMAL.value(Kind("decimal.Decimal", decimal_, (Decimal,)), "Decimal")
SHOWN[Decimal] = (str, repr)
TYPE_NAMES[Decimal] = lambda value: "Decimal"
PYTHON_NAMES[Decimal] = lambda value: "decimal.Decimal"
OPERANDS[Decimal] = "+ - * ** / // %"
ROUNDED[Decimal] = lambda value, digits: round(value) if digits is None else round(value, int(digits))


def _check_size(symbol: str, left: Any, right: Any, budget: Budget) -> None:
    """Decimal numbers are rounded to so many digits; a power may still have a huge exponent."""
    for value in (left, right):
        if isinstance(value, int):
            budget.check_bits(value.bit_length())


SIZE_CHECKS[Decimal] = _check_size


WRITTEN_BY[Decimal] = format

METHODS = (
    *("sqrt", "exp", "ln", "log10", "copy_abs", "copy_negate", "is_nan", "is_infinite", "is_finite"),
    *("is_zero", "is_signed", "normalize", "to_integral_value", "as_tuple", "adjusted", "compare"),
    *("max", "min", "fma", "as_integer_ratio"),
)


def _method(name: str) -> Callable[..., Any]:
    def call(interpreter: Interpreter, value: Any, *args: Any) -> Any:
        _own_context(interpreter)
        return getattr(Decimal, name)(value, *args)

    return call


for one in METHODS:
    MEMBERS.method(one)(_method(one))


@MEMBERS.method("quantize")
def quantize(interpreter: Interpreter, value: Any, exp: Any, rounding: Any = None) -> Decimal:
    """Rounded to the digits that another number has."""
    _own_context(interpreter)
    return Decimal.quantize(value, Decimal(exp), rounding)


MEMBERS.fact("real")(lambda value: value)

ROUNDINGS = (
    *("ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP", "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_DOWN"),
    *("ROUND_HALF_EVEN", "ROUND_05UP"),
)
for rounding_name in ROUNDINGS:
    DECIMAL.value(rounding_name, rounding_name)
for error in ("InvalidOperation", "DivisionByZero", "Inexact"):
    DECIMAL.value(EXCEPTIONS[error], error)


# -- the context -------------------------------------------------------------------------------------

OF_CONTEXT = members_of(Context, "Context")
SHOWN[Context] = (lambda context: f"Context(prec={context.prec}, rounding={context.rounding})",) * 2
TYPE_NAMES[Context] = lambda value: "decimal context"
OF_CONTEXT.fact("prec")(lambda context: context.prec)
OF_CONTEXT.fact("rounding")(lambda context: context.rounding)


def _set_prec(context: Any, digits: Any) -> None:
    if not 1 <= int(digits) <= MOST_DIGITS:
        raise ProgramError(
            f"A context keeps from 1 to {MOST_DIGITS} digits here, not {int(digits)}.",
            message_zh=f"这里的 context 保留 1 到 {MOST_DIGITS} 位数字，不能是 {int(digits)} 位。",
            code="bad_value",
        )
    context.prec = int(digits)


def _set_rounding(context: Any, way: Any) -> None:
    if way not in ROUNDINGS:
        raise ProgramError(
            "This is no way of rounding.",
            message_zh="没有这种舍入方式。",
            hint="Write decimal.ROUND_HALF_UP.",
            hint_zh="请写 decimal.ROUND_HALF_UP。",
            code="type_mismatch",
        )
    context.rounding = way


OF_CONTEXT.settable["prec"] = _set_prec
OF_CONTEXT.settable["rounding"] = _set_rounding


@DECIMAL.function("getcontext")
def getcontext(interpreter: Interpreter) -> Context:
    """How many digits are kept, and how numbers are rounded."""
    return _own_context(interpreter)


@DECIMAL.function("localcontext")
def localcontext(interpreter: Interpreter, ctx: Any = None, **kwargs: Any) -> Block:
    """A block with a context of its own."""
    _own_context(interpreter)

    def opened() -> AbstractContextManager[Any]:
        return decimal.localcontext(ctx, **kwargs)

    return Block(opened)
