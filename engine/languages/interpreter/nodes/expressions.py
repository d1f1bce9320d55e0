"""Constants, names, attributes, items, f-strings and the other single expressions."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from engine.errors import GradlensError, ProgramError, RefusedError
from engine.languages.interpreter.builtins.containers import subscript
from engine.languages.interpreter.builtins.formatting import convert, format_value
from engine.languages.interpreter.builtins.functions import Kind, type_
from engine.languages.interpreter.builtins.operator_methods import operator_method
from engine.languages.interpreter.callables import BoundMethod
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import (
    Super,
    UserObject,
    attribute_of,
    method_of,
    new_object,
    private_name,
)
from engine.languages.interpreter.classes.special import SPECIAL
from engine.languages.interpreter.dispatch import Evaluation, compiles
from engine.languages.interpreter.functions import function_maker
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import is_symbolic, truth
from engine.languages.interpreter.scope import MISSING, Scope

OWN = (UserObject, UserClass, Super)  # what a program's own classes are made of
SHOWN_OF_ALL = frozenset({"__version__", "__name__", "__doc__", "__qualname__", "__wrapped__", "__array__"})
SHOWN_OF_OWN = frozenset(
    {"__class__", "__dict__", "__mro__", "__annotations__", "__module__", "__cause__", "__context__"}
)


@compiles(ast.Constant)
def constant(interpreter: Interpreter, node: ast.Constant) -> Evaluation:
    """A number, a text, True, False, None or `...`."""
    value, budget = node.value, interpreter.budget
    if isinstance(value, int) and value.bit_length() > budget.limits.integer_bits:
        return interpreter.step_of(node, lambda: budget.check_bits(value.bit_length()))

    def evaluate() -> Any:
        budget.steps += 1  # as `step_of`: nothing can go wrong here
        if budget.steps > budget.next_look:
            budget.look()
        return value

    return evaluate


@compiles(ast.Name)
def name(interpreter: Interpreter, node: ast.Name) -> Evaluation:
    """A name: most are found without a look at `global` and `nonlocal`."""
    read, budget = node.id, interpreter.budget

    def evaluate() -> Any:
        budget.steps += 1  # as `step_of`, which would take longer to call
        if budget.steps > budget.next_look:
            budget.look()
        scope: Scope | None = interpreter.scope
        while scope is not None and not scope.redirected:
            value = scope.names.get(read, MISSING)
            if value is not MISSING:
                return value
            if read in scope.local_names:
                break
            scope = scope.parent
        try:
            return interpreter.read(read, node)
        except GradlensError as error:
            interpreter.locate(error, node)
            raise

    return evaluate


@compiles(ast.NamedExpr)
def walrus(interpreter: Interpreter, node: ast.NamedExpr) -> Evaluation:
    """`(name := value)`."""
    value_of, target = interpreter.expression(node.value), node.target.id

    def evaluate() -> Any:
        value = value_of()
        interpreter.scope.write(target, value)
        return value

    return interpreter.step_of(node, evaluate)


@compiles(ast.IfExp)
def conditional(interpreter: Interpreter, node: ast.IfExp) -> Evaluation:
    """`a if test else b`."""
    test_of = interpreter.expression(node.test)
    sides = (interpreter.expression(node.body), interpreter.expression(node.orelse))

    def evaluate() -> Any:
        test, staging = test_of(), interpreter.staging
        if staging is not None and staging.takes(test):
            return staging.choose(test, sides, node)
        holds = truth(test)
        interpreter.decisions.note_choice(interpreter, node, holds=holds)
        return sides[0]() if holds else sides[1]()

    return interpreter.step_of(node, evaluate)


@compiles(ast.Attribute)
def attribute(interpreter: Interpreter, node: ast.Attribute) -> Evaluation:
    """`value.name`; the method of a type is looked up again where another type comes by."""
    value_of, attr = interpreter.expression(node.value), node.attr
    kind, method = None, None

    def evaluate() -> Any:
        nonlocal kind, method
        value = value_of()
        if type(value) is not kind:
            kind, method = type(value), method_of(type(value), attr)
        return attribute_of(interpreter, value, attr) if method is None else BoundMethod(method, value)

    def evaluate_special() -> Any:
        value = value_of()
        if attr == "__class__" and not isinstance(value, OWN):
            return type_(value)
        if attr == "__new__" and isinstance(value, Kind) and value.name == "object":
            return new_object(interpreter)
        method = None if isinstance(value, OWN) else operator_method(value, attr)
        if method is not None:
            return method
        return attribute_of(interpreter, value, allowed_name(interpreter, value, attr))

    return interpreter.step_of(node, evaluate_special if attr.startswith("__") else evaluate)


def allowed_name(interpreter: Interpreter, value: Any, name: str) -> str:
    """The name of an attribute: of those in double underscores only what the tables know, no way behind.

    Raises: RefusedError for any other one.
    """
    if not name.startswith("__"):
        return name
    is_own = isinstance(value, OWN)
    if is_own and not name.endswith("__"):
        return private_name(interpreter, name)
    if name in SHOWN_OF_ALL or (is_own and (name in SPECIAL or name in SHOWN_OF_OWN)):
        return name
    raise RefusedError(
        f"`{name}` reaches behind a value, which is not supported.",
        message_zh=f"`{name}` 访问值的内部，不支持。",
        code="refused_attribute",
    )


@compiles(ast.Subscript)
def item(interpreter: Interpreter, node: ast.Subscript) -> Evaluation:
    """`value[key]`."""
    value_of, key_of = interpreter.expression(node.value), interpreter.expression(node.slice)
    budget = interpreter.budget

    def evaluate() -> Any:
        value, key = value_of(), key_of()
        if interpreter.row_numbers is not None and isinstance(value, (list, np.ndarray)):
            key = interpreter.row_numbers.key(value, key)
        if is_symbolic(value):
            with interpreter.building(node):
                return subscript(value, key, budget)
        return subscript(value, key, budget)

    return interpreter.step_of(node, evaluate)


@compiles(ast.Slice)
def slice_(interpreter: Interpreter, node: ast.Slice) -> Evaluation:
    """`start:stop:step` inside a subscript."""
    parts = [
        None if part is None else interpreter.expression(part) for part in (node.lower, node.upper, node.step)
    ]
    return interpreter.step_of(node, lambda: slice(*[None if part is None else part() for part in parts]))


@compiles(ast.JoinedStr)
def f_string(interpreter: Interpreter, node: ast.JoinedStr) -> Evaluation:
    """`f"{value:.2f}"`."""
    parts = [interpreter.expression(part) for part in node.values]

    def evaluate() -> str:
        texts = [str(part()) for part in parts]
        interpreter.budget.check_length(sum(map(len, texts)))
        return "".join(texts)

    return interpreter.step_of(node, evaluate)


@compiles(ast.FormattedValue)
def f_string_field(interpreter: Interpreter, node: ast.FormattedValue) -> Evaluation:
    """One pair of braces of an f-string."""
    value_of = interpreter.expression(node.value)
    spec_of = None if node.format_spec is None else interpreter.expression(node.format_spec)
    conversion = "" if node.conversion == -1 else chr(node.conversion)

    def evaluate() -> str:
        value, spec = value_of(), "" if spec_of is None else spec_of()
        return format_value(convert(value, conversion) if conversion else value, spec, interpreter.budget)

    return interpreter.step_of(node, evaluate)


@compiles(ast.Lambda)
def lambda_(interpreter: Interpreter, node: ast.Lambda) -> Evaluation:
    """`lambda x: ...`."""
    return interpreter.step_of(node, function_maker(interpreter, node, "<lambda>"))


@compiles(ast.Yield, ast.YieldFrom)
def yield_(interpreter: Interpreter, node: ast.Yield | ast.YieldFrom) -> Evaluation:
    """A `yield` that stands in no function; inside one, `generators.py` takes care of it."""
    return interpreter.step_of(node, _refuse_yield)


def _refuse_yield() -> None:
    raise ProgramError(
        "`yield` works inside a function only.",
        message_zh="`yield` 只能写在函数里。",
        code="syntax_error",
    )
