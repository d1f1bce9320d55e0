"""What a formula says, as plain values: the tree that the parser makes and the builder reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import Span


@dataclass(frozen=True, slots=True)
class Number:
    """A literal."""

    value: int | float
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a defined name or a constant such as pi."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Operation:
    """`left symbol right`; implicit where nothing stood between the factors."""

    symbol: str
    left: Expression
    right: Expression
    span: Span
    implicit: bool = False


@dataclass(frozen=True, slots=True)
class Negative:
    """`-operand`."""

    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span
    function_span: Span


@dataclass(frozen=True, slots=True)
class Repeated:
    """`sum(index, first, last, body)`, or `prod`: the body for each value of the index, + or * between."""

    symbol: str
    index: Name
    first: Expression
    last: Expression
    body: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Vector:
    """`[1, 2, 3]`, or rows of them."""

    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Element:
    """`x[i, j]`, counted from 1; as a subscript, x_{i+1}, it may also be a name such as x_2."""

    base: Expression
    places: tuple[Expression, ...]
    span: Span
    subscript: bool = False


@dataclass(frozen=True, slots=True)
class Transposed:
    """`A^T`."""

    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Comparison:
    """`0 < x ≤ 1`: one symbol between each two operands."""

    operands: tuple[Expression, ...]
    symbols: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Logical:
    """`a and b`, `a or b`, `not a`."""

    word: str
    operands: tuple[Expression, ...]
    span: Span


Expression = (
    Number
    | Name
    | Operation
    | Negative
    | Call
    | Repeated
    | Vector
    | Element
    | Transposed
    | Comparison
    | Logical
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: an expression, with the name that it gets where there is one.

    parameters: of a line such as `f(x, y) = …`; empty for a plain name.
    """

    value: Expression
    name: str | None = None
    name_span: Span | None = None
    parameters: tuple[str, ...] = ()


def joined(first: Span, last: Span) -> Span:
    """From the start of one place to the end of another."""
    return Span(first.line, first.column, last.end_line, last.end_column)


def parts(expression: Expression) -> Sequence[Expression]:
    """What an expression is made of, from left to right."""
    match expression:
        case Operation(_, left, right):
            return (left, right)
        case Negative(operand) | Transposed(operand):
            return (operand,)
        case Call(_, arguments):
            return arguments
        case Repeated(_, _, first, last, body):
            return (first, last, body)
        case Vector(items):
            return items
        case Element(base, places):
            return (base, *places)
        case Comparison(operands) | Logical(_, operands):
            return operands
    return ()


def depth(expression: Expression) -> int:
    """How deep a formula is nested; a long sum or product leans to the left and counts once."""
    deepest = 0
    waiting: list[tuple[Expression, int]] = [(expression, 1)]
    while waiting:
        node, level = waiting.pop()
        deepest = max(deepest, level)
        flat = node.left if isinstance(node, Operation) else None
        waiting += [(part, level if part is flat else level + 1) for part in parts(node)]
    return deepest
