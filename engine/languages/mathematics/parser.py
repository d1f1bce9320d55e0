"""Mathematical text to lines of formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedToken, v_args
from lark.lexer import Lexer

from engine.errors import GradlensError, ProgramError, Span
from engine.execution.budget import Limits
from engine.languages.interpreter.reading.parse import nesting_error
from engine.languages.interpreter.reading.source import check_characters, check_size, with_one_newline
from engine.languages.mathematics.ambiguity_notes import AmbiguityNotes
from engine.languages.mathematics.characters import superscript_value
from engine.languages.mathematics.derivative_words import leave_out_derivatives
from engine.languages.mathematics.lexer import without_dollars
from engine.languages.mathematics.tokens import tokenize
from engine.languages.mathematics.tree import (
    Call,
    Comparison,
    Element,
    Expression,
    Line,
    Logical,
    Name,
    Negative,
    Number,
    Operation,
    Repeated,
    Transposed,
    Vector,
    depth,
    joined,
)

# What the parser was waiting for, in words; kinds that begin a value go together.
WORDS: dict[str, tuple[str, str]] = {
    "CLOSE": ("a closing bracket `)`", "右括号 `)`"),
    "LIST_CLOSE": ("a closing bracket `]`", "右方括号 `]`"),
    "BRACE_CLOSE": ("a closing brace `}`", "右花括号 `}`"),
    "ROOT_CLOSE": ("a closing bracket `]`", "右方括号 `]`"),
    "BAR_CLOSE": ("a closing bar `|`", "右竖线 `|`"),
    "NORM_CLOSE": ("a closing bar `‖`", "右双竖线 `‖`"),
    "FLOOR_CLOSE": ("a closing bracket `⌋`", "右括号 `⌋`"),
    "CEIL_CLOSE": ("a closing bracket `⌉`", "右括号 `⌉`"),
    "MATRIX_CLOSE": (r"`\end{…}` of the matrix", r"矩阵的 `\end{…}`"),
    "CASES_CLOSE": (r"`\end{cases}`", r"`\end{cases}`"),
    "BRACE_OPEN": ("an opening brace `{`", "左花括号 `{`"),
    "EQUALS": ("`=`", "`=`"),
    "PLUS": ("an operator", "运算符"),
    "NUMBER": ("a number, a name or a bracket", "数字、名字或括号"),
}

CLOSERS = tuple(kind for kind in WORDS if kind.endswith("CLOSE"))


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

    # -- lines -----------------------------------------------------------------------------------

    def start(self, *lines: Any) -> list[Line]:
        return [line for line in lines if isinstance(line, Line)]

    def definition(self, name: Token, equals: Token, value: Expression) -> Line:
        return Line(value, str(name), _span(name))

    def function_definition(self, name: Token, opening: Token, parameters: Any, *rest: Any) -> Line:
        return Line(rest[-1], str(name), _span(name), parameters)

    def parameters(self, *names: Token) -> tuple[str, ...]:
        return tuple(str(name) for name in names if name.type == "NAME")

    def value(self, value: Expression) -> Line:
        return Line(value)

    # -- operators -------------------------------------------------------------------------------

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

    def comparison(self, *items: Any) -> Comparison:
        operands, symbols = items[::2], tuple(str(token) for token in items[1::2])
        return Comparison(operands, symbols, joined(operands[0].span, operands[-1].span))

    def logical(self, left: Expression, word: Token, right: Expression) -> Logical:
        return Logical(word.type.lower(), (left, right), joined(left.span, right.span))

    def negation(self, word: Token, operand: Expression) -> Logical:
        return Logical("not", (operand,), joined(_span(word), operand.span))

    # -- atoms -----------------------------------------------------------------------------------

    def number(self, token: Token) -> Number:
        whole = token.isdigit()
        return Number(int(token) if whole and len(token) < 16 else float(token), _span(token))

    def name(self, token: Token) -> Name:
        return Name(str(token), _span(token))

    def negative_number(self, sign: Token, token: Token) -> Negative:
        return self.negative(sign, self.number(token))

    def negative_name(self, sign: Token, token: Token) -> Negative:
        return self.negative(sign, self.name(token))

    def group(self, opening: Token, inner: Expression, closing: Token) -> Expression:
        return replace(inner, span=joined(_span(opening), _span(closing)))

    def absolute(self, opening: Token, inner: Expression, closing: Token) -> Call:
        return _fenced("abs", opening, inner, closing)

    def norm(self, opening: Token, inner: Expression, closing: Token) -> Call:
        return _fenced("norm", opening, inner, closing)

    def floor(self, opening: Token, inner: Expression, closing: Token) -> Call:
        return _fenced("floor", opening, inner, closing)

    def ceil(self, opening: Token, inner: Expression, closing: Token) -> Call:
        return _fenced("ceil", opening, inner, closing)

    def fraction(self, command: Token, above: Expression, below: Expression) -> Operation:
        return Operation("/", above, below, joined(_span(command), below.span))

    def root(self, command: Token, inner: Expression) -> Call:
        return Call("sqrt", (inner,), joined(_span(command), inner.span), _span(command))

    def nth_root(
        self, command: Token, opening: Token, index: Expression, closing: Token, inner: Expression
    ) -> Call:
        return Call("root", (inner, index), joined(_span(command), inner.span), _span(command))

    def vector(self, opening: Token, items: tuple[Expression, ...], closing: Token) -> Vector:
        return Vector(items, joined(_span(opening), _span(closing)))

    def element(self, base: Expression, opening: Token, places: Any, closing: Token) -> Element:
        return Element(base, places, joined(base.span, _span(closing)))

    def subscripted(self, name: Token, opening: Token, places: Any, closing: Token) -> Element:
        return Element(self.name(name), places, joined(_span(name), _span(closing)), subscript=True)

    def transposed(self, operand: Expression, mark: Token) -> Transposed:
        return Transposed(operand, joined(operand.span, _span(mark)))

    # -- matrices and cases ----------------------------------------------------------------------

    def row(self, *cells: Any) -> tuple[Expression, ...]:
        return tuple(cell for cell in cells if not isinstance(cell, Token))

    def matrix(self, opening: Token, *rows: Any) -> Vector:
        """Rows of numbers; a single column is a vector."""
        span = joined(_span(opening), _span(rows[-1]))
        found = [row for row in rows if isinstance(row, tuple)]
        if all(len(row) == 1 for row in found):
            return Vector(tuple(row[0] for row in found), span)
        return Vector(tuple(Vector(row, joined(row[0].span, row[-1].span)) for row in found), span)

    def case(self, value: Expression, *rest: Any) -> tuple[Expression, Expression | None]:
        condition = rest[-1]
        return value, None if isinstance(condition, Token) else condition

    def cases(self, opening: Token, *rows: Any) -> Call:
        """One `if` of all cases: condition, value, condition, value, …, value otherwise."""
        arguments: list[Expression] = []
        for value, condition in (row for row in rows if isinstance(row, tuple)):
            arguments += [value] if condition is None else [condition, value]
        return Call("if", tuple(arguments), joined(_span(opening), _span(rows[-1])), _span(opening))

    # -- functions -------------------------------------------------------------------------------

    def arguments(self, *items: Any) -> tuple[Expression, ...]:
        return tuple(item for item in items if item is not None and not isinstance(item, Token))

    def fenced_arguments(self, opening: Token, items: Any, closing: Token) -> tuple[Any, Span]:
        return items, _span(closing)

    def call(self, name: Token, fenced: tuple[Any, Span]) -> Expression:
        arguments, closing = fenced
        span = joined(_span(name), closing)
        if name in REPEATED and len(arguments) == 4 and isinstance(arguments[0], Name):
            index, first, last, body = arguments
            return Repeated(REPEATED[name], index, first, last, body, span)
        return Call(str(name), arguments, span, _span(name))

    def bare_call(self, name: Token, argument: Expression) -> Call:
        return Call(str(name), (argument,), joined(_span(name), argument.span), _span(name))

    def bare_call_of_call(self, name: Token, inner: Token, fenced: tuple[Any, Span]) -> Call:
        return self.bare_call(name, self.call(inner, fenced))

    def call_power(self, name: Token, *rest: Any) -> Operation:
        *power, fenced = rest
        return _function_power(name, self.call(name, fenced), power)

    def bare_power(self, name: Token, *rest: Any) -> Operation:
        *power, argument = rest
        return _function_power(name, self.bare_call(name, argument), power)

    def repeated(self, big: Token, *rest: Any) -> Repeated:
        _under, _opening, index, _equals, first, _closing, _power, last, body = rest
        return _repeated(big, index, first, last, body)

    def repeated_upper_first(self, big: Token, *rest: Any) -> Repeated:
        _power, last, _under, _opening, index, _equals, first, _closing, body = rest
        return _repeated(big, index, first, last, body)


REPEATED = {"sum": "+", "prod": "*"}


def _repeated(big: Token, index: Token, first: Expression, last: Expression, body: Expression) -> Repeated:
    span = joined(_span(big), body.span)
    return Repeated(REPEATED[big], Name(str(index), _span(index)), first, last, body, span)


def _fenced(function: str, opening: Token, inner: Expression, closing: Token) -> Call:
    return Call(function, (inner,), joined(_span(opening), _span(closing)), _span(opening))


def _function_power(name: Token, call: Expression, power: list[Any]) -> Operation:
    """`sin^2 x` is `(sin x)^2`; `sin^-1 x` is refused, since it can mean two things."""
    last = power[-1]
    exponent = Number(superscript_value(last), _span(last)) if isinstance(last, Token) else last
    if isinstance(exponent, Negative) or (isinstance(exponent, Number) and exponent.value < 0):
        raise ProgramError(
            f"`{name}` to the power -1 can mean the inverse function or 1/{name}.",
            message_zh=f"`{name}` 的 -1 次方既可指反函数，也可指 1/{name}。",
            hint=f"Write arc{name}(…) or 1/{name}(…).",
            hint_zh=f"请写 arc{name}(…) 或 1/{name}(…)。",
            code="ambiguous_power",
            where=_span(name),
        )
    return Operation("^", call, exponent, call.span)


@cache
def grammar() -> Lark:
    """The parser of the grammar: a sixth of a second of work, which a service does before it serves."""
    text = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=_Prepared, transformer=_Builder(), maybe_placeholders=True)


def parse_math(
    text: str, functions: Iterable[str], given: Iterable[str], limits: Limits, notes: AmbiguityNotes
) -> list[Line]:
    """Parse one or more lines of mathematics.

    functions: the names that can be called; given: the names with a value in the request.
    notes:     takes what there is to say about how letters were read.
    Raises: GradlensError that points at the place and says what was expected there.
    """
    check_size(text, limits)
    plain = with_one_newline(text)
    check_characters(plain)
    known = frozenset(functions)
    tokens = tokenize(leave_out_derivatives(without_dollars(plain), notes), known, given, notes)
    try:
        lines: list[Line] = grammar().parse(tokens)  # type: ignore[assignment]  # what our Builder makes
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
        hint=_hint(token)[0],
        hint_zh=_hint(token)[1],
        code="syntax_error",
        where=_span(token),
    )


def _expected(error: UnexpectedToken) -> tuple[str, str]:
    """What could stand here, in words; the bracket that is still open comes before all else."""
    kinds = set(error.accepts or error.expected)
    wanted = [kind for kind in CLOSERS if kind in kinds] or [kind for kind in WORDS if kind in kinds]
    if "NUMBER" in wanted:
        wanted = (
            ["PLUS"] if "TIMES" in kinds else ["NUMBER"]
        )  # a product without a sign can go on with a value
    if not wanted:
        return "the end of the line", "行尾"
    found = [WORDS[kind] for kind in wanted]
    return " or ".join(word for word, _ in found), "或".join(word for _, word in found)


def _hint(token: Token) -> tuple[str, str]:
    if token.type == "EQUALS":
        return "Only one name may stand before `=`, as in y = x^2.", "`=` 前只能是一个名字，例如 y = x^2。"
    if token.type == "COMPARE":
        return (
            "Comparisons stand inside if(…), as in if(x > 0, x, 0).",
            "比较写在 if(…) 里，例如 if(x > 0, x, 0)。",
        )
    return "", ""


def _end_of(token: Token, text: str) -> Span:
    """The place just after the last character of the line that broke off."""
    lines = text.split("\n")
    number = token.line if token.type == "NEWLINE" and token.line else len(lines)
    while number > 1 and not lines[number - 1].strip():
        number -= 1
    column = len(lines[number - 1].rstrip()) + 1
    return Span(number, column, number, column + 1)
