"""Binding: names, items, attributes and patterns on the left of an equals sign."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import GradlensError, ProgramError
from engine.languages.interpreter.builtins.containers import delete_item, store, taken
from engine.languages.interpreter.classes.objects import delete_attribute, private_name, set_attribute
from engine.languages.interpreter.dispatch import Binding
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Ignored, python_name

LISTED = frozenset({list, tuple})


def assign(interpreter: Interpreter, target: ast.expr, value: Any) -> None:
    """Bind a value to whatever stands on the left."""
    binding(interpreter, target)(value)


def binding(interpreter: Interpreter, target: ast.expr) -> Binding:
    """What binds a value to a target; an error in it gets its place unless it has a nearer one."""
    if isinstance(target, ast.Name):
        return _to_name(interpreter, target.id)
    bind = BINDINGS[type(target)](interpreter, target)

    def located(value: Any) -> None:
        try:
            bind(value)
        except GradlensError as error:
            interpreter.locate(error, target)
            raise

    return located


def _to_name(interpreter: Interpreter, name: str) -> Binding:
    def bind(value: Any) -> None:
        scope = interpreter.scope
        if scope.redirected:
            scope.write(name, value)
        else:
            scope.names[name] = value

    return bind


def _to_item(interpreter: Interpreter, target: ast.Subscript) -> Binding:
    owner, key = interpreter.expression(target.value), interpreter.expression(target.slice)
    budget = interpreter.budget

    def bind(value: Any) -> None:
        store(owner(), key(), value, budget)

    return bind


def _to_attribute(interpreter: Interpreter, target: ast.Attribute) -> Binding:
    owner, name = interpreter.expression(target.value), target.attr

    def bind(value: Any) -> None:
        set_attribute(interpreter, owner(), private_name(interpreter, name), value)

    return bind


def _to_several(interpreter: Interpreter, target: ast.Tuple | ast.List) -> Binding:
    """`a, (b, *c) = value`."""
    targets = target.elts
    star = next((index for index, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    plain = [one.value if isinstance(one, ast.Starred) else one for one in targets]
    bindings = [binding(interpreter, one) for one in plain]
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    count, are_names = len(targets), len(names) == len(targets)
    budget = interpreter.budget

    def bind(value: Any) -> None:
        if type(value) in LISTED and len(value) == count and are_names:
            budget.check_length(count)
            items: Sequence[Any] = value
        else:
            items = _items_for(interpreter, value, count, star)
        for bind_one, item in zip(bindings, items, strict=True):
            bind_one(item)

    return _to_pair(interpreter, names[0], names[1], bind) if are_names and count == 2 else bind


def _to_pair(interpreter: Interpreter, first: str, second: str, otherwise: Binding) -> Binding:
    """`a, b = value`, as most loops have it."""
    budget = interpreter.budget

    def bind(value: Any) -> None:
        scope = interpreter.scope
        if type(value) in LISTED and len(value) == 2 and not scope.redirected:
            budget.check_length(2)
            scope.names[first], scope.names[second] = value
        else:
            otherwise(value)

    return bind


def _items_for(interpreter: Interpreter, value: Any, count: int, star: int | None) -> Sequence[Any]:
    """The items of a value, one for each of so many targets: for the starred one a list of what is left."""
    if isinstance(value, Ignored):
        value = [value] * count
    try:
        items = list(taken(value, interpreter.budget))
    except ProgramError as error:
        if error.code == "not_iterable":
            error.said = f"cannot unpack non-iterable {python_name(value)} object"
        raise
    if len(items) != count if star is None else len(items) < count - 1:
        raise _wrong_count(count, len(items), star is not None)
    if star is None:
        return items
    end = len(items) - (count - star - 1)
    return [*items[:star], items[star:end], *items[end:]]


BINDINGS: dict[type[ast.expr], Callable[[Interpreter, Any], Binding]] = {
    ast.Tuple: _to_several,
    ast.List: _to_several,
    ast.Subscript: _to_item,
    ast.Attribute: _to_attribute,
}


def delete(interpreter: Interpreter, target: ast.expr) -> None:
    """`del target`."""
    if isinstance(target, ast.Name):
        interpreter.scope.delete(target.id)
    elif isinstance(target, ast.Subscript):
        delete_item(interpreter.evaluate(target.value), interpreter.evaluate(target.slice))
    elif isinstance(target, ast.Attribute):
        delete_attribute(interpreter.evaluate(target.value), private_name(interpreter, target.attr))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for inner in target.elts:
            delete(interpreter, inner)


def _wrong_count(wanted: int, given: int, at_least: bool) -> ProgramError:
    least, least_zh = ("at least ", "至少 ") if at_least else ("", "")
    return ProgramError(
        f"There are {wanted} names on the left, but {given} values on the right.",
        message_zh=f"左边有 {wanted} 个名字，右边有 {given} 个值。",
        hint=f"The right side must give {least}one value for each name.",
        hint_zh=f"右边{least_zh}要给每个名字一个值。",
        code="wrong_count",
        said=_python_count(wanted, given, at_least),
    )


def _python_count(wanted: int, given: int, at_least: bool) -> str:
    """The same in Python's words."""
    if at_least:
        return f"not enough values to unpack (expected at least {wanted - 1}, got {given})"
    if given > wanted:
        return f"too many values to unpack (expected {wanted})"
    return f"not enough values to unpack (expected {wanted}, got {given})"
