"""What a formula says, as plain values: the tree that the parser makes and the builder reads."""

from __future__ import annotations

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
class Vector:
    """`[1, 2, 3]`, or rows of them."""

    items: tuple[Expression, ...]
    span: Span


Expression = Number | Name | Operation | Negative | Call | Vector


@dataclass(frozen=True, slots=True)
class Line:
    """One line: an expression, with the name that it gets where there is one."""

    value: Expression
    name: str | None = None
    name_span: Span | None = None


def joined(first: Span, last: Span) -> Span:
    """From the start of one place to the end of another."""
    return Span(first.line, first.column, last.end_line, last.end_column)


def depth(expression: Expression) -> int:
    """How deep a formula is nested; a long sum or product leans to the left and counts once."""
    deepest = 0
    waiting: list[tuple[Expression, int]] = [(expression, 1)]
    while waiting:
        node, level = waiting.pop()
        deepest = max(deepest, level)
        if isinstance(node, Operation):
            waiting += [(node.left, level), (node.right, level + 1)]
        elif isinstance(node, Negative):
            waiting.append((node.operand, level + 1))
        elif isinstance(node, Call):
            waiting += [(argument, level + 1) for argument in node.arguments]
        elif isinstance(node, Vector):
            waiting += [(item, level + 1) for item in node.items]
    return deepest
