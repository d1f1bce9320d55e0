"""Comparisons, `in`, and what counts as true."""

from __future__ import annotations

import ast
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError, SymbolicError
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.nested_sizes import check_weight, shapes_inside
from engine.languages.interpreter.operators.checks import result_shape, shape_of
from engine.languages.interpreter.operators.errors import check_refused, shapes_differ, unsupported
from engine.languages.interpreter.operators.tables import (
    COMPARE,
    EAGER_EQUALITY,
    HOLDS,
    MOST_PAIRS,
    OWN_COMPARISONS,
    OWN_EQUALITY,
    PLAIN,
    SEQUENCES,
    TRUTHS,
    is_symbolic,
)
from engine.languages.interpreter.values import compared_by_value, concrete


def apply_compare(kind: type[ast.cmpop], left: Any, right: Any, budget: Budget) -> Any:
    """One comparison of a chain."""
    for side in (left, right):
        if type(side) in OWN_COMPARISONS and kind in COMPARE:
            return OWN_COMPARISONS[type(side)](kind, left, right)
        check_weight(side, budget.limits.sequence_length)
        if isinstance(side, SEQUENCES):
            budget.check_length(len(side))
    if kind not in (ast.Is, ast.IsNot):
        _check_compared(left, right, budget)
    by_themselves = isinstance(left, tuple(OWN_EQUALITY)) or isinstance(right, tuple(OWN_EQUALITY))
    if kind in EAGER_EQUALITY and not by_themselves and (compared_by_value(left) or compared_by_value(right)):
        return EAGER_EQUALITY[kind](left, right)
    if kind in COMPARE:
        symbol, function = COMPARE[kind]
        try:
            return function(left, right)
        except (TypeError, ValueError) as error:
            check_refused(error)
            raise unsupported(symbol, left, right) from None
    if kind in (ast.Is, ast.IsNot):
        return (left is right) == (kind is ast.Is)
    return contains(right, left) == (kind is ast.In)


def _check_compared(left: Any, right: Any, budget: Budget) -> None:
    """Arrays are compared element by element, also those inside of lists: each with any of the other side."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        shape = result_shape("==", shape_of(left, budget), shape_of(right, budget))
        if shape is None:
            raise shapes_differ("==", left, right)
        budget.check_elements(shape)
        return
    shapes = [shapes_inside(side) for side in (left, right)]
    if len(shapes[0]) * len(shapes[1]) > MOST_PAIRS:
        budget.check_elements([max(map(prod, found)) for found in shapes])
    for a, b in product(*shapes):
        budget.check_elements(result_shape("==", a, b) or ())


def contains(container: Any, item: Any) -> bool:
    """`item in container`."""
    if isinstance(container, range):
        return _in_range(container, item)
    if type(container) in HOLDS:
        return HOLDS[type(container)](container, item)
    if isinstance(container, str) and not isinstance(item, str):
        raise unsupported("in", item, container)
    if isinstance(container, (str, bytes, list, tuple, dict, set, frozenset, range, np.ndarray)):
        try:
            return bool(item in container)
        except (TypeError, ValueError):
            raise unsupported("in", item, container) from None
    raise unsupported("in", item, container)


def _in_range(numbers: range, item: Any) -> bool:
    """Python itself would go through the range for any number that is not an `int`."""
    if concrete(item) is not None:
        item = concrete(item)
    if isinstance(item, np.ndarray) and item.ndim == 0:
        item = item[()]
    if isinstance(item, np.ndarray):
        raise unsupported("in", item, numbers)
    if isinstance(item, (float, np.floating)) and float(item).is_integer():
        item = int(item)
    return isinstance(item, (int, np.integer, np.bool_)) and int(item) in numbers


def truth(value: Any) -> bool:
    """Whether a value counts as true in `if`, `while`, `and`, `or`, `not`."""
    if type(value) in PLAIN:
        return bool(value)
    for kind in type(value).__mro__ if TRUTHS else ():
        if kind in TRUTHS:
            return TRUTHS[kind](value)
    array = concrete(value)
    if array is not None:
        value = array
    elif is_symbolic(value):
        raise SymbolicError(
            "A symbolic tensor has no truth value: its number is only known inside a run.",
            message_zh="符号张量没有真假值：它的数值只有在运行时才知道。",
            hint="Decide on a value from `sess.run(...)`, or test `is not None`.",
            hint_zh="请用 `sess.run(...)` 得到的值判断，或写 `is not None`。",
            code="tensor_as_bool",
        )
    if isinstance(value, np.ndarray) and value.size != 1:
        raise ProgramError(
            f"An array of {value.size} elements has no single truth value.",
            message_zh=f"含 {value.size} 个元素的数组没有唯一的真假值。",
            hint="Use .any() or .all().",
            hint_zh="请使用 .any() 或 .all()。",
            code="array_as_bool",
            said="The truth value of an array with more than one element is ambiguous. Use a.any() or "
            "a.all()",
        )
    return bool(value)
