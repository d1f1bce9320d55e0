"""`tf.Module`, a base class that knows the variables among its objects' attributes, and name scopes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.graph import Variable
from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.workspace import Workspace
from engine.ops.base.building import current_graph


def _init(self: UserObject, name: Any = None) -> None:
    """The name, as TensorFlow gives it: that of the class, `MyModel` as `my_model`."""
    self.fields.setdefault("name", name or snake_case(self.kind.name))


def snake_case(name: str) -> str:
    """`MyModel2D` as `my_model2d`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])|(?<=.)([A-Z])(?=[a-z])", r"_\1\2", name).lower()


def name_scope(interpreter: Interpreter, name: str) -> Block:
    """Nodes and variables made inside the block have names that begin with this one."""
    return Block(lambda: _opened_scope(interpreter.workspace, name))


@contextmanager
def _opened_scope(workspace: Workspace, name: str) -> Iterator[str]:
    """What names in the block begin with: below the scopes around it, from the top where it ends in `/`."""
    outer = workspace.name_scope
    workspace.name_scope = name if name.endswith("/") or not name else f"{outer}{name}/"
    try:
        with current_graph().name_scope(name or None):
            yield workspace.name_scope
    finally:
        workspace.name_scope = outer


def _scope_of(interpreter: Interpreter, self: UserObject) -> Block:
    return name_scope(interpreter, self.fields["name"])


def _with_name_scope(interpreter: Interpreter, method: Any) -> Native:
    """The method, run in the name scope of its object."""

    def call(interpreter: Interpreter, self: UserObject, *inputs: Any, **settings: Any) -> Any:
        with _scope_of(interpreter, self).open():
            return interpreter.call(method, [self, *inputs], settings)

    return Native("tf.Module.with_name_scope", call, arguments={"self": AN_OBJECT, "inputs": ANY})


def _variables(self: UserObject) -> tuple[Variable, ...]:
    return tuple(dict.fromkeys(_found(self, {id(self)})))


def _trainable(self: UserObject) -> tuple[Variable, ...]:
    return tuple(variable for variable in _variables(self) if variable.trainable)


def _found(value: Any, seen: set[int]) -> Iterator[Variable]:
    """The variables of an object, its attributes in alphabetical order, those of its parts included."""
    if isinstance(value, Variable):
        yield value
    elif isinstance(value, UserObject):
        for name in sorted(value.fields):
            yield from _unless_seen(value.fields[name], seen)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _unless_seen(item, seen)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _unless_seen(item, seen)


def _unless_seen(value: Any, seen: set[int]) -> Iterator[Variable]:
    if id(value) not in seen:
        seen.add(id(value))
        yield from _found(value, seen)


AN_OBJECT = Argument(
    "an object of the class",
    "该类的对象",
    lambda value: isinstance(value, UserObject),
    "Write super().__init__().",
    "请写 super().__init__()。",
    "type_mismatch",
)
MODULE = UserClass(
    "Module",
    None,
    {
        "__init__": Native("tf.Module.__init__", _init, arguments={"self": AN_OBJECT}),
        "variables": Wrapped("property", Native("tf.Module.variables", _variables)),
        "trainable_variables": Wrapped("property", Native("tf.Module.trainable_variables", _trainable)),
        "name_scope": Wrapped("property", Native("tf.Module.name_scope", _scope_of)),
        "with_name_scope": Wrapped("staticmethod", Native("tf.Module.with_name_scope", _with_name_scope)),
    },
    origin="library",
)
