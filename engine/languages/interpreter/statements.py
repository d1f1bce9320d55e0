"""How each kind of statement is executed."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from typing import Any

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.assignment import assign, delete
from engine.languages.interpreter.attributes import read_attribute
from engine.languages.interpreter.builtins.containers import iterate, store, subscript
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import attribute_of, private_name, set_attribute
from engine.languages.interpreter.dispatch import CONTEXTS, Ended, Return, Signal, executes
from engine.languages.interpreter.functions import make_function
from engine.languages.interpreter.in_place import augment
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import is_symbolic, truth
from engine.languages.interpreter.reading.endless import Turns
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.values import type_name


@executes(ast.Expr)
def expression(interpreter: Interpreter, node: ast.Expr) -> None:
    """An expression for its effect."""
    interpreter.evaluate(node.value)


@executes(ast.Assign)
def assignment(interpreter: Interpreter, node: ast.Assign) -> None:
    """`a = b = value`."""
    first = node.targets[0]
    if isinstance(first, ast.Name):
        interpreter.naming = (node.value, first.id)
    value = interpreter.evaluate(node.value)
    for target in node.targets:
        assign(interpreter, target, value)


@executes(ast.AnnAssign)
def annotated(interpreter: Interpreter, node: ast.AnnAssign) -> None:
    """`a: float = value`; the annotation is not looked at, but a class keeps its text."""
    if interpreter.scope.is_class and isinstance(node.target, ast.Name):
        interpreter.scope.annotations[node.target.id] = interpreter.source.segment(node.annotation)
    if node.value is not None:
        assign(interpreter, node.target, interpreter.evaluate(node.value))


@executes(ast.AugAssign)
def augmented(interpreter: Interpreter, node: ast.AugAssign) -> None:
    """`a += value`: the target is evaluated once."""
    target = node.target
    if isinstance(target, ast.Name):
        assign(interpreter, target, _augment(interpreter, node, interpreter.read(target.id)))
    elif isinstance(target, ast.Subscript):
        owner, key = interpreter.evaluate(target.value), interpreter.evaluate(target.slice)
        new = _augment(interpreter, node, subscript(owner, key, interpreter.budget))
        store(owner, key, new, interpreter.budget)
    else:
        owner = interpreter.evaluate(target.value)
        name = private_name(interpreter, target.attr)
        new = _augment(interpreter, node, attribute_of(interpreter, owner, name))
        set_attribute(interpreter, owner, name, new)


def _augment(interpreter: Interpreter, node: ast.AugAssign, old: Any) -> Any:
    if hasattr(old, "refuse_in_place"):
        old.refuse_in_place()
    value = interpreter.evaluate(node.value)
    if is_symbolic(old) or is_symbolic(value):
        with interpreter.building(node):
            return augment(interpreter, type(node.op), old, value)
    return augment(interpreter, type(node.op), old, value)


@executes(ast.If)
def if_(interpreter: Interpreter, node: ast.If) -> Ended:
    """`if` with its `elif` and `else`."""
    test, staging = interpreter.evaluate(node.test), interpreter.staging
    if staging is not None and staging.takes(test):
        staging.if_(node, test)
        return None
    return interpreter.execute(node.body if truth(test) else node.orelse)


@executes(ast.While)
def while_(interpreter: Interpreter, node: ast.While) -> Ended:
    """`while` with its `else`."""
    if interpreter.staging is not None and interpreter.staging.while_(node):
        return None
    turns = Turns(node)
    while truth(interpreter.evaluate(node.test)):
        turns.look(interpreter.scope)
        ended = interpreter.execute(node.body)
        if ended is Signal.BREAK:
            return None
        if isinstance(ended, Return):
            return ended
    return interpreter.execute(node.orelse)


@executes(ast.For)
def for_(interpreter: Interpreter, node: ast.For) -> Ended:
    """`for` with its `else`; one that a trace has rewritten has a test of its own for each turn."""
    values, staging = interpreter.evaluate(node.iter), interpreter.staging
    if staging is not None and staging.takes(values):
        staging.for_(node, values)
        return None
    goes_on = getattr(node, "goes_on", None)
    for value in items_in(interpreter, values, node.iter):
        interpreter.budget.step()
        if goes_on is not None and not truth(interpreter.evaluate(goes_on)):
            break
        assign(interpreter, node.target, value)
        ended = interpreter.execute(node.body)
        if ended is Signal.BREAK:
            return None
        if isinstance(ended, Return):
            return ended
    return interpreter.execute(node.orelse)


def items_of(interpreter: Interpreter, node: ast.expr) -> Any:
    """What a `for` over this expression goes through."""
    return items_in(interpreter, interpreter.evaluate(node), node)


def items_in(interpreter: Interpreter, value: Any, node: ast.expr) -> Any:
    """The items of a value; where it has none, the error has the place of its expression."""
    try:
        return iterate(value)
    except ProgramError as error:
        error.where = interpreter.source.span(node)
        raise


@executes(ast.Break)
def break_(interpreter: Interpreter, node: ast.Break) -> Ended:
    """`break`."""
    return Signal.BREAK


@executes(ast.Continue)
def continue_(interpreter: Interpreter, node: ast.Continue) -> Ended:
    """`continue`."""
    return Signal.CONTINUE


@executes(ast.Pass)
def pass_(interpreter: Interpreter, node: ast.Pass) -> None:
    """`pass`."""


@executes(ast.Return)
def return_(interpreter: Interpreter, node: ast.Return) -> Ended:
    """`return value`."""
    return Return(interpreter.evaluate(node.value) if node.value else None)


@executes(ast.FunctionDef)
def define(interpreter: Interpreter, node: ast.FunctionDef) -> None:
    """`def`, with the decorators that we know."""
    value: Any = make_function(interpreter, node, node.name)
    for decorator in reversed(node.decorator_list):
        value = interpreter.call(interpreter.evaluate(decorator), [value], {})
    interpreter.scope.write(node.name, value)


@executes(ast.With)
def with_(interpreter: Interpreter, node: ast.With) -> Ended:
    """`with a as b, c:` on the context managers that we know."""
    with ExitStack() as stack:
        for item in node.items:
            manager = manager_of(interpreter, item.context_expr)
            value = stack.enter_context(manager)
            if item.optional_vars is not None:
                assign(interpreter, item.optional_vars, value)
        return interpreter.execute(node.body)


def manager_of(interpreter: Interpreter, node: ast.expr) -> Any:
    """What `with` opens for this expression."""
    value = interpreter.evaluate(node)
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


@executes(ast.Import)
def import_(interpreter: Interpreter, node: ast.Import) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        module = _module(interpreter, alias.name)
        if alias.asname is None and "." in alias.name:
            root = alias.name.split(".")[0]
            interpreter.scope.write(root, _module(interpreter, root))
        else:
            interpreter.scope.write(alias.asname or alias.name, module)


@executes(ast.ImportFrom)
def import_from(interpreter: Interpreter, node: ast.ImportFrom) -> None:
    """`from a import b as c`."""
    if node.module == "__future__":
        return
    if node.level or any(alias.name == "*" for alias in node.names):
        raise RefusedError(
            "Relative imports and `import *` are not supported.",
            message_zh="不支持相对导入和 `import *`。",
            hint="Name what you need: `from math import sqrt`.",
            hint_zh="请写出需要的名字：`from math import sqrt`。",
            code="refused_import",
        )
    for alias in node.names:
        dotted = f"{node.module}.{alias.name}"
        found = interpreter.modules.get(dotted)
        value = found or attribute_of(interpreter, _module(interpreter, node.module or ""), alias.name)
        interpreter.scope.write(alias.asname or alias.name, value)


def _module(interpreter: Interpreter, dotted: str) -> Any:
    """A module by its name, or inside one that we know."""
    found = interpreter.modules.get(dotted)
    if found is not None:
        return found
    root, _, rest = dotted.partition(".")
    module: Any = interpreter.modules.get(root)
    if module is None:
        raise _no_module(interpreter, dotted)
    for part in rest.split("."):
        module = read_attribute(module, part)
    return module


DATA_MODULES = frozenset({"pandas", "sklearn", "tensorflow_datasets", "torchvision", "d2l", "input_data"})


def _no_module(interpreter: Interpreter, dotted: str) -> RefusedError:
    hint, hint_zh = did_you_mean(dotted, interpreter.modules)
    if dotted.split(".")[0] in DATA_MODULES:
        hint = "Make a small data set in the program, such as np.random.RandomState(0).randn(100, 2)."
        hint_zh = "请在程序里自己造小数据集，例如 np.random.RandomState(0).randn(100, 2)。"
    return RefusedError(
        f"The module `{dotted}` is not available here.",
        message_zh=f"这里不能使用模块 `{dotted}`。",
        hint=hint or "Programs may use tensorflow, numpy, math and time.",
        hint_zh=hint_zh or "程序可以使用 tensorflow、numpy、math 和 time。",
        code="refused_import",
    )
