"""Generator functions: a body runs up to its next `yield`, and goes on when another item is asked for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

from engine.errors import NOT_CAUGHT, GradlensError, RefusedError
from engine.languages.interpreter.assignment import assign
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.dispatch import CALLABLES, Ended, Return, Signal
from engine.languages.interpreter.functions import yields
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.resuming import Resumed
from engine.languages.interpreter.statements import items_of, manager_of
from engine.languages.interpreter.values import Stream

Steps = Generator[Any, None, Ended]
Lazily = Callable[[Interpreter, Any], Steps]

LAZILY: dict[type[ast.AST], Lazily] = {}


def generator(interpreter: Interpreter, function: UserFunction, scopes: Any, keywords: Any) -> Stream:
    """What a call of a generator function gives; none of its body has run yet."""
    (scope,) = scopes
    body: Any = function.body
    steps = run_lazily(interpreter, body)
    interpreter.close_at_the_end(steps)
    return Stream(Resumed(interpreter, scope, steps))


CALLABLES[UserFunction] = generator


def run_lazily(interpreter: Interpreter, statements: list[ast.stmt]) -> Steps:
    """As `Interpreter.execute`, giving out what is yielded on the way."""
    for node in statements:
        if not yields([node]):
            ended = interpreter.execute([node])
        else:
            try:
                if type(node) not in LAZILY:
                    raise _misplaced()
                ended = yield from LAZILY[type(node)](interpreter, node)
            except GradlensError as error:
                error.where = error.where or interpreter.source.span(node)
                raise
        if ended is not None:
            return ended
    return None


def lazily(kind: type[ast.stmt]) -> Callable[[Lazily], Lazily]:
    """Decorator: how this kind of statement runs where it holds a `yield`."""

    def enter(function: Lazily) -> Lazily:
        LAZILY[kind] = function
        return function

    return enter


@lazily(ast.Expr)
def expression(interpreter: Interpreter, node: ast.Expr) -> Steps:
    """`yield value` and `yield from values`."""
    return (yield from _yielded(interpreter, node.value))


@lazily(ast.Assign)
def assignment(interpreter: Interpreter, node: ast.Assign) -> Steps:
    """`x = yield value`: nothing is sent in here, so x is None."""
    yield from _yielded(interpreter, node.value)
    for target in node.targets:
        assign(interpreter, target, None)
    return None


def _yielded(interpreter: Interpreter, node: ast.expr) -> Steps:
    if isinstance(node, ast.YieldFrom):
        yield from iterate(interpreter.evaluate(node.value))
    elif isinstance(node, ast.Yield):
        yield interpreter.evaluate(node.value) if node.value else None
    else:
        raise _misplaced()
    return None


@lazily(ast.If)
def if_(interpreter: Interpreter, node: ast.If) -> Steps:
    """`if` with its `elif` and `else`."""
    chosen = node.body if truth(interpreter.evaluate(node.test)) else node.orelse
    return (yield from run_lazily(interpreter, chosen))


@lazily(ast.While)
def while_(interpreter: Interpreter, node: ast.While) -> Steps:
    """`while` with its `else`."""
    while truth(interpreter.evaluate(node.test)):
        ended = yield from run_lazily(interpreter, node.body)
        if ended is Signal.BREAK:
            return None
        if isinstance(ended, Return):
            return ended
    return (yield from run_lazily(interpreter, node.orelse))


@lazily(ast.For)
def for_(interpreter: Interpreter, node: ast.For) -> Steps:
    """`for` with its `else`."""
    for value in items_of(interpreter, node.iter):
        interpreter.budget.step()
        assign(interpreter, node.target, value)
        ended = yield from run_lazily(interpreter, node.body)
        if ended is Signal.BREAK:
            return None
        if isinstance(ended, Return):
            return ended
    return (yield from run_lazily(interpreter, node.orelse))


@lazily(ast.With)
def with_(interpreter: Interpreter, node: ast.With) -> Steps:
    """`with`: what it opens stays open between two items."""
    with ExitStack() as stack:
        for item in node.items:
            value = stack.enter_context(manager_of(interpreter, item.context_expr))
            if item.optional_vars is not None:
                assign(interpreter, item.optional_vars, value)
        return (yield from run_lazily(interpreter, node.body))


@lazily(ast.Try)
def try_(interpreter: Interpreter, node: ast.Try) -> Steps:
    """`try` with a `finally`; a `yield` inside `try` with `except` is refused."""
    if node.handlers:
        raise _misplaced()
    try:
        ended = yield from run_lazily(interpreter, node.body)
    except NOT_CAUGHT:
        raise
    except GradlensError:
        yield from run_lazily(interpreter, node.finalbody)
        raise
    left = yield from run_lazily(interpreter, node.finalbody)
    return ended if left is None else left


def _misplaced() -> RefusedError:
    return RefusedError(
        "`yield` may not stand inside another expression or a `try` with `except` here.",
        message_zh="这里的 `yield` 不能写在其他表达式里，也不能写在带 `except` 的 `try` 里。",
        hint="Give it a line of its own.",
        hint_zh="请让它单独成行。",
        code="refused_construct",
    )
