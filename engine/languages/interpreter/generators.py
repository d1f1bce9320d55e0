"""Generator functions: a body runs up to its next `yield`, and goes on when another item is asked for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from typing import Any

from engine.errors import NOT_CAUGHT, GradlensError, RefusedError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate, no_next_item
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.classes.exceptions import as_exception, catching_handler, handling
from engine.languages.interpreter.classes.matching import chosen_case
from engine.languages.interpreter.dispatch import CALLABLES, Ended, Execution, Return, Signal
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.assignment import binding
from engine.languages.interpreter.nodes.entering import items_in, openings
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.resuming import Resumed
from engine.languages.interpreter.scope import OWN_SCOPE
from engine.languages.interpreter.values import Stream

Steps = Generator[Any, None, Ended]
Lazily = Callable[[], Steps]  # what runs one statement, or a block of them, and gives out what it yields
LazyCompiler = Callable[[Interpreter, Any], Lazily]

LAZY: dict[type[ast.AST], LazyCompiler] = {}


def generator(interpreter: Interpreter, function: UserFunction, scopes: Any, keywords: Any) -> Stream:
    """What a call of a generator function gives; none of its body has run yet."""
    (scope,) = scopes
    steps = function.run()
    interpreter.close_at_the_end(steps)
    return Stream(Resumed(interpreter, scope, steps), f"generator object {function.name}")


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


def yields(body: Sequence[ast.AST]) -> bool:
    """Whether a body has a `yield` of its own, inner functions left out."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, OWN_SCOPE):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def lazy_block(interpreter: Interpreter, statements: Sequence[ast.stmt]) -> Lazily:
    """As `Interpreter.block`, giving out what is yielded on the way."""
    parts: list[tuple[ast.stmt, Lazily | None, Execution | None]] = []

    def run() -> Steps:
        if not parts:
            parts.extend([_part(interpreter, node) for node in statements])
        for node, lazily, execute in parts:
            if execute is not None:
                ended = execute()
            elif lazily is not None:
                try:
                    ended = yield from lazily()
                except GradlensError as error:
                    interpreter.locate(error, node)
                    raise
            if ended is not None:
                return ended
        return None

    return run


def _part(interpreter: Interpreter, node: ast.stmt) -> tuple[ast.stmt, Lazily | None, Execution | None]:
    """A statement, and what runs it: lazily where it holds a `yield`."""
    if not yields([node]):
        return node, None, interpreter.block([node])
    return node, LAZY.get(type(node), _never)(interpreter, node), None


def compiles_lazily(kind: type[ast.stmt]) -> Callable[[LazyCompiler], LazyCompiler]:
    """Decorator: this function compiles this kind of statement where it holds a `yield`."""

    def enter(function: LazyCompiler) -> LazyCompiler:
        LAZY[kind] = function
        return function

    return enter


@compiles_lazily(ast.Expr)
def expression(interpreter: Interpreter, node: ast.Expr) -> Lazily:
    """`yield value` and `yield from values`."""
    yielding = _yielding(interpreter, node.value)

    def run() -> Steps:
        yield from yielding()
        return None

    return run


@compiles_lazily(ast.Assign)
def assignment(interpreter: Interpreter, node: ast.Assign) -> Lazily:
    """`x = yield value`: x is what `send` gives; `x = yield from inner()`: what the inner one returns."""
    yielding = _yielding(interpreter, node.value)
    bindings = [binding(interpreter, target) for target in node.targets]

    def run() -> Steps:
        value = yield from yielding()
        for bind in bindings:
            bind(value)
        return None

    return run


@compiles_lazily(ast.Return)
def return_(interpreter: Interpreter, node: ast.Return) -> Lazily:
    """`return (yield value)`."""
    assert node.value is not None  # a `yield` stands in it
    yielding = _yielding(interpreter, node.value)

    def run() -> Steps:
        return Return((yield from yielding()))

    return run


def _all(items: Any) -> Generator[Any, Any, Any]:
    return (yield from items)


