"""Mathematical text to lines of formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedToken, v_args
from lark.lexer import Lexer

from engine.errors import GradlensError, ProgramError, Span
from engine.execution.budget import Limits
from engine.programs.interpreter.parse import nesting_error
from engine.programs.interpreter.source import check_characters, check_size

from .tokens import superscript_value, tokenize
from .tree import Call, Expression, Line, Name, Negative, Number, Operation, Vector, depth, joined

# What the parser was waiting for, in words; kinds that begin a value are told together.
WORDS: dict[str, tuple[str, str]] = {
    "CLOSE": ("a closing bracket `)`", "右括号 `)`"),
    "LIST_CLOSE": ("a closing bracket `]`", "右方括号 `]`"),
    "BAR_CLOSE": ("a closing bar `|`", "右竖线 `|`"),
    "EQUALS": ("`=`", "`=`"),
    "TIMES": ("an operator", "运算符"),
    "NUMBER": ("a number, a name or a bracket", "数字、名字或括号"),
}

CLOSERS = ("CLOSE", "LIST_CLOSE", "BAR_CLOSE")


class _Prepared(Lexer):
    """Hands our own tokens to the parser."""

    def __init__(self, lexer_conf: Any) -> None:
        """Nothing to set up: the terminals are declared, not described."""

    def lex(self, tokens: Any) -> Iterator[Token]:  # type: ignore[override]  # the form that Lark calls first
        """The tokens that `tokenize` made, in the parser's dress."""
        for token in tokens:
            place = token.span
            yield Token(
                token.kind,
                token.text,
                line=place.line,
                column=place.column,
                end_line=place.end_line,
                end_column=place.end_column,
            )


