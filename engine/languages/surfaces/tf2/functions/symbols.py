"""What branches and loops change: names of the function, and attributes of the program's objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING, OWN_SCOPE, assigned_names


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A name, an attribute of an object, or an item of a dict or list at a place that the text names."""

    name: str
    owner: Any = None
    key: Any = None

    def read(self, interpreter: Interpreter) -> Any:
        """Its value, or MISSING."""
        if isinstance(self.owner, dict):
            return self.owner.get(self.key, MISSING)
        if isinstance(self.owner, list):
            return self.owner[self.key]
        if self.owner is not None:
            return self.owner.fields.get(self.name, MISSING)
        return interpreter.scope.find(self.name)

    def write(self, interpreter: Interpreter, value: Any) -> None:
        """Give it a value; MISSING takes the one that it has."""
        if isinstance(self.owner, (dict, list)):
            if value is not MISSING:
                self.owner[self.key] = value
            elif isinstance(self.owner, dict):
                self.owner.pop(self.key, None)
        elif self.owner is not None:
            if value is MISSING:
                self.owner.fields.pop(self.name, None)
            else:
                self.owner.fields[self.name] = value
        elif value is not MISSING:
            interpreter.scope.write(self.name, value)
        elif interpreter.scope.find(self.name) is not MISSING:
            interpreter.scope.delete(self.name)


def changed_by(interpreter: Interpreter, body: Sequence[ast.AST]) -> list[Symbol]:
    """The names and attributes that a body binds."""
    found: dict[Any, Symbol] = {(name, 0): Symbol(name) for name in sorted(assigned_names(body))}
    for node in body:
        for item in _items(node):
            owner, key = _value(interpreter, item.value), getattr(item.slice, "value", None)
            if isinstance(owner, dict) or (isinstance(owner, list) and _is_place(owner, key)):
                found.setdefault((key, id(owner)), Symbol(ast.unparse(item), owner, key))
        for target in _attributes(node):
            owner = _value(interpreter, target.value)
            if isinstance(owner, UserObject):
                found.setdefault((target.attr, id(owner)), Symbol(target.attr, owner))
    return list(found.values())


def _is_place(items: list[Any], key: Any) -> bool:
    return isinstance(key, int) and -len(items) <= key < len(items)


def _items(node: ast.AST) -> Iterator[ast.Subscript]:
    """The items with a plain key that a statement sets, as in `state["n"] = …`."""
    is_set = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    if is_set and isinstance(node.slice, ast.Constant):  # type: ignore[attr-defined]  # a Subscript
        yield node  # type: ignore[misc]  # the same
    if not isinstance(node, OWN_SCOPE):
        for child in ast.iter_child_nodes(node):
            yield from _items(child)


def _attributes(node: ast.AST) -> Iterator[ast.Attribute]:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node
    if not isinstance(node, OWN_SCOPE):
        for child in ast.iter_child_nodes(node):
            yield from _attributes(child)


def _value(interpreter: Interpreter, node: ast.expr) -> Any:
    """What `a` or `a.b` is now, without running anything of the program."""
    if isinstance(node, ast.Name):
        return interpreter.scope.find(node.id)
    if isinstance(node, ast.Attribute):
        owner = _value(interpreter, node.value)
        return owner.fields.get(node.attr) if isinstance(owner, UserObject) else None
    return None
