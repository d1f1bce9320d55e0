"""What the names of some lines stand for: values, formulas, functions, counts, and the free ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.errors import ProgramError, Span
from engine.languages.interpreter.budget import Budget
from engine.languages.mathematics.functions import CONSTANTS
from engine.languages.mathematics.tree import (
    Call,
    Element,
    Expression,
    Line,
    Name,
    Negative,
    Number,
    Operation,
    Repeated,
    Vector,
    parts,
)

Indices = Mapping[str, int]  # the values of the indices of the sums around


class Names:
    """The names of some lines.

    values:    of the lines `x = 3` and `v = [1, 2]`.
    defined:   by a formula.
    functions: the lines `f(x) = …` that are called somewhere.
    counts:    bounds of sums such as the n of sum(i, 1, n, …): whole numbers, not to be trained.
    """

    def __init__(self, lines: Sequence[Line], at: Mapping[str, Any], budget: Budget) -> None:
        self.at = at
        self.budget = budget
        self.values = {line.name: literal(line.value) for line in lines if line.name and is_literal(line)}
        called = {node.function for line in lines for node in _inside(line.value) if isinstance(node, Call)}
        self.functions = {line.name: line for line in lines if line.parameters and line.name in called}
        self.defined = frozenset(
            line.name
            for line in lines
            if line.name and not is_literal(line) and line.name not in self.functions
        )
        self.counts = self._counts(lines)

    def _counts(self, lines: Sequence[Line]) -> dict[str, int]:
        bounds = [
            bound
            for line in lines
            for node in _inside(line.value)
            if isinstance(node, Repeated)
            for bound in (node.first, node.last)
        ]
        indices = {
            node.index.text for line in lines for node in _inside(line.value) if isinstance(node, Repeated)
        }
        named = [node for bound in bounds for node in _inside(bound) if isinstance(node, Name)]
        return {name.text: self._count(name) for name in named if name.text not in indices}

    def _count(self, name: Name) -> int:
        value = self.at.get(name.text, self.values.get(name.text))
        if isinstance(value, (int, float)) and float(value).is_integer():
            return int(value)
        raise ProgramError(
            f"`{name.text}` is the bound of a sum, so it needs a whole number.",
            message_zh=f"`{name.text}` 是求和的上下界，需要一个整数值。",
            hint=f"Add the line {name.text} = 3.",
            hint_zh=f"请加一行 {name.text} = 3。",
            code="bounds_missing",
            where=name.span,
        )

    def value_of(self, name: str, default: Any = None) -> Any:
        """The value that the request gives to a name, else the text."""
        return self.at.get(name, self.values.get(name, default))

    def is_free(self, name: str) -> bool:
        """Whether a name becomes a variable."""
        if name in self.counts or name in self.functions:
            return False
        if name in self.values or name in self.at:
            return name not in self.defined or name in self.values
        return name not in self.defined and name not in CONSTANTS

    # -- indices ---------------------------------------------------------------------------------

    def whole(self, expression: Expression, indices: Indices) -> int:
        """The value of a bound or a place. Raises: ProgramError where it is no whole number."""
        value = self._whole(expression, indices)
        if value is None or not float(value).is_integer():
            raise _not_whole(expression.span)
        return int(value)

    def _whole(self, expression: Expression, indices: Indices) -> float | None:
        if isinstance(expression, Number):
            return expression.value
        if isinstance(expression, Name):
            return indices.get(expression.text, self.counts.get(expression.text))
        if isinstance(expression, Negative):
            value = self._whole(expression.operand, indices)
            return None if value is None else -value
        if isinstance(expression, Operation) and expression.symbol in "+-*":
            left, right = self._whole(expression.left, indices), self._whole(expression.right, indices)
            if left is None or right is None:
                return None
            return {"+": left + right, "-": left - right, "*": left * right}[expression.symbol]
        return None

    def span_of(self, repeated: Repeated, indices: Indices) -> range:
        """The values of a sum's index, both bounds included."""
        return range(self.whole(repeated.first, indices), self.whole(repeated.last, indices) + 1)

    def element_of(self, name: str, indices: Indices) -> tuple[str, tuple[int, ...]] | None:
        """`x_i` and `x_2` as the name x with its places, where x is a list or i an index."""
        base, mark, below = name.rpartition("_")
        if not mark or name in self.values or name in self.at or name in self.defined:
            return None
        if below in indices:
            return base, (indices[below],)
        if below and all(letter in indices for letter in below):
            return base, tuple(indices[letter] for letter in below)
        if below.isdigit() and isinstance(self.value_of(base), list):
            return base, (int(below),)
        return None

    def is_row_of_values(self, name: str) -> bool:
        """Whether a name holds elements that can be taken: a list, or the result of a formula."""
        return name in self.defined or isinstance(self.value_of(name), list)

    # -- free names ------------------------------------------------------------------------------

    def free(self, lines: Sequence[Line]) -> Iterator[tuple[str, Span]]:
        """The names that become variables, once each, in order of first appearance."""
        seen: set[str] = set()
        for line in lines:
            hidden = frozenset(line.parameters) if line.name in self.functions else frozenset()
            used = self._used(line.value, {}, hidden)
            if line.name and line.name_span and is_literal(line):
                used = iter([(line.name, line.name_span)])
            for name, span in used:
                if name not in seen and self.is_free(name):
                    seen.add(name)
                    yield name, span

    def _used(
        self, expression: Expression, indices: Indices, hidden: frozenset[str]
    ) -> Iterator[tuple[str, Span]]:
        """The names of an expression from left to right, sums written out where names depend on it."""
        waiting: list[tuple[Expression, Indices]] = [(expression, indices)]
        while waiting:
            node, known = waiting.pop()
            self.budget.step()
            if isinstance(node, Name):
                if node.text not in known and node.text not in hidden:
                    yield self._base(node.text, known), node.span
            elif isinstance(node, Repeated):
                values = self.span_of(node, known)
                turns = values if _has_subscripts(node.body) else values[:1]
                waiting += [(node.body, {**known, node.index.text: value}) for value in reversed(turns)]
            elif isinstance(node, Element) and node.subscript and isinstance(node.base, Name):
                yield self.subscripted(node, known), node.span
            else:
                waiting += [(part, known) for part in reversed(parts(node))]

    def _base(self, name: str, indices: Indices) -> str:
        found = self.element_of(name, indices)
        if found is None:
            return name
        base, places = found
        return base if self.is_row_of_values(base) else "_".join([base, *map(str, places)])

    def subscripted(self, node: Element, indices: Indices) -> str:
        """The name that `x_{i+1}` stands for: x where it is a list, else x_2."""
        base = node.base.text if isinstance(node.base, Name) else ""
        if self.is_row_of_values(base):
            return base
        return "_".join([base, *(str(self.whole(place, indices)) for place in node.places)])


def is_literal(line: Line) -> bool:
    """Whether a line only sets a value."""
    return not line.parameters and literal(line.value) is not None


def literal(expression: Expression) -> Any:
    """A number or a nested list of numbers; None for anything else."""
    if isinstance(expression, Number):
        return float(expression.value)
    if isinstance(expression, Negative) and isinstance(expression.operand, Number):
        return -float(expression.operand.value)
    if isinstance(expression, Vector):
        items = [literal(item) for item in expression.items]
        return items if items and None not in items else None
    return None


def _inside(expression: Expression) -> Iterator[Expression]:
    """The expression and all its parts, without recursion into a long sum."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += parts(node)


def _has_subscripts(expression: Expression) -> bool:
    return any(
        (isinstance(node, Name) and "_" in node.text) or (isinstance(node, Element) and node.subscript)
        for node in _inside(expression)
    )


def _not_whole(span: Span) -> ProgramError:
    return ProgramError(
        "Bounds and places are whole numbers that are known beforehand.",
        message_zh="上下界和下标必须是事先已知的整数。",
        hint="Write a number, or give the name a line of its own, as in n = 3.",
        hint_zh="请写一个数字，或给名字单独一行，例如 n = 3。",
        code="bounds_missing",
        where=span,
    )
