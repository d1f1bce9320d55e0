"""Symbolic differentiation: the formula of the derivative, rule by rule without sharing, and SymPy's.

The graph is read into an expression by running its ops on expressions. The naive derivative is what the
rules of a calculus book give when one writes every term out: each product copies both of its factors,
and the formula swells. SymPy gathers equal terms and numbers as it goes, which does not stop the swelling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import sympy

from engine.differentiation.expression import (
    OPERATORS,
    Expression,
    array_of,
    as_expression,
    function,
    in_order,
    is_number,
    number,
    variable,
)
from engine.differentiation.walk import kernel, values_beside, walk
from engine.errors import ProgramError
from engine.graph import Node, Tensor
from engine.graph.kernels import results_of
from engine.ops import REGISTRY, OpDef
from engine.ops.base.tensors import FLOATS, Array

MAX_SYMPY_SIZE = 4000  # above that SymPy would take longer than a person waits
MAX_ELEMENTS = 256  # expressions are for reading; a tensor of more elements is none

# -- reading the graph -------------------------------------------------------------------------------


def expression_of(
    y: Tensor, xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]
) -> tuple[Expression, list[str]]:
    """The sum of y's elements as one expression of the xs' elements.

    xs:      by the name to write; one of several elements is written with its indices, as in `w_0_1`.
    Returns: the expression, and the names of its variables in order.
    Raises:  ProgramError where an op has no formula.
    """
    elements, names = elements_of(y, xs, known)
    total, *others = elements.flat if elements.size else [number(0)]
    for element in others:
        total = total + element
    return total, names


def elements_of(
    y: Tensor, xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]
) -> tuple[Array, list[str]]:
    """Each of y's elements as an expression, otherwise as `expression_of`."""
    start: dict[Tensor, Any] = {}
    names: list[str] = []
    for name, x in xs.items():
        start[x] = _letters(name, np.shape(known[x]))
        names.extend(letter.value for letter in start[x].flat)
    beside = values_beside([y], list(xs.values()), known, kernel)
    found = np.asarray(walk([y], beside | start, formula_step)[y], dtype=object)
    elements = np.empty(found.shape, dtype=object)
    for index in np.ndindex(found.shape):
        elements[index] = as_expression(found[index])
    return elements, names


def _letters(name: str, shape: tuple[int, ...]) -> Array:
    letters = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        letters[index] = variable("_".join([name, *map(str, index)]) if letters.size > 1 else name)
    return letters


def formula_step(node: Node, arguments: Sequence[Any]) -> list[Any]:
    """One op on arrays of expressions; ops that touch no expression compute numbers."""
    if not any(np.asarray(argument).dtype == object for argument in arguments):
        return list(kernel(node, arguments))
    rule = element_rule(node.op)
    if rule is None and node.op.symbolic != "kernel":
        raise _no_formula(node)
    lifted = [
        array_of(np.asarray(argument))
        if tensor.dtype in FLOATS and np.asarray(argument).dtype != object
        else argument
        for tensor, argument in zip(node.inputs, arguments, strict=True)
    ]
    if max(np.size(argument) for argument in lifted) > MAX_ELEMENTS:
        raise _no_formula(node)
    if rule is not None:
        return [_each(rule, lifted)]
    return [np.asarray(made, dtype=object) for made in results_of(node, lifted)]


def element_rule(op: OpDef) -> Callable[..., Any] | None:
    """What an op makes of one element of each input; None where it has no formula for elements."""
    if op.symbolic == "kernel":
        return None
    if isinstance(op.symbolic, str):
        return function(op.symbolic) if op.symbolic else OPERATORS.get(op.operator)
    return op.symbolic


def _each(rule: Callable[..., Any], arguments: Sequence[Any]) -> Array:
    """A rule on each element, after broadcasting."""
    spread = np.broadcast_arrays(*arguments)
    made = np.empty(spread[0].shape, dtype=object)
    for index in np.ndindex(made.shape):
        made[index] = rule(*(argument[index] for argument in spread))
    return made


def _no_formula(node: Node) -> ProgramError:
    return ProgramError(
        f"{node.op.name} is not written as a formula here.",
        hint="Formulas are made of elementary functions on at most 256 numbers.",
        message_zh=f"{node.op.name} 不能在这里写成公式。",
        hint_zh="公式由初等函数构成，最多涉及 256 个数。",
        code="no_formula",
        node=node.name,
    )


# -- rule by rule ------------------------------------------------------------------------------------


def naive_derivative(y: Expression, by: str) -> Expression:
    """dy/dx as the rules of a calculus book give it, every term written out.

    A term that is multiplied by 0 is left out, and so is a factor 1; nothing else is tidied.
    """
    found: dict[Expression, Expression] = {}
    for expression in in_order(y):
        found[expression] = derived(expression, [found[part] for part in expression.parts], by)
    return found[y]


