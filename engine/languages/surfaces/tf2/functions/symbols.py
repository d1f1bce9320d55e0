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
    """A name, or an attribute of an object."""

    name: str
    owner: UserObject | None = None

    def read(self, interpreter: Interpreter) -> Any:
        """Its value, or MISSING."""
        if self.owner is not None:
            return self.owner.fields.get(self.name, MISSING)
        return interpreter.scope.find(self.name)

    def write(self, interpreter: Interpreter, value: Any) -> None:
        """Give it a value; MISSING takes the one that it has."""
        if self.owner is not None:
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
    found = {(name, 0): Symbol(name) for name in sorted(assigned_names(body))}
    for node in body:
        for target in _attributes(node):
            owner = _object(interpreter, target.value)
            if owner is not None:
                found.setdefault((target.attr, id(owner)), Symbol(target.attr, owner))
    return list(found.values())


def _attributes(node: ast.AST) -> Iterator[ast.Attribute]:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node
    if not isinstance(node, OWN_SCOPE):
        for child in ast.iter_child_nodes(node):
            yield from _attributes(child)


def _object(interpreter: Interpreter, node: ast.expr) -> UserObject | None:
    """The object that `a` or `a.b` is now, without running anything of the program."""
    if isinstance(node, ast.Name):
        value = interpreter.scope.find(node.id)
    elif isinstance(node, ast.Attribute):
        owner = _object(interpreter, node.value)
        value = None if owner is None else owner.fields.get(node.attr)
    else:
        value = None
    return value if isinstance(value, UserObject) else None
