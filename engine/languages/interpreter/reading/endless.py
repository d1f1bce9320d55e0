"""Loops that can never end, known from one turn: nothing that they could look at has changed in it.

Only loops are looked at whose turns do nothing but compute with values under names. Where such a turn leaves
every name as it found it, all further turns are the same.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from engine.errors import LimitError
from engine.languages.interpreter.scope import MISSING, Scope
from engine.languages.interpreter.values import concrete

PLAIN_NODES = (
    *(ast.Pass, ast.Continue, ast.Break, ast.If, ast.While, ast.Expr, ast.Assign, ast.AugAssign),
    *(ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)  # nothing that calls, looks into a value or leaves a function
PLAIN_VALUES = (bool, int, float, str, type(None))

State = dict[str, Any]


class Turns:
    """Looks at a `while` loop between its turns."""

    def __init__(self, node: ast.While) -> None:
        self._names = _names_in(node)
        self._before: State | None = None

    def look(self, scope: Scope) -> None:
        """A turn begins. Raises: LimitError where the turn before it has changed nothing."""
        if self._names is None:  # a loop that may do more than compute
            return
        found = {name: scope.find(name) for name in self._names[0]}
        now = {name: _seen(value, name in self._names[1]) for name, value in found.items()}
        if None in now.values():
            self._names = None
        elif now == self._before:
            raise _endless()
        self._before = now


def _seen(value: Any, is_assigned: bool) -> Any:
    """What makes a value the same one a turn later; None of a value that might change unseen."""
    if value is MISSING or type(value) in PLAIN_VALUES:
        return type(value), repr(value) if type(value) is float else value  # a NaN, too, is the same again
    is_array = isinstance(value, (np.ndarray, np.generic)) or concrete(value) is not None
    return id(value) if is_array and not is_assigned else None


def _names_in(loop: ast.While) -> tuple[frozenset[str], frozenset[str]] | None:
    """Every name in a loop that only computes, and those that it assigns; None of any other loop."""
    names, assigned = set(), set()
    for part in (loop.test, *loop.body):
        for node in ast.walk(part):
            if not isinstance(node, PLAIN_NODES):
                return None
            if isinstance(node, ast.Name):
                names.add(node.id)
                if not isinstance(node.ctx, ast.Load):
                    assigned.add(node.id)
    return frozenset(names), frozenset(assigned)


def _endless() -> LimitError:
    return LimitError(
        "This loop never ends: a turn of it changes nothing, so every further turn is the same.",
        hint="Change in the loop what its condition looks at, or leave it with `break`.",
        message_zh="这个循环不会结束：循环一轮后什么都没有改变，之后的每一轮都一样。",
        hint_zh="请在循环中改变条件所用的值，或用 `break` 离开循环。",
        code="endless_loop",
    )
