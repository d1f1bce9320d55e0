"""Operators of one and of two values: `a + b`, `-a`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.formatting import format_percent
from engine.languages.interpreter.operators.checks import check_integers, check_operands
from engine.languages.interpreter.operators.errors import (
    check_refused,
    complex_array,
    division_by_zero,
    no_result,
    shapes_differ,
    unsupported,
    unsupported_unary,
)
from engine.languages.interpreter.operators.tables import BINARY, OPERANDS, SCALARS, UNARY, WHOLE, is_symbolic
from engine.languages.interpreter.values import NUMBERS, TEXTS
from engine.ops.base.slices import IndexedSlices


def apply_binary(kind: type[ast.operator], left: Any, right: Any, budget: Budget) -> Any:
    """`left op right`; the caller has set where new nodes come from."""
    symbol, function = BINARY[kind]
    if type(left) in SCALARS and type(right) in SCALARS:
        if type(left) in WHOLE and type(right) in WHOLE:
            check_integers(symbol, int(left), int(right), budget)
        return _plain(symbol, function, left, right)
    if symbol == "%" and isinstance(left, str):
        return format_percent(left, right, budget)
    check_operands(kind, left, right, budget)
    result = _plain(symbol, function, left, right)
    if isinstance(result, np.ndarray):
        budget.hold(result)
    return result


def _plain(symbol: str, function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    try:
        result = function(left, right)
    except ZeroDivisionError:
        raise division_by_zero(symbol) from None
    except OverflowError:
        raise ProgramError(
            f"The result of `{symbol}` is too large for a float.",
            message_zh=f"`{symbol}` 的结果超出了浮点数的范围。",
            code="overflow",
        ) from None
    except ArithmeticError as error:  # of a decimal number
        raise no_result(symbol, error) from None
    except (ValueError, TypeError) as error:
        check_refused(error)
        differ = isinstance(error, ValueError)
        raise (shapes_differ if differ else unsupported)(symbol, left, right) from None
    if isinstance(result, np.ndarray) and result.dtype.kind == "c":
        raise complex_array()
    return result


def apply_unary(kind: type[ast.unaryop], value: Any, budget: Budget) -> Any:
    """`-value`, `+value`, `~value`."""
    symbol, function = UNARY[kind]
    if is_symbolic(value) and symbol == "+":
        return value
    if isinstance(value, np.ndarray):
        budget.check_elements(value.shape)
    if not (
        isinstance(value, (*NUMBERS, IndexedSlices))
        or (isinstance(value, np.ndarray) and value.dtype.kind not in TEXTS)
        or is_symbolic(value)
        or symbol in OPERANDS.get(type(value), "")
    ):
        raise unsupported_unary(symbol, value)
    try:
        return function(value)
    except TypeError as error:
        check_refused(error)
        raise unsupported_unary(symbol, value) from None