def derived(u: Expression, slopes: Sequence[Expression], by: str) -> Expression:
    """The derivative of one operation, from those of its parts."""
    if not u.parts:
        return number(1 if u.value == by and u.head == "variable" else 0)
    if all(is_number(slope, 0) for slope in slopes):
        return number(0)
    if u.head in OPERATORS:
        return RULES[u.head](*u.parts, *slopes)
    return _times(outer_derivative(u.head)(u.parts[0], u), slopes[0])


def _plus(a: Expression, b: Expression) -> Expression:
    if is_number(a, 0):
        return b
    return a if is_number(b, 0) else a + b


def _times(a: Expression, b: Expression) -> Expression:
    if is_number(a, 0) or is_number(b, 0):
        return number(0)
    if is_number(a, 1):
        return b
    return a if is_number(b, 1) else a * b


def _quotient_rule(a: Expression, b: Expression, da: Expression, db: Expression) -> Expression:
    if is_number(db, 0):
        return da / b
    return (_times(da, b) - _times(a, db)) / b**2


def _power_rule(a: Expression, b: Expression, da: Expression, db: Expression) -> Expression:
    if is_number(db, 0):
        less = number(b.value - 1) if b.head == "number" else b - 1
        power = a if is_number(less, 1) else a**less
        return _times(_times(b, power), da)
    exponent = _plus(_times(db, np.log(a)), _times(b, da / a))  # type: ignore[call-overload]  # x.log()
    return (a**b) * exponent


RULES: Mapping[str, Callable[[Expression, Expression, Expression, Expression], Expression]] = {
    "+": lambda a, b, da, db: _plus(da, db),
    "-": lambda a, b, da, db: da if is_number(db, 0) else da - db,
    "*": lambda a, b, da, db: _plus(_times(da, b), _times(a, db)),
    "/": _quotient_rule,
    "**": _power_rule,
}

OUTER: Mapping[str, Callable[[Expression, Expression], Expression]] = {
    "abs": lambda x, y: function("sign")(x),
    "neg": lambda x, y: number(-1),
    "relu": lambda x, y: function("step")(x),
    "sign": lambda x, y: number(0),
}


@cache
def outer_derivative(name: str) -> Callable[[Expression, Expression], Expression]:
    """The derivative of a function, of its argument and its value: by the block of the op that it is."""
    if name in OUTER:
        return OUTER[name]
    rule = next(op.partials for op in REGISTRY.values() if op.symbolic == name and op.partials is not None)
    return lambda x, y: as_expression(rule(x, y)[0])


# -- SymPy -------------------------------------------------------------------------------------------


def to_sympy(root: Expression) -> Any:
    """The same formula as SymPy has it; whole floats become integers, so that powers print as one writes."""
    found: dict[Expression, Any] = {}
    for expression in in_order(root):
        found[expression] = _symbol(expression, [found[part] for part in expression.parts])
    return found[root]


def _symbol(expression: Expression, parts: Sequence[Any]) -> Any:
    if expression.head == "number":
        return _exact(expression.value)
    if expression.head == "variable":
        return sympy.Symbol(expression.value, real=True)
    if expression.head in OPERATORS:
        return OPERATORS[expression.head](*parts)
    return SYMPY_FUNCTIONS[expression.head](*parts)


def _exact(value: float) -> Any:
    return sympy.Integer(int(value)) if value.is_integer() and abs(value) < 2**53 else sympy.Float(value)


SYMPY_FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "abs": sympy.Abs,
    "arccos": sympy.acos,
    "arccosh": sympy.acosh,
    "arcsin": sympy.asin,
    "arcsinh": sympy.asinh,
    "arctan": sympy.atan,
    "arctanh": sympy.atanh,
    "cos": sympy.cos,
    "cosh": sympy.cosh,
    "exp": sympy.exp,
    "log": sympy.log,
    "neg": lambda x: -x,
    "relu": lambda x: sympy.Max(x, 0),
    "sign": sympy.sign,
    "sin": sympy.sin,
    "sinh": sympy.sinh,
    "sqrt": sympy.sqrt,
    "step": lambda x: sympy.Heaviside(x, 0),
    "tan": sympy.tan,
    "tanh": sympy.tanh,
}


def sympy_derivative(y: Expression, by: str) -> Any:
    """SymPy's derivative, or None where the expression is too large to wait for."""
    if y.size > MAX_SYMPY_SIZE:
        return None
    return sympy.diff(to_sympy(y), sympy.Symbol(by, real=True))


def sympy_size(root: Any) -> int:
    """How many nodes SymPy's tree has when it is written out."""
    sizes: dict[Any, int] = {}
    for part in sympy.postorder_traversal(root):
        if part not in sizes:
            sizes[part] = 1 + sum(sizes[inner] for inner in part.args)
    return sizes[root]


def latex(expression: Any) -> str:
    """SymPy's formula in LaTeX."""
    text: str = sympy.latex(expression)
    return text
