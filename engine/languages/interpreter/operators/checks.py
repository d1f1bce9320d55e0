"""What is checked before an operator computes: which values it takes, and how large the result would be."""

from __future__ import annotations

import ast
from collections.abc import Sized
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.nested_sizes import check_weight
from engine.languages.interpreter.operators.errors import shapes_differ, unsupported
from engine.languages.interpreter.operators.tables import (
    BINARY,
    BITS,
    OF_SETS,
    OPERANDS,
    SCALARS,
    SEQUENCES,
    SIZE_CHECKS,
    SLOW_PRODUCTS,
    is_array,
    is_symbolic,
)
from engine.languages.interpreter.values import NUMBERS, TEXTS
from engine.ops.base.slices import IndexedSlices


def check_operands(kind: type[ast.operator], left: Any, right: Any, budget: Budget) -> None:
    """Check, before anything is computed, that an operator may be tried on two values, and the result's size.

    Raises: ProgramError where it may not, LimitError where the result would be too large.
    """
    if _is_free(left) and _is_free(right):
        return
    symbol, _ = BINARY[kind]
    _check_sizes(symbol, left, right, budget)
    if not ((_allowed(left, symbol) and _allowed(right, symbol)) or _are_rows_and_tensor(left, right)):
        raise unsupported(symbol, left, right)


def _is_free(value: Any) -> bool:
    """Whether this is a number or a tensor: any operator may be tried on two, and a graph checks sizes."""
    return type(value) in SCALARS or is_symbolic(value)


def check_integers(symbol: str, left: int, right: int, budget: Budget) -> None:
    """The width of an integer result, from above, before it is computed."""
    if symbol == "**" and right > 1:
        if abs(left) > 1:
            budget.check_bits(left.bit_length() * right - right + 1)
    elif symbol == "<<":
        budget.check_bits(left.bit_length() + max(right, 0))
    elif symbol == "*":
        budget.check_bits(left.bit_length() + right.bit_length() - 1)
    elif symbol in ("+", "-"):
        budget.check_bits(max(left.bit_length(), right.bit_length()))  # or one more: the next sum shows it


def _check_sizes(symbol: str, left: Any, right: Any, budget: Budget) -> None:
    for side in (left, right):
        if type(side) in SIZE_CHECKS:
            SIZE_CHECKS[type(side)](symbol, left, right, budget)
    for sequence, count in ((left, right), (right, left)):
        if symbol == "*" and isinstance(sequence, SEQUENCES) and isinstance(count, (int, np.integer)):
            budget.check_length(len(sequence) * max(int(count), 0))
    if symbol == "+" and isinstance(left, SEQUENCES) and isinstance(right, Sized):
        budget.check_length(len(left) + len(right))
    if isinstance(left, OF_SETS) and isinstance(left, Sized) and isinstance(right, Sized):
        budget.check_length(len(left) + len(right))
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        a, b = shape_of(left, budget), shape_of(right, budget)
        shape = result_shape(symbol, a, b)
        if shape is None:
            raise shapes_differ(symbol, left, right)
        budget.check_elements(shape)
        if symbol == "@":
            budget.spend(work_of_product(prod(shape) * (a or (1,))[-1], left, right))


def shape_of(value: Any, budget: Budget) -> tuple[int, ...]:
    """The shape in which numpy takes a value: lists in lists as an array of them."""
    if isinstance(value, (list, tuple)):
        check_weight(value, budget.limits.tensor_elements)
        try:
            return np.shape(value)
        except (TypeError, ValueError):
            return (len(value),)  # rows of different lengths, which numpy itself turns down
    return np.shape(value) if is_array(value) else ()


def result_shape(symbol: str, a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of `a op b`, or None where there is none."""
    try:
        if symbol == "@" and len(a) > 1 and len(b) > 1:
            return (*np.broadcast_shapes(a[:-2], b[:-2]), a[-2], b[-1])
        if symbol == "@":
            return (*a[:-1], *b[:-2], *b[len(b) :]) if len(b) == 1 else (*a[:-1], *b[:-2], *b[-1:])
        return np.broadcast_shapes(a, b)
    except ValueError:
        return None


def work_of_product(multiplications: int, *factors: Any) -> int:
    """Element operations of a sum of products of so many pairs."""
    slowest = max((SLOW_PRODUCTS.get(np.asarray(factor).dtype.char, 1) for factor in factors), default=1)
    return multiplications * slowest


def _allowed(value: Any, symbol: str) -> bool:
    """Which values an operator may be tried on; Python or numpy then decides the pair."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in TEXTS  # which grow
    if isinstance(value, NUMBERS) or is_symbolic(value):
        return True
    if isinstance(value, SEQUENCES):
        return True
    if type(value) in OPERANDS:
        return symbol in OPERANDS[type(value)]
    return isinstance(value, OF_SETS) and (symbol in BITS or symbol == "-")


def _are_rows_and_tensor(left: Any, right: Any) -> bool:
    """Whether the rows of a gradient meet a tensor, which takes them as a tensor of its own kind."""
    return any(isinstance(a, IndexedSlices) and is_symbolic(b) for a, b in ((left, right), (right, left)))
