"""How each kind of statement is executed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import store, subscript
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import attribute_of, private_name, set_attribute
from engine.languages.interpreter.dispatch import (
    LOOPED,
    Ended,
    Execution,
    Return,
    Signal,
    compiles,
    executes,
)
from engine.languages.interpreter.functions import function_maker
from engine.languages.interpreter.in_place import augment
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.assignment import assign, binding, delete
from engine.languages.interpreter.nodes.entering import items_in, openings
from engine.languages.interpreter.operators import SCALARS, adds_nodes, apply_binary, truth
from engine.languages.interpreter.reading.endless import Turns
from engine.ops.base.building import graph_now


@compiles(ast.Expr)
def expression(interpreter: Interpreter, node: ast.Expr) -> Execution:
    """An expression for its effect."""
    value_of = interpreter.expression(node.value)

    def execute() -> None:
        value_of()

    return execute


@compiles(ast.Assign)
def assignment(interpreter: Interpreter, node: ast.Assign) -> Execution:
    """`a = b = value`."""
    value_of = interpreter.expression(node.value)
    first, *others = [binding(interpreter, target) for target in node.targets]
    target = node.targets[0]
    naming = (node.value, target.id) if isinstance(target, ast.Name) else None

    def execute() -> None:
        if naming is not None:
            interpreter.naming = naming
        value = value_of()
        first(value)
        for bind in others:
            bind(value)

    return execute


@executes(ast.AnnAssign)
def annotated(interpreter: Interpreter, node: ast.AnnAssign) -> None:
    """`a: float = value`; the annotation is not looked at, but a class keeps its text."""
    if interpreter.scope.is_class and isinstance(node.target, ast.Name):
        text = interpreter.source.segment(node.annotation)
        interpreter.scope.annotations = {**interpreter.scope.annotations, node.target.id: text}
    if node.value is not None:
        assign(interpreter, node.target, interpreter.evaluate(node.value))


@compiles(ast.AugAssign)
def augmented(interpreter: Interpreter, node: ast.AugAssign) -> Execution:
    """`a += value`: the target is evaluated once."""
    target, budget = node.target, interpreter.budget
    augment_by = _augmenting(interpreter, node)
    if isinstance(target, ast.Name):
        name, bind = target.id, binding(interpreter, target)
        return lambda: bind(augment_by(interpreter.read(name)))
    owner_of = interpreter.expression(target.value)
    if isinstance(target, ast.Subscript):
        key_of = interpreter.expression(target.slice)

        def to_item() -> None:
            owner, key = owner_of(), key_of()
            store(owner, key, augment_by(subscript(owner, key, budget)), budget)

        return to_item

    attr = target.attr

    def to_attribute() -> None:
        owner, name = owner_of(), private_name(interpreter, attr)
        set_attribute(interpreter, owner, name, augment_by(attribute_of(interpreter, owner, name)))

    return to_attribute


def _augmenting(interpreter: Interpreter, node: ast.AugAssign) -> Callable[[Any], Any]:
    """What gives, of the old value, what the target is bound to."""
    value_of, kind, budget = interpreter.expression(node.value), type(node.op), interpreter.budget

    def augment_by(old: Any) -> Any:
        if type(old) in SCALARS:
            value = value_of()
            if type(value) in SCALARS:
                return apply_binary(kind, old, value, budget)
        else:
            if hasattr(old, "refuse_in_place"):
                old.refuse_in_place()
            value = value_of()
        if adds_nodes(old) or adds_nodes(value):
            with interpreter.building(node):
                return augment(interpreter, kind, old, value)
        return augment(interpreter, kind, old, value)

    return augment_by


@compiles(ast.If)
def if_(interpreter: Interpreter, node: ast.If) -> Execution:
    """`if` with its `elif` and `else`."""
    test_of = interpreter.expression(node.test)
    body, orelse = interpreter.block(node.body), interpreter.block(node.orelse)

    def execute() -> Ended:
        test, staging = test_of(), interpreter.staging
        if staging is not None and staging.takes(test):
            staging.if_(node, test)
            return None
        holds = truth(test)
        interpreter.decisions.note(interpreter, node, holds=holds)
        return body() if holds else orelse()

    return execute


def _repeating(
    interpreter: Interpreter, statements: list[ast.stmt], body: Execution
) -> Callable[[], Execution]:
    """What gives, each time that a loop begins, what runs its body."""
    known: dict[Any, Execution] = {}

    def begin() -> Execution:
        graph = graph_now()
        make = LOOPED.get(type(graph))
        if make is None or interpreter.staging is not None:
            return body
        if graph not in known:
            known[graph] = make(interpreter, statements, body)
        return known[graph]

    return begin


@compiles(ast.While)
def while_(interpreter: Interpreter, node: ast.While) -> Execution:
    """`while` with its `else`."""
    test_of = interpreter.expression(node.test)
    body, orelse = interpreter.block(node.body), interpreter.block(node.orelse)
    repeated = _repeating(interpreter, node.body, body)

    def execute() -> Ended:
        if interpreter.staging is not None and interpreter.staging.while_(node):
            return None
        turns, turn = Turns(node), repeated()
        while truth(test_of()):
            turns.look(interpreter.scope)
            ended = turn()
            if ended is Signal.BREAK:
                return None
            if isinstance(ended, Return):
                return ended
        return orelse()

    return execute


@compiles(ast.For)
def for_(interpreter: Interpreter, node: ast.For) -> Execution:
    """`for` with its `else`; one that a trace has rewritten has a test of its own for each turn."""
    values_of, bind = interpreter.expression(node.iter), binding(interpreter, node.target)
    goes_on = getattr(node, "goes_on", None)
    test_of = None if goes_on is None else interpreter.expression(goes_on)
    body, orelse = interpreter.block(node.body), interpreter.block(node.orelse)
    budget, repeated = interpreter.budget, _repeating(interpreter, node.body, body)
    is_counted = test_of is None and _is_bound_by_the_loop_alone(node)

    def execute() -> Ended:
        values, staging = values_of(), interpreter.staging
        if staging is not None and staging.takes(values):
            staging.for_(node, values)
            return None
        turn, items = repeated(), iter(items_in(interpreter, values, node.iter))
        go_on = getattr(turn, "go_on", None) if is_counted and type(values) is range else None
        if go_on is not None and hasattr(turn, "expect"):
            turn.expect(len(values))
        for value in items:
            budget.steps += 1  # as `Budget.step`, which would take longer to call
            if budget.steps > budget.next_look:
                budget.look()
            if test_of is not None and not truth(test_of()):
                break
            bind(value)
            ended = turn()
            if ended is None and go_on is not None:
                ended = go_on(items, bind)
            if ended is Signal.BREAK:
                return None
            if isinstance(ended, Return):
                return ended
        return orelse()

    return execute


def _is_bound_by_the_loop_alone(node: ast.For) -> bool:
    """Whether the target of a `for` is a name that no statement of its body binds."""
    target, names = (
        node.target,
        [part for line in node.body for part in ast.walk(line) if type(part) is ast.Name],
    )
    return isinstance(target, ast.Name) and not any(
        name.id == target.id and not isinstance(name.ctx, ast.Load) for name in names
    )


@compiles(ast.Break)
def break_(interpreter: Interpreter, node: ast.Break) -> Execution:
    """`break`."""
    return lambda: Signal.BREAK


@compiles(ast.Continue)
def continue_(interpreter: Interpreter, node: ast.Continue) -> Execution:
    """`continue`."""
    return lambda: Signal.CONTINUE


@compiles(ast.Pass)
def pass_(interpreter: Interpreter, node: ast.Pass) -> Execution:
    """`pass`."""
    return lambda: None


@compiles(ast.Return)
def return_(interpreter: Interpreter, node: ast.Return) -> Execution:
    """`return value`."""
    if node.value is None:
        return lambda: Return(None)
    value_of = interpreter.expression(node.value)
    return lambda: Return(value_of())


@compiles(ast.FunctionDef)
def define(interpreter: Interpreter, node: ast.FunctionDef) -> Execution:
    """`def`, with the decorators that we know."""
    make = function_maker(interpreter, node, node.name)

    def execute() -> None:
        value: Any = make()
        for decorator in reversed(node.decorator_list):
            value = interpreter.call(interpreter.evaluate(decorator), [value], {})
        interpreter.scope.write(node.name, value)

    return execute


@compiles(ast.With)
def with_(interpreter: Interpreter, node: ast.With) -> Execution:
    """`with a as b, c:` on the context managers that we know."""
    items, body = openings(interpreter, node), interpreter.block(node.body)
    open_first, bind_first = items[0]

    def execute() -> Ended:
        with open_first() as opened:
            bind_first(opened)
            return body()

    def execute_several() -> Ended:
        with ExitStack() as stack:
            for open_one, bind in items:
                bind(stack.enter_context(open_one()))
            return body()

    return execute if len(items) == 1 else execute_several


@executes(ast.Assert)
def assert_(interpreter: Interpreter, node: ast.Assert) -> None:
    """`assert test, message`."""
    if not truth(interpreter.evaluate(node.test)):
        said = (interpreter.evaluate(node.msg),) if node.msg else ()
        text = to_str(said[0]) if said else interpreter.source.segment(node.test)
        raise ProgramError(
            f"The assertion does not hold: {text[:200]}",
            message_zh=f"断言不成立：{text[:200]}",
            code="assertion_failed",
            said=said,
        )


@executes(ast.Delete)
def delete_(interpreter: Interpreter, node: ast.Delete) -> None:
    """`del a, b[0]`."""
    for target in node.targets:
        delete(interpreter, target)


@executes(ast.Global)
def global_(interpreter: Interpreter, node: ast.Global) -> None:
    """`global a`."""
    for name in node.names:
        interpreter.scope.use_global(name)


@executes(ast.Nonlocal)
def nonlocal_(interpreter: Interpreter, node: ast.Nonlocal) -> None:
    """`nonlocal a`."""
    for name in node.names:
        interpreter.scope.use_enclosing(name)
