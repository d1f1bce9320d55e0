"""The errors of operators, in our words and in Python's."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError, RefusedError, SymbolicError
from engine.languages.interpreter.operators.tables import SEQUENCES, is_array
from engine.languages.interpreter.values import python_name, type_name


def no_result(symbol: str, error: ArithmeticError) -> ProgramError:
    """The error for two decimal numbers of which an operator makes none."""
    return ProgramError(
        f"`{symbol}` of these two numbers has no result.",
        message_zh=f"这两个数的 `{symbol}` 没有结果。",
        code="outside_domain",
        kind=type(error).__name__,
        said=str(error),
    )


def complex_array() -> RefusedError:
    """Arrays hold real numbers."""
    return RefusedError(
        "Arrays and tensors of complex numbers are not supported.",
        message_zh="不支持复数数组和复数张量。",
        hint="Compute with one complex number at a time, or with real and imaginary parts.",
        hint_zh="请逐个计算复数，或分别计算实部和虚部。",
        code="refused_complex",
    )


def check_refused(error: Exception) -> None:
    """Let an error go on unless Python or numpy itself turned the values down: it rose in code of ours."""
    if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
        raise error


def division_by_zero(symbol: str) -> ProgramError:
    """The error for a divisor of zero."""
    return ProgramError(
        f"Division by zero in `{symbol}`.",
        message_zh=f"`{symbol}` 中除数为零。",
        code="division_by_zero",
    )


def _tight(*shapes: Any) -> str:
    """Shapes as numpy writes them: (2,3) and a space behind each."""
    return "".join(f"{shape} ".replace(", ", ",") if isinstance(shape, tuple) else "" for shape in shapes)


def shapes_differ(symbol: str, left: Any, right: Any) -> ProgramError:
    """The error for arrays whose shapes an operator cannot combine."""
    a, b = (np.shape(side) if is_array(side) else type_name(side) for side in (left, right))
    return ProgramError(
        f"`{symbol}` cannot combine shapes {a} and {b}.",
        message_zh=f"`{symbol}` 无法组合形状 {a} 与 {b}。",
        hint="Lengths must be equal, or one of them 1.",
        hint_zh="各轴长度必须相等，或其中一个为 1。",
        code="shape_mismatch",
        said=None
        if symbol == "@"
        else f"operands could not be broadcast together with shapes {_tight(a, b)}",
    )


def unsupported(symbol: str, left: Any, right: Any) -> ProgramError:
    """The error for an operator between two kinds of value that it does not know."""
    a, b = type_name(left), type_name(right)
    return ProgramError(
        f"`{symbol}` does not work between {a} and {b}.",
        message_zh=f"`{symbol}` 不能用于 {a} 与 {b} 之间。",
        hint=_type_hint(symbol, left, right, chinese=False),
        hint_zh=_type_hint(symbol, left, right, chinese=True),
        code="type_mismatch",
        said=_in_python(symbol, left, right),
    )


def _in_python(symbol: str, left: Any, right: Any) -> str:
    """The same in Python's words."""
    a, b = python_name(left), python_name(right)
    if symbol == "in":
        return f"argument of type '{b}' is not iterable"
    if symbol in ("<", "<=", ">", ">="):
        return f"'{symbol}' not supported between instances of '{a}' and '{b}'"
    if symbol == "+" and isinstance(left, SEQUENCES):
        return f'can only concatenate {a} (not "{b}") to {a}'
    if symbol == "*" and isinstance(left, SEQUENCES):
        return f"can't multiply sequence by non-int of type '{b}'"
    if symbol == "*" and isinstance(right, SEQUENCES):
        return f"can't multiply sequence by non-int of type '{a}'"
    shown = "** or pow()" if symbol == "**" else symbol
    return f"unsupported operand type(s) for {shown}: '{a}' and '{b}'"


def _type_hint(symbol: str, left: Any, right: Any, chinese: bool) -> str:
    texts = [isinstance(side, str) for side in (left, right)]
    if symbol == "+" and any(texts) and not all(texts):
        return "用 str(...) 把数字变成文本。" if chinese else "Turn the number into text with str(...)."
    return ""


def unsupported_unary(symbol: str, value: Any) -> ProgramError:
    """The error for an operator on a value that does not take it."""
    return ProgramError(
        f"`{symbol}` does not work on a {type_name(value)}.",
        message_zh=f"`{symbol}` 不能用于 {type_name(value)}。",
        code="type_mismatch",
        said=f"bad operand type for unary {symbol}: '{python_name(value)}'",
    )


def symbolic_in_python(what: str, what_zh: str) -> SymbolicError:
    """The error for a symbolic tensor where Python needs its value."""
    return SymbolicError(
        f"A symbolic tensor has no {what} in Python: its value is only known inside a run.",
        message_zh=f"符号张量在 Python 中没有{what_zh}：它的值只有在运行时才知道。",
        hint="Use the result of `sess.run(...)`.",
        hint_zh="请使用 `sess.run(...)` 的结果。",
    )