def _span(token: Token) -> Span:
    return Span(token.line or 1, token.column or 1, token.end_line or 1, token.end_column or 1)


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Turns what the grammar matched into the tree, while it is being matched."""

    def start(self, *lines: Any) -> list[Line]:
        return [line for line in lines if isinstance(line, Line)]

    def definition(self, name: Token, equals: Token, value: Expression) -> Line:
        return Line(value, str(name), _span(name))

    def value(self, value: Expression) -> Line:
        return Line(value)

    def binary(self, left: Expression, symbol: Token, right: Expression) -> Operation:
        return Operation(str(symbol), left, right, joined(left.span, right.span))

    def implicit(self, left: Expression, right: Expression) -> Operation:
        return Operation("*", left, right, joined(left.span, right.span), implicit=True)

    def power(self, base: Expression, symbol: Token, exponent: Expression) -> Operation:
        return Operation("^", base, exponent, joined(base.span, exponent.span))

    def superscript(self, base: Expression, token: Token) -> Operation:
        exponent = Number(superscript_value(token), _span(token))
        return Operation("^", base, exponent, joined(base.span, exponent.span))

    def negative(self, sign: Token, operand: Expression) -> Negative:
        return Negative(operand, joined(_span(sign), operand.span))

    def positive(self, sign: Token, operand: Expression) -> Expression:
        return operand

    def number(self, token: Token) -> Number:
        whole = token.isdigit()
        return Number(int(token) if whole and len(token) < 16 else float(token), _span(token))

    def name(self, token: Token) -> Name:
        return Name(str(token), _span(token))

    def group(self, opening: Token, inner: Expression, closing: Token) -> Expression:
        return replace(inner, span=joined(_span(opening), _span(closing)))

    def absolute(self, opening: Token, inner: Expression, closing: Token) -> Call:
        place = joined(_span(opening), _span(closing))
        return Call("abs", (inner,), place, _span(opening))

    def vector(self, opening: Token, items: tuple[Expression, ...], closing: Token) -> Vector:
        return Vector(items, joined(_span(opening), _span(closing)))

    def arguments(self, *parts: Any) -> tuple[Expression, ...]:
        return tuple(part for part in parts if part is not None and not isinstance(part, Token))

    def call(self, name: Token, opening: Token, arguments: tuple[Expression, ...], closing: Token) -> Call:
        return Call(str(name), arguments, joined(_span(name), _span(closing)), _span(name))

    def bare_call(self, name: Token, argument: Expression) -> Call:
        return Call(str(name), (argument,), joined(_span(name), argument.span), _span(name))

    def function_power(self, *tokens: Token) -> Expression:
        token = tokens[-1]
        power = self.number(token) if token.type == "NUMBER" else self.name(token)
        return self.negative(tokens[0], power) if len(tokens) == 2 else power

    def call_power(self, name: Token, *parts: Any) -> Operation:
        *power, _opening, arguments, closing = parts
        call = Call(str(name), arguments, joined(_span(name), _span(closing)), _span(name))
        return _function_power(call, power)

    def bare_power(self, name: Token, *parts: Any) -> Operation:
        *power, argument = parts
        return _function_power(self.bare_call(name, argument), power)


def _function_power(call: Call, power: list[Any]) -> Operation:
    """`sin^2 x` is `(sin x)^2`; `sin^-1 x` is refused, since it can mean two things."""
    last = power[-1]
    exponent = Number(superscript_value(last), _span(last)) if isinstance(last, Token) else last
    if isinstance(exponent, Negative) or (isinstance(exponent, Number) and exponent.value < 0):
        raise ProgramError(
            f"`{call.function}` to the power -1 can mean the inverse function or 1/{call.function}.",
            message_zh=f"`{call.function}` 的 -1 次方既可指反函数，也可指 1/{call.function}。",
            hint=f"Write arc{call.function}(…) or 1/{call.function}(…).",
            hint_zh=f"请写 arc{call.function}(…) 或 1/{call.function}(…)。",
            code="ambiguous_power",
            where=call.function_span,
        )
    return Operation("^", call, exponent, call.span)


def _grammar() -> Lark:
    text = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=_Prepared, transformer=_Builder(), maybe_placeholders=True)


GRAMMAR = _grammar()  # built when the worker starts, so that no request waits for it


def parse_math(text: str, functions: Iterable[str], given: Iterable[str], limits: Limits) -> list[Line]:
    """Parse one or more lines of mathematics.

    functions: the names that can be called; given: the names with a value in the request.
    Raises: GradlensError that points at the place and says what was expected there.
    """
    check_size(text, limits)
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    check_characters(plain)
    known = frozenset(functions)
    tokens = tokenize(plain, known, given)
    try:
        lines: list[Line] = GRAMMAR.parse(tokens)  # type: ignore[assignment]  # what our Builder makes
    except UnexpectedToken as error:
        raise _syntax_error(error, plain) from None
    for line in lines:
        if depth(line.value) > limits.nesting:
            raise nesting_error(line.value.span, limits.nesting)
    return lines


def _syntax_error(error: UnexpectedToken, text: str) -> GradlensError:
    expected, expected_zh = _expected(error)
    token = error.token
    if token.type == "$END" or token.type == "NEWLINE":
        place = _end_of(token, text)
        return ProgramError(
            f"The formula ends too early: {expected} is missing.",
            message_zh=f"公式没有写完：缺少{expected_zh}。",
            code="syntax_error",
            where=place,
        )
    return ProgramError(
        f"`{token}` cannot stand here; {expected} was expected.",
        message_zh=f"这里不能是 `{token}`；应为{expected_zh}。",
        hint=_equals_hint(token)[0],
        hint_zh=_equals_hint(token)[1],
        code="syntax_error",
        where=_span(token),
    )


def _expected(error: UnexpectedToken) -> tuple[str, str]:
    """What could stand here, in words; the bracket that is still open comes before all else."""
    kinds = set(error.accepts or error.expected)
    told = [kind for kind in CLOSERS if kind in kinds] or [kind for kind in WORDS if kind in kinds]
    if "TIMES" in told:
        told.remove("NUMBER")  # a value could follow too, but only as a product without a sign
    if not told:
        return "the end of the line", "行尾"
    found = [WORDS[kind] for kind in told]
    return " or ".join(word for word, _ in found), "或".join(word for _, word in found)


def _equals_hint(token: Token) -> tuple[str, str]:
    if token.type != "EQUALS":
        return "", ""
    return "Only one name may stand before `=`, as in y = x^2.", "`=` 前只能是一个名字，例如 y = x^2。"


def _end_of(token: Token, text: str) -> Span:
    """The place just after the last character of the line that broke off."""
    lines = text.split("\n")
    number = token.line if token.type == "NEWLINE" and token.line else len(lines)
    while number > 1 and not lines[number - 1].strip():
        number -= 1
    column = len(lines[number - 1].rstrip()) + 1
    return Span(number, column, number, column + 1)