def _yielding(interpreter: Interpreter, node: ast.expr) -> Callable[[], Generator[Any, Any, Any]]:
    """What gives out what is yielded, and then has the value of the `yield` itself."""
    if not isinstance(node, (ast.Yield, ast.YieldFrom)):
        return _never(interpreter, node)
    value_of = (lambda: None) if node.value is None else interpreter.expression(node.value)

    def one() -> Generator[Any, Any, Any]:
        return (yield value_of())

    def several() -> Generator[Any, Any, Any]:
        ended: Any = yield from _all(iterate(value_of()))
        return ended.value if isinstance(ended, Return) else None

    return one if isinstance(node, ast.Yield) else several


@compiles_lazily(ast.If)
def if_(interpreter: Interpreter, node: ast.If) -> Lazily:
    """`if` with its `elif` and `else`."""
    test_of = interpreter.expression(node.test)
    body, orelse = lazy_block(interpreter, node.body), lazy_block(interpreter, node.orelse)

    def run() -> Steps:
        return (yield from body() if truth(test_of()) else orelse())

    return run


@compiles_lazily(ast.Match)
def match(interpreter: Interpreter, node: ast.Match) -> Lazily:
    """`match` with its cases."""
    bodies = [lazy_block(interpreter, case.body) for case in node.cases]

    def run() -> Steps:
        chosen = chosen_case(interpreter, node)
        return None if chosen is None else (yield from bodies[chosen]())

    return run


@compiles_lazily(ast.While)
def while_(interpreter: Interpreter, node: ast.While) -> Lazily:
    """`while` with its `else`."""
    test_of = interpreter.expression(node.test)
    body, orelse = lazy_block(interpreter, node.body), lazy_block(interpreter, node.orelse)

    def run() -> Steps:
        while truth(test_of()):
            ended = yield from body()
            if ended is Signal.BREAK:
                return None
            if isinstance(ended, Return):
                return ended
        return (yield from orelse())

    return run


@compiles_lazily(ast.For)
def for_(interpreter: Interpreter, node: ast.For) -> Lazily:
    """`for` with its `else`."""
    values_of, bind = interpreter.expression(node.iter), binding(interpreter, node.target)
    body, orelse = lazy_block(interpreter, node.body), lazy_block(interpreter, node.orelse)

    def run() -> Steps:
        for value in items_in(interpreter, values_of(), node.iter):
            interpreter.budget.step()
            bind(value)
            ended = yield from body()
            if ended is Signal.BREAK:
                return None
            if isinstance(ended, Return):
                return ended
        return (yield from orelse())

    return run


@compiles_lazily(ast.With)
def with_(interpreter: Interpreter, node: ast.With) -> Lazily:
    """`with`: what it opens stays open between two items."""
    items, body = openings(interpreter, node), lazy_block(interpreter, node.body)

    def run() -> Steps:
        with ExitStack() as stack:
            for open_one, bind in items:
                bind(stack.enter_context(open_one()))
            return (yield from body())

    return run


@compiles_lazily(ast.Try)
def try_(interpreter: Interpreter, node: ast.Try) -> Lazily:
    """`try` with its `except`, `else` and `finally`."""
    guarded, final = _guarded(interpreter, node), lazy_block(interpreter, node.finalbody)

    def run() -> Steps:
        try:
            ended = yield from guarded()
        except NOT_CAUGHT:
            raise
        except (GradlensError, GeneratorExit):
            left = yield from final()
            if left is not None:
                return left
            raise
        left = yield from final()
        return ended if left is None else left

    return run


def _guarded(interpreter: Interpreter, node: ast.Try) -> Lazily:
    body, orelse = lazy_block(interpreter, node.body), lazy_block(interpreter, node.orelse)
    handlers = {handler: lazy_block(interpreter, handler.body) for handler in node.handlers}

    def run() -> Steps:
        try:
            ended = yield from body()
        except NOT_CAUGHT:
            raise
        except GradlensError as error:
            value = as_exception(interpreter, error)
            handler = catching_handler(interpreter, node, value)
            if handler is None:
                raise
            with handling(interpreter, handler, error, value):
                return (yield from handlers[handler]())
        return (yield from orelse()) if ended is None else ended

    return run


def _never(interpreter: Interpreter, node: ast.AST) -> Lazily:
    """What stands for a `yield` at a place where it may not."""

    def run() -> Steps:
        raise RefusedError(
            "`yield` may not stand inside another expression here.",
            message_zh="这里的 `yield` 不能写在其他表达式里。",
            hint="Give it a line of its own.",
            hint_zh="请让它单独成行。",
            code="refused_construct",
        )

    return run
