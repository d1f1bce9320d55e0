"""Binding: names, items, attributes and patterns on the left of an equals sign."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.errors import GradlensError, ProgramError
from engine.languages.interpreter.builtins.containers import delete_item, store, taken
from engine.languages.interpreter.classes.objects import delete_attribute, private_name, set_attribute
from engine.languages.interpreter.values import Ignored, python_name

if TYPE_CHECKING:
    from engine.languages.interpreter.interpreter import Interpreter


def assign(interpreter: Interpreter, target: ast.expr, value: Any) -> None:
    """Bind a value to whatever stands on the left."""
    try:
        _assign(interpreter, target, value)
    except GradlensError as error:
        if error.where is None:
            error.where = interpreter.source.span(target)
        raise


def _assign(interpreter: Interpreter, target: ast.expr, value: Any) -> None:
    if isinstance(target, ast.Name):
        interpreter.scope.write(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(interpreter, target.elts, value)
    elif isinstance(target, ast.Subscript):
        owner, key = interpreter.evaluate(target.value), interpreter.evaluate(target.slice)
        store(owner, key, value, interpreter.budget)
    elif isinstance(target, ast.Attribute):
        owner = interpreter.evaluate(target.value)
        set_attribute(interpreter, owner, private_name(interpreter, target.attr), value)


def _unpack(interpreter: Interpreter, targets: Sequence[ast.expr], value: Any) -> None:
    if isinstance(value, Ignored):
        value = [value] * len(targets)
    if type(value) is tuple and len(value) == len(targets) and {*map(type, targets)} == {ast.Name}:
        interpreter.budget.check_length(len(value))
        write = interpreter.scope.write
        for name, item in zip(targets, value, strict=True):
            write(name.id, item)  # type: ignore[attr-defined]  # a Name
        return
    try:
        items = list(taken(value, interpreter.budget))
    except ProgramError as error:
        if error.code == "not_iterable":
            error.said = f"cannot unpack non-iterable {python_name(value)} object"
        raise
    starred = [index for index, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if len(items) < len(targets) - len(starred) or (not starred and len(items) != len(targets)):
        raise _wrong_count(len(targets), len(items), bool(starred))
    if starred:
        _unpack_starred(interpreter, targets, items, starred[0])
        return
    for target, item in zip(targets, items, strict=True):
        assign(interpreter, target, item)


def _unpack_starred(
    interpreter: Interpreter, targets: Sequence[ast.expr], items: list[Any], star: int
) -> None:
    after = len(targets) - star - 1
    middle = items[star : len(items) - after]
    for target, item in zip(targets[:star], items[:star], strict=True):
        assign(interpreter, target, item)
    starred: Any = targets[star]
    assign(interpreter, starred.value, middle)
    for target, item in zip(targets[star + 1 :], items[len(items) - after :], strict=True):
        assign(interpreter, target, item)


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
