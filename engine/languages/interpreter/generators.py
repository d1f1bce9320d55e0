"""Generator functions: a body runs up to its next `yield`, and goes on when another item is asked for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

from engine.errors import NOT_CAUGHT, GradlensError, RefusedError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate, no_next_item
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.classes.exceptions import as_exception, catching_handler, handling
from engine.languages.interpreter.classes.matching import chosen_case
from engine.languages.interpreter.dispatch import CALLABLES, Ended, Return, Signal
from engine.languages.interpreter.functions import yields
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.assignment import assign
from engine.languages.interpreter.nodes.statements import items_in, manager_of
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.resuming import Resumed
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
GENERATOR = members_of(Stream, "generator")


def _resumed(stream: Stream) -> Any:
    """The steps of a generator. Raises: TypeError where the items come from elsewhere."""
    if not isinstance(stream.items, Resumed):
        raise TypeError
    return stream.items


@GENERATOR.method("send")
def send(stream: Stream, value: Any, /) -> Any:
    """Go on to the next item; the `yield` before it gives this value."""
    try:
        return _resumed(stream).send(value)
    except StopIteration:
        raise no_next_item() from None


@GENERATOR.method("close")
def close(stream: Stream) -> None:
    """End it where it stands."""
    if isinstance(stream.items, Resumed):
        stream.items.close()


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
    yield from _yielded(interpreter, node.value)
    return None


@lazily(ast.Assign)
def assignment(interpreter: Interpreter, node: ast.Assign) -> Steps:
    """`x = yield value`: x is what `send` gives; `x = yield from inner()`: what the inner one returns."""
    value = yield from _yielded(interpreter, node.value)
    for target in node.targets:
        assign(interpreter, target, value)
    return None


@lazily(ast.Return)
def return_(interpreter: Interpreter, node: ast.Return) -> Steps:
    """`return (yield value)`."""
    assert node.value is not None  # a `yield` stands in it
    return Return((yield from _yielded(interpreter, node.value)))


def _all(items: Any) -> Generator[Any, Any, Any]:
    return (yield from items)


def _yielded(interpreter: Interpreter, node: ast.expr) -> Generator[Any, Any, Any]:
    """Give out what is yielded; the value of the `yield` itself."""
    if isinstance(node, ast.YieldFrom):
        ended: Any = yield from _all(iterate(interpreter.evaluate(node.value)))
        return ended.value if isinstance(ended, Return) else None
    if isinstance(node, ast.Yield):
        return (yield interpreter.evaluate(node.value) if node.value else None)
    raise _misplaced()


@lazily(ast.If)
def if_(interpreter: Interpreter, node: ast.If) -> Steps:
    """`if` with its `elif` and `else`."""
    chosen = node.body if truth(interpreter.evaluate(node.test)) else node.orelse
    return (yield from run_lazily(interpreter, chosen))


@lazily(ast.Match)
def match(interpreter: Interpreter, node: ast.Match) -> Steps:
    """`match` with its cases."""
    chosen = chosen_case(interpreter, node)
    return (yield from run_lazily(interpreter, chosen.body if chosen else []))


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
    for value in items_in(interpreter, interpreter.evaluate(node.iter), node.iter):
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
    """`try` with its `except`, `else` and `finally`."""
    try:
        ended = yield from _guarded(interpreter, node)
    except NOT_CAUGHT:
        raise
    except (GradlensError, GeneratorExit):
        left = yield from run_lazily(interpreter, node.finalbody)
        if left is not None:
            return left
        raise
    left = yield from run_lazily(interpreter, node.finalbody)
    return ended if left is None else left


def _guarded(interpreter: Interpreter, node: ast.Try) -> Steps:
    try:
        ended = yield from run_lazily(interpreter, node.body)
    except NOT_CAUGHT:
        raise
    except GradlensError as error:
        value = as_exception(interpreter, error)
        handler = catching_handler(interpreter, node, value)
        if handler is None:
            raise
        with handling(interpreter, handler, error, value):
            return (yield from run_lazily(interpreter, handler.body))
    return (yield from run_lazily(interpreter, node.orelse)) if ended is None else ended


def _misplaced() -> RefusedError:
    return RefusedError(
        "`yield` may not stand inside another expression here.",
        message_zh="这里的 `yield` 不能写在其他表达式里。",
        hint="Give it a line of its own.",
        hint_zh="请让它单独成行。",
        code="refused_construct",
    )
