"""What a `for` goes through, and what a `with` opens."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.dispatch import CONTEXTS, Binding, Evaluation
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.assignment import binding
from engine.languages.interpreter.values import Lazy, one_after_the_other, type_name


def items_in(interpreter: Interpreter, value: Any, node: ast.expr) -> Any:
    """The items of a value; where it has none, the error has the place of its expression."""
    if isinstance(value, Lazy):
        return one_after_the_other(value)
    try:
        return iterate(value)
    except ProgramError as error:
        error.where = interpreter.source.span(node)
        raise


def openings(interpreter: Interpreter, node: ast.With) -> list[tuple[Callable[[], Any], Binding]]:
    """For each `a as b` of a `with` what gives the context of `a`, and what binds its value to `b`."""
    return [
        (
            partial(_context_of, interpreter, interpreter.expression(item.context_expr), item.context_expr),
            _unbound if item.optional_vars is None else binding(interpreter, item.optional_vars),
        )
        for item in node.items
    ]


def _unbound(value: Any) -> None:
    """A `with` without `as`."""


def _context_of(
    interpreter: Interpreter, value_of: Evaluation, node: ast.expr
) -> AbstractContextManager[Any]:
    """What `with` opens for an expression."""
    value = value_of()
    for kind in type(value).__mro__:
        if kind in CONTEXTS:
            return CONTEXTS[kind](interpreter, value)
    raise ProgramError(
        f"`with` does not work on a {type_name(value)}.",
        message_zh=f"`with` 不能用于 {type_name(value)}。",
        hint="It takes a session, a graph's as_default(), a name scope and their like.",
        hint_zh="它可用于会话、图的 as_default()、名称作用域等。",
        code="not_a_context",
        where=interpreter.source.span(node),
    )
