"""Operators: `a + b`, `-a`, `a and b`, `a < b`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.classes.objects import UserObject, call_special
from engine.languages.interpreter.classes.special import UNARY, combine
from engine.languages.interpreter.dispatch import Evaluation, compiles
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import (
    COMPARE,
    SCALARS,
    adds_nodes,
    apply_binary,
    apply_compare,
    apply_unary,
    is_symbolic,
    truth,
)
from engine.languages.interpreter.reading.error_names import name_shapes
from engine.languages.interpreter.scope import MISSING

Test = tuple[type[ast.cmpop], Evaluation]


@compiles(ast.BinOp)
def binary(interpreter: Interpreter, node: ast.BinOp) -> Evaluation:
    """`left op right`; with a tensor on either side it adds a node."""
    left_of, right_of = interpreter.expression(node.left), interpreter.expression(node.right)
    kind, budget = type(node.op), interpreter.budget

    def evaluate() -> Any:
        left, right = left_of(), right_of()
        if type(left) in SCALARS and type(right) in SCALARS:
            return apply_binary(kind, left, right, budget)
        try:
            if adds_nodes(left) or adds_nodes(right):
                with interpreter.building(node):
                    return combine(interpreter, kind, left, right)
            return combine(interpreter, kind, left, right)
        except ProgramError as error:
            name_shapes(interpreter, error, ((node.left, left), (node.right, right)))
            raise

    return interpreter.step_of(node, evaluate)


@compiles(ast.UnaryOp)
def unary(interpreter: Interpreter, node: ast.UnaryOp) -> Evaluation:
    """`-x`, `+x`, `~x`, `not x`."""
    value_of, kind, budget = interpreter.expression(node.operand), type(node.op), interpreter.budget

    def invert() -> Any:
        value, staging = value_of(), interpreter.staging
        return staging.invert(value) if staging is not None and staging.takes(value) else not truth(value)

    def evaluate() -> Any:
        value = value_of()
        if isinstance(value, UserObject):
            found = call_special(interpreter, value, UNARY[kind])
            if found is not MISSING:
                return found
        if adds_nodes(value):
            with interpreter.building(node):
                return apply_unary(kind, value, budget)
        return apply_unary(kind, value, budget)

    return interpreter.step_of(node, invert if kind is ast.Not else evaluate)


@compiles(ast.BoolOp)
def boolean(interpreter: Interpreter, node: ast.BoolOp) -> Evaluation:
    """`a and b`, `a or b`: the operand that decides."""
    operands = [interpreter.expression(operand) for operand in node.values]
    stops_at = isinstance(node.op, ast.Or)
    return interpreter.step_of(node, lambda: _decided(interpreter, stops_at, operands))


def _decided(interpreter: Interpreter, stops_at: bool, operands: Sequence[Evaluation]) -> Any:
    for index, operand in enumerate(operands[:-1], 1):
        value = operand()
        if interpreter.staging is not None and interpreter.staging.takes(value):
            return _staged_choice(interpreter, stops_at, value, operands[index:])
        if truth(value) == stops_at:
            return value
    return operands[-1]()


def _staged_choice(interpreter: Interpreter, stops_at: bool, value: Any, rest: Sequence[Evaluation]) -> Any:
    """A value or what the rest gives, where a trace decides on the value."""
    sides = (lambda: value, lambda: _decided(interpreter, stops_at, rest))
    return (
        interpreter.staging.choose(value, sides if stops_at else sides[::-1])
        if interpreter.staging
        else value
    )


@compiles(ast.Compare)
def compare(interpreter: Interpreter, node: ast.Compare) -> Evaluation:
    """`a < b`, and chains of it."""
    left_of = interpreter.expression(node.left)
    tests = [
        (type(kind), interpreter.expression(operand))
        for kind, operand in zip(node.ops, node.comparators, strict=True)
    ]
    (kind, right_of), *chained = tests
    operate = COMPARE[kind][1] if kind in COMPARE else None

    def evaluate() -> Any:
        left, right = left_of(), right_of()
        if type(left) in SCALARS and type(right) in SCALARS and operate is not None:
            return operate(left, right)
        return _comparison(interpreter, node, kind, left, right)

    def evaluate_chain() -> Any:
        return _compared(interpreter, node, left_of(), tests)

    return interpreter.step_of(node, evaluate_chain if chained else evaluate)


def _compared(interpreter: Interpreter, node: ast.Compare, left: Any, tests: Sequence[Test]) -> Any:
    """A chain from its left side on."""
    result: Any = True
    for index, (kind, operand) in enumerate(tests):
        if index and interpreter.staging is not None and interpreter.staging.takes(result):
            return _staged_chain(interpreter, node, left, result, tests[index:])
        if index and not truth(result):
            return result
        right = operand()
        result = _comparison(interpreter, node, kind, left, right)
        left = right
    return result


def _staged_chain(
    interpreter: Interpreter, node: ast.Compare, left: Any, result: Any, rest: Sequence[Test]
) -> Any:
    """What is left of a chain, where a trace decides on what came before."""
    sides = (lambda: _compared(interpreter, node, left, rest), lambda: result)
    return interpreter.staging.choose(result, sides) if interpreter.staging else result


def _comparison(
    interpreter: Interpreter, node: ast.Compare, kind: type[ast.cmpop], left: Any, right: Any
) -> Any:
    if is_symbolic(left) or is_symbolic(right):
        with interpreter.building(node):
            return apply_compare(kind, left, right, interpreter.budget)
    return apply_compare(kind, left, right, interpreter.budget)
