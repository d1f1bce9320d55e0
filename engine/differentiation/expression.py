"""Expressions: a formula as a tree, as one writes it on paper.

A subtree that occurs twice is kept in memory once, but it counts twice in `size`: that is how expressions
swell while the graph, which shares, stays small. The operators and functions below are numpy's own
hooks, so `np.sin(expression)` and a kernel run on an array of expressions build trees.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A number, a variable, or a head with its parts.

    head:  `number`, `variable`, an operator (`+ - * / **`), or the name of a function.
    value: the number, or the variable's name.
    size:  how many nodes the tree has when it is written out.
    """

    head: str
    parts: tuple[Expression, ...] = ()
    value: Any = None
    size: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(part.size for part in self.parts))

    def __add__(self, other: Any) -> Expression:
        return Expression("+", (self, as_expression(other)))

    def __radd__(self, other: Any) -> Expression:
        return Expression("+", (as_expression(other), self))

    def __sub__(self, other: Any) -> Expression:
        return Expression("-", (self, as_expression(other)))

    def __rsub__(self, other: Any) -> Expression:
        return Expression("-", (as_expression(other), self))

    def __mul__(self, other: Any) -> Expression:
        return Expression("*", (self, as_expression(other)))

    def __rmul__(self, other: Any) -> Expression:
        return Expression("*", (as_expression(other), self))

    def __truediv__(self, other: Any) -> Expression:
        return Expression("/", (self, as_expression(other)))

    def __rtruediv__(self, other: Any) -> Expression:
        return Expression("/", (as_expression(other), self))

    def __pow__(self, other: Any) -> Expression:
        return Expression("**", (self, as_expression(other)))

    def __rpow__(self, other: Any) -> Expression:
        return Expression("**", (as_expression(other), self))

    def __neg__(self) -> Expression:
        return Expression("neg", (self,))

    def __repr__(self) -> str:
        if not self.parts:
            return str(self.value)
        return f"{self.head}({', '.join(map(repr, self.parts))})"


def function(name: str) -> Callable[[Expression], Expression]:
    """What writes this function in front of an expression."""
    return lambda expression: Expression(name, (expression,))


FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "abs": np.abs,
    "arccos": np.arccos,
    "arccosh": np.arccosh,
    "arcsin": np.arcsin,
    "arcsinh": np.arcsinh,
    "arctan": np.arctan,
    "arctanh": np.arctanh,
    "cos": np.cos,
    "cosh": np.cosh,
    "exp": np.exp,
    "log": np.log,
    "neg": np.negative,
    "relu": lambda x: np.maximum(x, 0),
    "sign": np.sign,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "step": lambda x: np.where(x > 0, 1.0, 0.0),
    "tan": np.tan,
    "tanh": np.tanh,
}

for _name, _rule in FUNCTIONS.items():
    if isinstance(_rule, np.ufunc):
        setattr(Expression, _name, function(_name))  # numpy calls x.sin() for np.sin(x)

OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}


def number(value: Any) -> Expression:
    """A constant."""
    return Expression("number", value=float(value))


def variable(name: str) -> Expression:
    """Something to differentiate by, or to keep as a letter."""
    return Expression("variable", value=name)


def as_expression(value: Any) -> Expression:
    """An expression for a plain number; an expression as it is."""
    return value if isinstance(value, Expression) else number(value)


def is_number(expression: Expression, value: float) -> bool:
    """Whether the expression is just this number."""
    return expression.head == "number" and bool(expression.value == value)


def in_order(root: Expression) -> list[Expression]:
    """Every distinct part once, the parts of a part before it; by a loop, since trees are deep."""
    order: list[Expression] = []
    seen: set[Expression] = set()
    pending = [(root, False)]
    while pending:
        expression, done = pending.pop()
        if done:
            order.append(expression)
        elif expression not in seen:
            seen.add(expression)
            pending.append((expression, True))
            pending.extend((part, False) for part in expression.parts)
    return order


def evaluate(root: Expression, at: Mapping[str, Any]) -> Any:
    """The value of an expression where its variables have these numbers, in float64; NaN and ∞ are values."""
    found: dict[Expression, Any] = {}
    with np.errstate(all="ignore"):
        for expression in in_order(root):
            found[expression] = _value(expression, [found[part] for part in expression.parts], at)
    return found[root]


def _value(expression: Expression, parts: list[Any], at: Mapping[str, Any]) -> Any:
    if expression.head == "number":
        return np.float64(expression.value)
    if expression.head == "variable":
        return np.float64(at[expression.value])
    if expression.head in OPERATORS:
        return OPERATORS[expression.head](*parts)
    return FUNCTIONS[expression.head](*parts)


def array_of(values: Array) -> Array:
    """A constant expression for each element. Shapes: values (*S) of numbers -> (*S) of expressions."""
    made = np.empty(values.shape, dtype=object)
    for index in np.ndindex(values.shape):
        made[index] = number(values[index])
    return made
